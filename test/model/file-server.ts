// A provider on this machine with a file store of its own: the routes of Anthropic, OpenAI and Gemini for files, and behind them a
// scripted model. It keeps what was uploaded, counts every byte, forgets files when told to, and fails as a test says.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Answer } from '../../src/model/script/index.ts';

export type StoredUpload = { id: string; sha256: string; size: number; fields: string };

export type FileServer = {
  url: string;
  files: Map<string, StoredUpload>;
  /** Every upload that was finished, in order. */
  uploads: StoredUpload[];
  /** Bodies of requests to the model. */
  bodies: string[];
  /** All bytes that came in, by what they were for. */
  bytes: { files: number; requests: number };
  /** What the next uploads meet: a status, `cut` for a line that breaks in the middle, `silent` for one on which nothing ever comes
   * back. Between them, `fine` lets one pass. */
  faults: Fault[];
  /** Called when an upload meets silence. */
  heardNothing: () => void;
  /** How much each message with bytes for Gemini's store brought. */
  chunks: number[];
  /** Whether refusals name no file. */
  vague: boolean;
  close: () => Promise<void>;
};

type Fault = number | 'cut' | 'silent' | 'fine';

export async function fileServer(steps: (last: unknown) => Answer): Promise<FileServer> {
  const model = await scriptedServer(script(({ transcript }) => steps(transcript.messages.at(-1))));
  const state = { files: new Map<string, StoredUpload>(), uploads: [] as StoredUpload[], bodies: [] as string[], bytes: { files: 0, requests: 0 }, faults: [] as Fault[], heardNothing: () => {}, chunks: [] as number[], vague: false }; // prettier-ignore
  const halves = new Map<string, Buffer>();
  let count = 0;

  const keep = (id: string, bytes: Buffer, fields: string): void => {
    const stored = { id, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, fields };
    state.files.set(id, stored);
    state.uploads.push(stored);
  };

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const reply = (status: number, value: object, more = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(value));
    const isFiles = /\/files(?:\/|\?|$)/.test(path) || path.includes('upload_id');
    const command = String(headers['x-goog-upload-command'] ?? '');
    const brings = isFiles && method === 'POST' && command !== 'start' && command !== 'query';
    const fault = brings ? state.faults.shift() : undefined;
    if (fault === 'cut') return await cutOff(incoming, path, command === '' ? undefined : halves);
    const body = await readAll(incoming);
    if (isFiles) state.bytes.files += body.length;
    if (fault === 'silent') return state.heardNothing();
    if (typeof fault === 'number')
      return reply(fault, { error: { type: 'error', message: `The store answers ${fault}.` } });
    if (isFiles && (method === 'DELETE' || method === 'GET')) {
      const id = path.split('/').at(-1) ?? '';
      const known = [...state.files.keys()].find((name) => name.endsWith(id));
      if (known && method === 'DELETE') state.files.delete(known);
      return reply(known ? 200 : 404, known ? { id, deleted: true } : { error: { message: 'No such file.' } });
    }
    if (path === '/v1/files') {
      const { fields, bytes } = partsOf(body, headers['content-type'] ?? '');
      const id = headers['x-api-key'] === undefined ? `file-${++count}abcdefgh` : `file_${++count}abcdefgh`;
      keep(id, bytes, fields);
      return reply(200, { id, type: 'file', object: 'file', size_bytes: bytes.length });
    }
    if (path === '/upload/v1beta/files') {
      return reply(200, {}, { 'x-goog-upload-url': `${own()}/upload/v1beta/files?upload_id=${++count}` });
    }
    if (path.includes('upload_id')) {
      const had = halves.get(path) ?? Buffer.alloc(0);
      if (command === 'query')
        return reply(200, {}, { 'x-goog-upload-status': 'active', 'x-goog-upload-size-received': String(had.length) });
      if (Number(headers['x-goog-upload-offset']) !== had.length) return reply(400, { error: { message: 'Wrong offset.' } }); // prettier-ignore
      state.chunks.push(body.length);
      halves.set(path, Buffer.concat([had, body]));
      if (!command.includes('finalize')) return reply(200, {}, { 'x-goog-upload-status': 'active' });
      const name = `files/id${path.split('=').at(-1)}abc`;
      const uri = `https://generativelanguage.googleapis.com/v1beta/${name}`;
      keep(uri, halves.get(path) ?? body, command);
      return reply(200, { file: { name, uri, state: 'ACTIVE' } });
    }
    state.bytes.requests += body.length;
    const text = body.toString();
    state.bodies.push(text);
    const ids =
      text.match(/\bfile[_-]\d+abcdefgh|https:\/\/generativelanguage\.googleapis\.com\/v1beta\/files\/id\d+abc/g) ?? [];
    const unknown = ids.find((id) => !state.files.has(id));
    if (unknown !== undefined) {
      const words = unknown.startsWith('http')
        ? `You do not have permission to access the File ${state.vague ? 'of this request' : unknown.split('/').at(-1)} or it may not exist.`
        : `File not found: ${state.vague ? 'file_…' : unknown}`;
      return reply(unknown.startsWith('http') ? 403 : 404, {
        type: 'error',
        error: { type: 'not_found_error', message: words },
      });
    }
    const answer = await fetch(`${model.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }

  const server = createServer((incoming, response) => void serve(incoming, response).catch(() => response.destroy()));
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const own = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, {
    url: own(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await model.close();
    },
  });
}

/** Breaks the line; a store that goes on later keeps what came. */
async function cutOff(incoming: IncomingMessage, path: string, halves: Map<string, Buffer> | undefined): Promise<void> {
  const had = halves?.get(path) ?? Buffer.alloc(0);
  const came = await new Promise<Buffer>((resolve) => incoming.once('data', resolve));
  halves?.set(path, Buffer.concat([had, came]));
  incoming.destroy();
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The fields of a form as text, and the bytes of its file. */
function partsOf(body: Buffer, type: string): { fields: string; bytes: Buffer } {
  const boundary = `--${/boundary=(.+)$/.exec(type)?.[1] ?? ''}`;
  const start = body.indexOf('name="file"');
  const from = body.indexOf('\r\n\r\n', start) + 4;
  const end = body.lastIndexOf(`\r\n${boundary}--`);
  return { fields: body.subarray(0, start).toString(), bytes: body.subarray(from, end) };
}
