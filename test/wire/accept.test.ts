// A request that we wrote is read back as what it says: written again from there, it is the same request. Media are in
// their results again, whatever the wire did with them.
import { describe, expect, test } from 'vitest';
import type { Block, MediaBlock } from '../../src/content/block.ts';
import { isMedia } from '../../src/content/block.ts';
import type { Intake } from '../../src/content/intake.ts';
import { refuse } from '../../src/content/refusal.ts';
import type { Message, Transcript, TranscriptInput } from '../../src/message/message.ts';
import { resolveTranscript } from '../../src/message/check-transcript.ts';
import type { RequestOptions } from '../../src/window/plan-types.ts';
import type { Profile } from '../../src/window/profile.ts';
import type { Accepted } from '../../src/wire/accepted.ts';
import { wires } from '../../src/wire/registry.ts';
import { models, onePerWire, profileOf } from '../laws/models.ts';
import { anyShape, withOneName } from '../laws/transcripts.ts';
import { lawOnEveryModel } from '../laws/trial.ts';
import { put, putBytes, writeWhole } from '../laws/world.ts';

/** What no wire tells of a medium, and what a wire cannot tell of one it does not take: the planner's words stand there. */
function tellable(block: Block, profile: Profile): Block | undefined {
  if (!isMedia(block)) return block;
  const { type, asset } = block;
  const rule = profile.media[type];
  const takes = rule.types.includes(asset.mediaType) && rule.result !== 'words' && rule.user !== 'words';
  if (!takes || type === 'video') return undefined;
  return checked(asset, type, block.type === 'image' && block.detail !== 'whole' ? block.detail : undefined);
}

function checked(
  asset: MediaBlock['asset'],
  type: MediaBlock['type'],
  detail?: 'low' | 'high' | 'original' | 'auto',
): Block {
  if (type === 'image')
    return { type, asset, width: 640, height: 480, ...(detail && detail !== 'original' && { detail }) };
  return type === 'document' ? { type, asset, pages: 2 } : { type, asset, seconds: 1.5 };
}

/** The intake of the laws' small world: its media are not what real decoders take, but they are known by their bytes. */
const intake: Intake = {
  check: async (bytes, hint = {}) => {
    const label = new TextDecoder().decode(bytes);
    const [kind, mediaType = ''] = label.split(' ');
    // a page drawn by the world's only maker of renditions, number one
    if (kind === '1') return { ok: true, value: checked(putBytes(bytes, 'image/png', hint.name), 'image') };
    if (kind !== 'image' && kind !== 'document' && kind !== 'sound') return refuse('unsupported', 'no medium', 'none');
    const type = kind === 'sound' ? (mediaType.startsWith('audio') ? 'audio' : 'video') : kind;
    return { ok: true, value: checked(putBytes(bytes, mediaType, hint.name), type) };
  },
  open: async () => refuse('not-found', 'nothing is opened here', 'none'),
  keep: async (bytes, { mediaType, name }) => putBytes(bytes, mediaType, name),
  stored: async () => undefined,
  at: () => intake,
};

function read(model: string, body: unknown): Accepted {
  const { wire, endpoint, id } = profileOf(model);
  const accepted = wires[wire].accept(body, { endpoint, model: id });
  if (!accepted.ok) throw new Error(accepted.refusal.what);
  return accepted.value;
}

describe('a request that is read and written again is the same request', () => {
  lawOnEveryModel('item for item', anyShape, async (built, model) => {
    const profile = profileOf(model);
    const told = built.messages.map((message): Message => {
      const content = message.content.flatMap((block) => tellable(block, profile) ?? []);
      return { ...message, content };
    });
    const messages = withOneName(told); // not every place of every wire tells a document's name
    const { body, plan } = await writeWhole({ transcript: { ...built, messages }, model, cache: 'off' });
    const { transcript, extra } = read(model, body);
    expect(sealsIn(transcript.messages), 'seals nobody gave').toBeLessThanOrEqual(sealsIn(plan.items));
    const { transcript: again, troubles } = await resolveTranscript(transcript, intake);
    expect(troubles).toEqual([]);
    const { body: second } = await writeWhole({ transcript: again, model, cache: 'off' });
    expect(second).toEqual(body);
    expect(extra['tools']).toBeUndefined();
  });
});

