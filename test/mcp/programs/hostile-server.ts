// An MCP server that speaks the protocol by hand and misbehaves on request: each tool is one kind of trouble.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

type Params = { name?: string; cursor?: string; uri?: string; _meta?: { progressToken?: number } };
type Request = { id?: number; method: string; params?: Params };

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { type: 'image', data: pixel, mimeType: 'image/png' };
const say = (text: string): object => ({ type: 'text', text });
const send = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const answers: Record<string, (call: { id: number; params?: Params }) => object | undefined> = {
  die: () => process.exit(7),
  hang: () => undefined,
  flood: () => {
    const more = (): void => {
      while (process.stdout.write('x'.repeat(1 << 20)));
      process.stdout.once('drain', more);
    };
    more();
    return undefined;
  },
  many_texts: () => ({ content: Array.from({ length: 5000 }, (_, at) => say(`line ${at}`)) }),
  many_pictures: () => ({ content: Array.from({ length: 5000 }, () => image) }),
  bad_base64: () => ({ content: [say('before'), { ...image, data: '!!! no base64 !!!' }, image, say('after')] }),
  strange: () => ({ content: [{ type: 'hologram', depth: 3 }, 5, image] }),
  nothing: () => ({}),
  bare_words: () => ({ content: 'only words' }),
  one_part: () => ({ content: say('one part') }),
  null_error: ({ id }) => {
    process.stdout.write(`${JSON.stringify({ id, error: null, result: { content: [say('fine')] } })}\n`);
    return undefined;
  },
  last_words: () => {
    process.stderr.write('Traceback (most recent call last):\nOSError: no such device\n');
    process.exit(8);
  },
  structured: () => ({ content: [say('see the picture'), image], structuredContent: { width: 1, note: 'extra' } }),
  links: () => ({
    content: [
      { type: 'resource_link', uri: 'hostile://picture', name: 'picture' },
      { type: 'resource_link', uri: 'hostile://missing', name: 'missing' },
    ],
  }),
  chatter: () => {
    process.stdout.write('Loading the model…\n\n{"half": \n');
    return { content: [say('heard')] };
  },
  hasty: ({ id, params }) => {
    const { _meta: about } = params ?? {};
    const told = { progressToken: about?.progressToken, progress: 1, message: 'nearly there' };
    const messages = [
      { method: 'notifications/progress', params: told },
      { id, result: { content: [say('done')] } },
    ];
    // In one piece, so that they arrive together.
    process.stdout.write(messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''));
    return undefined;
  },
  steady: ({ id, params }) => {
    const { _meta: about } = params ?? {};
    const told = (progress: number): void =>
      send({ method: 'notifications/progress', params: { progressToken: about?.progressToken, progress } });
    told(1);
    told(2);
    send({ id, result: { content: [say('done')] } });
    return undefined;
  },
  orphan: () => {
    const child = spawn('sleep', ['300'], { detached: true, stdio: 'inherit' });
    return { content: [say(String(child.pid))] };
  },
  surroundings: () => ({ content: [say(Object.keys(process.env).join(' '))] }),
  change: () => {
    answers['late'] = () => ({ content: [say('here now')] });
    send({ method: 'notifications/tools/list_changed' });
    return { content: [say('changed')] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Request;
  if (id === undefined) return;
  const result = (value: object): void => send({ id, result: value });
  const failed = (message: string): void => send({ id, error: { code: -32000, message } });
  switch (method) {
    case 'initialize':
      return result({
        protocolVersion: '2025-06-18',
        serverInfo: { name: 'hostile', version: '1' },
        capabilities: { tools: { listChanged: true }, resources: {} },
      });
    case 'tools/list': {
      const names = [...Object.keys(answers), 'broken', 'has spaces and ünicode', 'x'.repeat(100)];
      const start = Number(params?.cursor ?? 0);
      const tools: unknown[] = names.slice(start, start + 5).map((name) => ({ name, inputSchema: { type: 'object' } }));
      if (start === 0) tools.push({ description: 'a tool without a name' }, null);
      return result({ tools, ...(start + 5 < names.length && { nextCursor: String(start + 5) }) });
    }
    case 'tools/call': {
      const answer = answers[params?.name ?? ''];
      if (!answer) return failed('that tool is broken');
      const value = answer({ id, ...(params && { params }) });
      return value && result(value);
    }
    case 'resources/read':
      return params?.uri === 'hostile://picture'
        ? result({ contents: [{ uri: params.uri, mimeType: 'image/png', blob: pixel }] })
        : failed('no such resource');
    default:
      return failed(`what is ${method}?`);
  }
});
