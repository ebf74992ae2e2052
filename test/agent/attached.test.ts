// What the model chooses to go with its answer: named in a run, on a page and in an export, and never sent again.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { AgentOptions, RunResult } from '../../src/agent/options.ts';
import { runAgent } from '../../src/agent/run.ts';
import { toUIMessageStream } from '../../src/agent/ui/index.ts';
import { isMedia, textIn } from '../../src/content/block.ts';
import { image } from '../../src/content/input.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { attachedTo } from '../../src/message/attached.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { Answer } from '../../src/model/script/index.ts';
import { exportSession } from '../../src/session/export/export.ts';
import { memorySessions } from '../../src/session/index.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { shippedTools } from '../../src/toolbox/shipped.ts';
import { quarters } from '../media/make.ts';

const model = 'anthropic/claude-sonnet-4-5';
const zip = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(50)]);
const pngs = await Promise.all(
  Array.from({ length: 8 }, (_, at) =>
    quarters(40 + at, 30)
      .png()
      .toBuffer(),
  ),
);
const draw = defineTool({
  name: 'draw',
  description: 'Draws so many pictures, and a zip file.',
  input: { type: 'object', properties: { pictures: { type: 'integer' } } },
  run: ({ pictures = 1 }) => ({
    content: Array.from({ length: pictures }, (_, at) => image(pngs[at] ?? zip, { name: `chart-${at + 1}.png` })),
    file: zip,
  }),
});
const shipped = shippedTools({ roots: [], off: ['browser', 'screen', 'web', 'read'] });
const tools = [draw, ...shipped.tools];

const drawn = (pictures: number): Answer => ({ calls: [{ name: 'draw', id: 'd1', input: { pictures } }] });

/** What tools gave so far, in order. */
let given: string[] = [];

/** Asks for those of these numbers, counted from 1, each list in a call of its own; what nobody gave has another's name. */
const chooses =
  (...lists: number[][]) =>
  (): Answer => ({
    calls: lists.map((list, at) => ({
      name: 'attach_to_response',
      id: `a${at}`,
      input: { assets: list.map((one) => given[one - 1] ?? 'ffffffff') },
    })),
  });

function noteGiven({ result: { content, kept = [] } }: Extract<AgentEvent, { type: 'call-end' }>): void {
  const assets = [...content.filter(isMedia).map(({ asset }) => asset), ...kept];
  given.push(...assets.map(({ id }) => id.slice(7, 19)));
}

type Ran = { result: RunResult; events: AgentEvent[]; bodies: string[] };

async function go(steps: Parameters<typeof script>[0], options: Partial<AgentOptions> = {}): Promise<Ran> {
  const send = scriptedSend(script(steps));
  const events: AgentEvent[] = [];
  const assets = options.session ? {} : { assets: memoryAssets() };
  const run = runAgent({ model, prompt: 'Draw.', tools, send, ...assets, ...options });
  given = [];
  for await (const event of run) {
    events.push(event);
    if (event.type === 'call-end') noteGiven(event);
  }
  return { result: await run, events, bodies: send.requests.map(({ body }) => JSON.stringify(body)) };
}

const names = ({ attachments }: Pick<RunResult, 'attachments'>): unknown[] =>
  attachments.map(({ type, asset }) => (type === 'file' ? asset.mediaType : asset.name));

const results = ({ messages }: Pick<RunResult, 'messages'>): string[] =>
  messages.flatMap((message) =>
    message.role === 'tool' && message.name === 'attach_to_response' ? [textIn(message.content)] : [],
  );

test('what the model chooses goes with its answer, a file like a picture, and is not sent again', async () => {
  const { result, events, bodies } = await go([drawn(2), chooses([2, 3]), { text: 'Here.' }]);
  expect(result.text).toBe('Here.');
  expect(names(result)).toEqual(['chart-2.png', 'application/octet-stream']);
  expect(events.at(-1)).toMatchObject({ type: 'run-end', attachments: result.attachments });
  expect(results(result)).toEqual([
    expect.stringMatching(
      /^With your answer goes: image "chart-2\.png" 41×30 \(asset \w{8}\), application\/octet-stream.*\.$/,
    ),
  ]);
  expect(bodies.map((body) => body.split('"type":"image"').length - 1)).toEqual([0, 2, 2]);
  expect(attachedTo(result.messages)).toEqual(result.attachments);
});