function sealsIn(value: unknown): number {
  return JSON.stringify(value).match(/"seal":/g)?.length ?? 0;
}

function marks(value: unknown): Set<string> {
  return new Set(JSON.stringify(value).match(/(?:TXT|OWN|FOE)\d{5}/g));
}

describe('nothing of a request is lost', () => {
  lawOnEveryModel(
    'every word, seal and medium that was sent is read',
    anyShape,
    async (transcript, model) => {
      const { body } = await writeWhole({ transcript, model });
      const accepted = read(model, body);
      expect(marks(accepted)).toEqual(marks(body));
      expect(mediaOf(accepted.transcript).length).toBe(dataIn(body).length);
    },
    onePerWire,
  );
});

function mediaOf({ messages }: TranscriptInput): unknown[] {
  return messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.filter((block) => isMedia(block as Block)) : [],
  );
}

/** The base64 of every medium of a body: the laws' media all begin with the same words. */
function dataIn(body: unknown): string[] {
  const heads = ['image ', 'document ', 'sound ', 'original ', '1 '].map((word) =>
    btoa(word).replace(/=+$/, '').slice(0, -1),
  );
  const found: string[] = [];
  JSON.stringify(body, (_key, value: unknown) => {
    if (typeof value === 'string') {
      const data = value.replace(/^data:[^,]*,/, '');
      if (data.length > 8 && heads.some((head) => data.startsWith(head)) && !/\s/.test(data)) found.push(data);
    }
    return value;
  });
  return found;
}

const png = put('image image/png of the test', 'image/png', 'login.png');

const picture: Block = { type: 'image', asset: png, width: 64, height: 48 };

function words(text: string): Block {
  return { type: 'text', text };
}

/** A turn with two calls whose pictures may have to travel after the results. */
const twoCalls: Transcript = {
  version: 1,
  system: 'You see.',
  tools: [{ name: 'shot', description: 'Takes a picture', inputSchema: { type: 'object', properties: {} } }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Compare them.' }] },
    {
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'call', id: 'a', name: 'shot', input: { of: 'x' } },
        { type: 'call', id: 'b', name: 'shot', input: {} },
      ],
    },
    {
      role: 'tool',
      callId: 'a',
      name: 'shot',
      content: [{ type: 'text', text: 'before' }, picture, { type: 'text', text: 'after' }],
    },
    { role: 'tool', callId: 'b', name: 'shot', isError: true, content: [{ type: 'text', text: 'Error: no window' }] },
    { role: 'user', content: [{ type: 'text', text: 'Well?' }] },
  ],
};

/** The models of the laws that can be shown a picture. */
const seeing = models.filter((model) => profileOf(model).media.image.result !== 'words');