test('nothing goes with an answer unless it was chosen, and what another conversation holds is refused', async () => {
  expect((await go([drawn(1), { text: 'Here.' }])).result.attachments).toEqual([]);
  const { result } = await go([drawn(1), chooses([9]), { text: 'Sorry.' }]);
  expect(result.attachments).toEqual([]);
  expect(results(result)).toEqual([
    expect.stringMatching(/^This conversation has no asset ffffffff\. Call list_assets/),
  ]);
});

test('six go with one answer, also in several calls of one turn', async () => {
  const { result } = await go([drawn(7), chooses([1, 2, 3, 4], [4, 5, 6], [7]), chooses([1]), { text: 'Here.' }]);
  expect(names(result)).toEqual([1, 2, 3, 4, 5, 6].map((at) => `chart-${at}.png`));
  expect(results(result)[2]).toMatch(/^That would be too many: .* \(limit: 6 with one answer\)/);
  const more = await go([drawn(8), chooses([1, 2, 3, 4, 5, 6, 7]), { text: 'Sorry.' }]);
  expect(results(more.result)[0]).toMatch(/^The arguments do not fit tool "attach_to_response"/);
});

test('each answer of a session has its own, in every export, and a run that goes on has those of its turn', async () => {
  await using store = memorySessions();
  const session = await store.create();
  await go([drawn(2), chooses([1]), { text: 'One.' }], { session });
  const stopped = await go([drawn(2), chooses([2]), { text: 'No.' }], { session, maxSteps: 2 });
  expect(names(stopped.result)).toEqual(['chart-2.png']);
  const goneOn = await go([{ text: 'Two.' }], {
    session,
    resume: true,
    prompt: undefined,
  } as unknown as Partial<AgentOptions>);
  expect([goneOn.result.text, names(goneOn.result)]).toEqual(['Two.', ['chart-2.png']]);
  expect((await go([{ text: 'Three.' }], { session })).result.attachments).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'sightline-attached-'));
  await exportSession(session, join(folder, 'it.html'));
  await exportSession(session, join(folder, 'it.md'));
  const page = readFileSync(join(folder, 'it.html'), 'utf8');
  expect(page).toMatch(/One\.<\/p>\s*<figure/);
  expect(page).toMatch(/Two\.<\/p>\s*<figure/);
  expect(page).not.toMatch(/Three\.<\/p>\s*<figure/);
  const markdown = readFileSync(join(folder, 'it.md'), 'utf8');
  expect(markdown).toMatch(/One\.\n\n!\[image "chart-1/);
});

const asksAbout = (): Answer => ({ calls: [{ name: 'list_assets', id: 'l1', input: { asset: given[0] } }] });

test('of each asset the model can learn which call it came from', async () => {
  const { result } = await go([drawn(1), asksAbout, { text: 'Here.' }]);
  const told = result.messages.find((message) => message.role === 'tool' && message.callId === 'l1');
  expect(textIn(told?.content ?? [])).toContain('\ncame from: tool draw, call d1 {"pictures":1}\n');
});

test('a page of the AI SDK gets them as files', async () => {
  const send = scriptedSend(script([drawn(1), () => chooses([1, 2])(), { text: 'Here.' }]));
  given = [];
  const run = runAgent({ model, prompt: 'Draw.', tools, send, assets: memoryAssets() });
  async function* watched(): AsyncGenerator<AgentEvent> {
    for await (const event of run) {
      if (event.type === 'call-end') noteGiven(event);
      yield event;
    }
  }
  const chunks = [];
  for await (const chunk of toUIMessageStream(watched(), { mediaUrl: ({ id }) => `/m/${id.slice(7, 15)}` }))
    chunks.push(chunk);
  expect(chunks.filter(({ type }) => type === 'file')).toEqual([
    { type: 'file', url: `/m/${given[0]?.slice(0, 8)}`, mediaType: 'image/png' },
    { type: 'file', url: `/m/${given[1]?.slice(0, 8)}`, mediaType: 'application/octet-stream' },
  ]);
});