test.each(seeing)('%s: a picture is back between the words of its result', async (model) => {
  const { body } = await writeWhole({ transcript: twoCalls, model });
  const { transcript } = read(model, body);
  const [result, other] = transcript.messages.filter((message) => message.role === 'tool');
  const inside = profileOf(model).media.image.result === 'inside' && profileOf(model).interleaved;
  expect(result).toMatchObject({
    callId: 'a',
    name: 'shot',
    content: [{ text: 'before' }, { type: 'image', ...(!inside && { name: 'login.png' }) }, { text: 'after' }],
  });
  expect(other).toMatchObject({ callId: 'b', isError: true, content: [{ text: 'Error: no window' }] });
  expect(transcript.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  expect(transcript.system).toBe('You see.');
  expect(transcript.tools).toEqual(twoCalls.tools);
});

/** What a request does not say, and what is read in its place. */
const unsaidContent: [string, string, Block[], object[]][] = [
  ['where one text ends and the next begins', 'openai-chat/gpt-4.1', [words('a'), words('b')], [{ text: 'a\nb' }]],
  ['that a result was empty', 'openai/gpt-5.4', [], [{ text: 'Tool completed successfully (no output).' }]],
  [
    'what was done to a picture, but in words before it',
    'anthropic/claude-sonnet-4-5',
    [{ ...picture, origin: { source: 'x', made: 'shown at half its size' } }],
    [{ text: '[image "login.png" 64×48, shown at half its size]' }, { type: 'image' }],
  ],
  [
    'a medium that the model cannot take, but in words',
    'ollama/llama3.1',
    [{ ...picture, fallback: 'a red door' }],
    [{ text: expect.stringMatching(/^\[image "login.png" 64×48, asset .*, not shown.*\]\na red door$/s) as string }],
  ],
];

test.each(unsaidContent)('a request does not say %s (%s)', async (_what, model, content, expected) => {
  const messages = twoCalls.messages.map((message) =>
    message.role === 'tool' && message.callId === 'a' ? { ...message, content } : message,
  );
  const { body } = await writeWhole({ transcript: { ...twoCalls, messages }, model });
  const result = read(model, body).transcript.messages.find(({ role }) => role === 'tool');
  expect(result?.content).toMatchObject(expected);
  expect(result?.content).toHaveLength(expected.length);
});

const options: RequestOptions[] = [
  { maxTokens: 4000, temperature: 0.5 },
  { toolChoice: 'required' },
  { toolChoice: { tool: 'shot' } },
  { thinking: 'off' },
  { thinking: 'low', maxTokens: 30_000 },
  { thinking: 'high', maxTokens: 90_000 },
  { output: { name: 'o', schema: { type: 'object', properties: { a: { type: 'string' } } } } },
];

describe.each(onePerWire)('%s', (model) => {
  test.each(options)('the options %o are read back as far as they were sent', async (asked) => {
    const { body, plan } = await writeWhole({ transcript: twoCalls, model, options: asked });
    const { thinkingTokens: _, ...sent } = plan.options;
    const { options: back, extra } = read(model, body);
    expect(back).toEqual({ ...sent, ...unsaid(model, body, sent) });
    expect(Object.keys(extra).filter((key) => !ours.has(key))).toEqual([]);
  });

  test('what is no request of the wire is refused in words', () => {
    for (const body of [undefined, null, 'text', 7, [], {}, { messages: 'no', contents: 'no', input: 7 }]) {
      const accepted = wires[profileOf(model).wire].accept(body);
      expect(accepted).toMatchObject({
        ok: false,
        refusal: { what: expect.stringContaining('no request of') as string },
      });
    }
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level++) deep = { deep };
    expect(wires[profileOf(model).wire].accept({ messages: [deep], contents: [deep], input: [deep] }).ok).toBe(false);
  });
});

/** What a wire says of an option only in part. */
function unsaid(model: string, body: Record<string, unknown>, sent: RequestOptions): RequestOptions {
  const { wire } = profileOf(model);
  const named = wire === 'openai-chat' || wire === 'openai-responses' || wire === 'bedrock-converse'; // the others have no name for a schema
  const { schema } = sent.output ?? {};
  const isOn = sent.thinking !== undefined && sent.thinking !== 'off';
  return {
    ...(schema && !named && { output: { schema } }),
    ...(wire === 'anthropic-messages' && { maxTokens: Number(body['max_tokens']) }), // it wants one in every request
    ...(wire === 'ollama' && isOn && { thinking: 'high' }), // this model knows only on and off
  };
}

/** Fields that we write into every request of a wire and that are no option. */
const ours = new Set(['include', 'prompt_cache_key', 'options', 'generationConfig', 'reasoning', 'cache_control']);
