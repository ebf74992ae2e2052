// From files to requests: the real media stage, the real planner, the real wires.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/asset/store.ts';
import { document, image, text } from '../../src/content/input.ts';
import type { MessageInput, TranscriptInput } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { Prepared } from '../../src/model/prepared.ts';
import { wires } from '../../src/wire/registry.ts';
import { invokeTools } from '../../src/toolbox/invoke.ts';
import { defineTool } from '../../src/tool/tool.ts';
import { base64InText, schemaErrors } from '../judge/judge.ts';
import { models, onePerWire } from '../laws/models.ts';
import { moved } from '../laws/prefix.ts';
import { mediaIn, read, words } from '../laws/reading.ts';
import { archive } from '../media/archive.ts';

const pdf = new TextEncoder().encode(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 144]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 44>>stream
BT /F1 24 Tf 50 80 Td (Quarterly sales) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>`);

let folder = '';
let png: Uint8Array = new Uint8Array();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'prepare-'));
  png = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  writeFileSync(join(folder, 'red.png'), png);
  writeFileSync(join(folder, 'sales.pdf'), pdf);
  writeFileSync(join(folder, 'broken.png'), png.subarray(0, 30));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = (id: string, name: string) => ({ type: 'call', id, name, input: {} }) as const;

function conversation(): TranscriptInput {
  return {
    system: 'You see.',
    messages: [
      { role: 'user', content: ['What is this?', image({ path: 'red.png' })] },
      { role: 'assistant', model: 'a/b', content: [call('c1', 'shot'), call('c2', 'report')] },
      { role: 'tool', callId: 'c1', name: 'shot', content: [text('a chart'), image(png, { name: 'chart.png' })] },
      { role: 'tool', callId: 'c2', name: 'report', content: document({ path: 'sales.pdf' }) },
    ],
  };
}

const inFolder = (): { base: string; assets: AssetStore } => ({ base: folder, assets: memoryAssets() });

async function streamed(request: Prepared): Promise<Uint8Array> {
  return new Uint8Array(await new Response(request.stream()).arrayBuffer());
}

/** How many pictures and documents stand in a body, wherever they stand. */
function mediaSeen(request: Prepared, body: object): number {
  const parts = reading(request, body).flatMap((entry) => {
    if (entry.role === 'results') return entry.results.flatMap((result) => result.parts);
    return entry.role === 'user' ? entry.parts : [];
  });
  return mediaIn(parts).length;
}

/** What follows the results of every turn. */
function after(request: Prepared): unknown[] {
  return request.plan.items.flatMap((item) => (item.role === 'batch' ? item.after : []));
}

function reading(request: Prepared, body: object): ReturnType<typeof read> {
  return read(request.wire, body as { [key: string]: unknown });
}

describe.each(models)('%s', (model) => {
  test("gets pictures and PDFs from files, the same as JSON, as a stream and in every judge's eyes", async () => {
    const request = await prepare(conversation(), { model, ...inFolder() });
    const body = await request.json();
    const bytes = await streamed(request);
    expect(new TextDecoder().decode(bytes)).toBe(JSON.stringify(body));
    expect(request.contentLength).toBe(bytes.length);
    expect(await schemaErrors(request.wire, body)).toEqual([]);
    expect(base64InText(request.wire, body)).toEqual([]);
    expect(request.troubles).toEqual([]);
    const seen = JSON.stringify(await request.outline());
    expect(seen).toContain('a chart');
    const sees = request.plan.profile.media.image.types.length > 0;
    expect(mediaSeen(request, await request.outline())).toBe(sees ? 3 : 0);
    if (!sees) expect(seen).toContain('Quarterly sales');
  });

  test('gets words for what is broken, and the caller is told', async () => {
    const messages: MessageInput[] = [
      {
        role: 'user',
        content: [
          'See:',
          image({ path: 'broken.png' }),
          image({ path: 'missing.png' }),
          image({ data: 'not base64!' }),
        ],
      },
    ];
    const request = await prepare({ messages }, { model, ...inFolder() });
    expect(request.troubles.map(({ block }) => block)).toEqual([1, 2, 3]);
    const receipts = request.receipts.filter(({ action }) => action === 'words');
    expect(receipts.map(({ subject }) => subject)).toEqual([
      '"broken.png" in messages[0].content[1]',
      '"missing.png" in messages[0].content[2]',
      'messages[0].content[3]',
    ]);
    const body = await request.outline();
    expect(await schemaErrors(request.wire, body)).toEqual([]);
    const told = reading(request, body)
      .flatMap((entry) => (entry.role === 'user' ? [words(entry.parts)] : []))
      .join('\n');
    expect(told).toContain('broken.png');
    expect(told).toContain('missing.png');
    expect(told).not.toContain(folder);
  });

  test('gets the words of a tool that failed, flagged', async () => {
    const failing = defineTool({
      name: 'fails',
      description: '',
      input: { type: 'object', properties: {} },
      run: () => {
        throw new Error('the disk is full');
      },
    });
    const asked = { role: 'assistant' as const, model: 'a/b', content: [call('c1', 'fails'), call('c2', 'nobody')] };
    const results = await invokeTools(asked, { tools: [failing] });
    const request = await prepare(
      { tools: [failing], messages: [{ role: 'user', content: 'Go.' }, asked, ...results] },
      { model, ...inFolder() },
    );
    const body = await request.json();
    const answers = reading(request, body).flatMap((entry) => (entry.role === 'results' ? entry.results : []));
    expect(answers.map(({ id, isError }) => [id, isError])).toEqual([
      ['c1', true],
      ['c2', true],
    ]);
    expect(answers[0]?.text).toContain('the disk is full');
    expect(answers[1]?.text).toContain('nobody');
    const flag = { 'anthropic-messages': '"is_error":true', gemini: '"response":{"error":', 'bedrock-converse': '"status":"error"' }; // prettier-ignore
    if (request.wire in flag) expect(JSON.stringify(body)).toContain(flag[request.wire as keyof typeof flag]);
    else for (const { text: said } of answers) expect(said).toMatch(/^Error:/);
  });

  test('gets the same twice, and after another model', async () => {
    const options = inFolder();
    const given = conversation();
    const first = JSON.stringify(await (await prepare(given, { model, ...options })).json());
    const other = await prepare(given, { model: model === models[0] ? models[1] : models[0], ...options });
    await other.json();
    expect(JSON.stringify(await (await prepare(given, { model, ...options })).json())).toBe(first);
    expect(given).toEqual(conversation());
  });

  test('with its ledger only appends', async () => {
    const options = inFolder();
    const given = conversation();
    const first = await prepare(given, { model, ...options });
    const ledger = JSON.parse(JSON.stringify(first.ledger));
    const more: MessageInput[] = [
      { role: 'assistant', model: 'a/b', content: 'Red.' },
      { role: 'user', content: ['And this?', image({ path: 'red.png' })] },
    ];
    const second = await prepare({ ...given, messages: [...given.messages, ...more] }, { model, ...options, ledger });
    expect(moved({ ...(await first.json()) }, { ...(await second.json()) })).toEqual([]);
    expect(second.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
  });

  test('gets a placeholder for an asset that is gone, and goes on', async () => {
    const kept: TranscriptInput = { messages: await checked(inFolder()) };
    const request = await prepare(kept, { model, base: folder, assets: memoryAssets() });
    const body = JSON.stringify(await request.json());
    expect(body).toContain('no longer stored');
    expect(body).toContain('chart.png');
  });

  test('goes on when an asset is gone that was already sent', async () => {
    const options = inFolder();
    const messages = await checked(options);
    const first = await prepare({ messages }, { model, ...options });
    await first.json();
    const more: MessageInput[] = [
      ...messages,
      { role: 'assistant', model: 'a/b', content: 'Red.' },
      { role: 'user', content: 'And?' },
    ];
    const second = await prepare(
      { messages: more },
      { model, base: folder, assets: memoryAssets(), ledger: first.ledger },
    );
    const body = JSON.stringify(await second.json());
    expect(body).toContain('chart.png');
    expect(second.contentLength).toBe((await streamed(second)).length);
  });
});

/** The conversation with its media already checked, as a session would have kept it. */
async function checked(options: { base: string; assets: AssetStore }): Promise<MessageInput[]> {
  const asked = { role: 'assistant' as const, model: 'a/b', content: [call('c1', 'shot'), call('c2', 'report')] };
  const shot = defineTool({
    name: 'shot',
    description: '',
    input: { type: 'object' },
    run: () => [text('a chart'), image(png, { name: 'chart.png' })],
  });
  const report = defineTool({
    name: 'report',
    description: '',
    input: { type: 'object' },
    run: () => document(pdf, { name: 'sales.pdf' }),
  });
  return [
    { role: 'user', content: 'Go.' },
    asked,
    ...(await invokeTools(asked, { tools: [shot, report], assets: options.assets })),
  ];
}

/** Base64 of things that no text holds: a picture, and an archive that can be shown to nobody. */
const runs: [string, () => string][] = [
  ['a picture', () => Buffer.from(png).toString('base64')],
  ['an archive', () => archive({ 'notes.bin': randomBytes(15_000) }).toString('base64')],
];

function turn(result: MessageInput & { role: 'tool' }, said = 'Yes.'): TranscriptInput {
  const asked: MessageInput = { role: 'assistant', model: 'a/b', content: [text(said), call('c1', 'shot')] };
  return { messages: [{ role: 'user', content: 'Go.' }, asked, result] };
}

const answer = { role: 'tool', callId: 'c1', name: 'shot', content: 'Done.' } as const;

describe.each(runs)('no text of a body has the base64 of %s', (_what, made) => {
  test.each<[string, (run: string) => TranscriptInput]>([
    ['a user', (run) => ({ messages: [{ role: 'user', content: `look ${run} here` }] })],
    ['a tool', (run) => turn({ ...answer, content: [text('one'), text(run)] })],
    ['a failed tool', (run) => turn({ ...answer, content: `Error: ${run}`, isError: true })],
    ['the author of a medium', (run) => turn({ ...answer, content: image(png, { name: 'chart.png', fallback: run }) })],
    ['the model', (run) => turn(answer, `I said ${run}.`)],
  ])('from %s', async (_who, given) => {
    for (const model of models) {
      const request = await prepare(given(made()), { model, ...inFolder() });
      expect(base64InText(request.wire, await request.json())).toEqual([]);
    }
  });
});

describe('what a request knows about itself', () => {
  test.each([
    ['anthropic/claude-sonnet-4-5', 'https://api.anthropic.com/v1/messages'],
    ['openai/gpt-5.2', 'https://api.openai.com/v1/responses'],
    ['openai-chat/gpt-4.1', 'https://api.openai.com/v1/chat/completions'],
    [
      'gemini/gemini-3-pro-preview',
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro-preview:generateContent',
    ],
    ['google/gemini-2.5-pro', 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent'],
    ['ollama/qwen3-vl', 'http://localhost:11434/api/chat'],
    ['openrouter/openai/gpt-4o', 'https://openrouter.ai/api/v1/chat/completions'],
  ])('%s goes to %s, without a key', async (model, url) => {
    const request = await prepare({ messages: [{ role: 'user', content: 'Hi.' }] }, { model });
    expect(request.url).toBe(url);
    expect(Object.keys(request.headers).join()).not.toMatch(/key|authorization/i);
    expect(request.headers['content-type']).toBe('application/json');
  });

  test("a base URL replaces the vendor's", async () => {
    const request = await prepare(
      { messages: [{ role: 'user', content: 'Hi.' }] },
      { model: 'azure/x', baseUrl: 'https://me.openai.azure.com/openai/v1/' },
    );
    expect(request.url).toBe('https://me.openai.azure.com/openai/v1/responses');
  });

  test("only Gemini's and Amazon's SDKs take another shape than the REST body", async () => {
    for (const model of onePerWire) {
      const request = await prepare(conversation(), { model, maxTokens: 100, thinking: 'low', ...inFolder() });
      const [sdk, json] = [await request.sdk(), await request.json()];
      if (request.wire === 'bedrock-converse') expect(sdk).toMatchObject({ modelId: request.plan.profile.id });
      else if (request.wire !== 'gemini') expect(sdk).toEqual(json);
      else {
        expect(sdk).toMatchObject({
          model: 'gemini-3-pro-preview',
          config: { maxOutputTokens: 100, systemInstruction: { parts: [{ text: 'You see.' }] } },
        });
        expect(Object.keys(sdk).toSorted()).toEqual(['config', 'contents', 'model']);
      }
    }
  });

  test.each([
    ['gemini/gemini-3-pro-preview', 'MEDIA_RESOLUTION_LOW'],
    ['gemini/gemini-2.5-pro', undefined],
  ])('%s, asked to look less closely at everything, is told %s and counted so', async (model, resolution) => {
    const prepared = (imageDetail: 'low' | 'high'): Promise<Prepared> =>
      prepare(conversation(), { model, profile: { imageDetail }, ...inFolder() });
    const [low, high] = [await prepared('low'), await prepared('high')];
    const body = await low.json();
    expect(await schemaErrors(low.wire, body)).toEqual([]);
    expect(body).toMatchObject(resolution ? { generationConfig: { mediaResolution: resolution } } : {});
    expect(JSON.stringify(await high.json())).not.toContain('mediaResolution');
    const saved = high.totals.used.tokens - low.totals.used.tokens;
    expect(saved).toBe(resolution ? 2 * (1120 - 280) + (560 - 280) : 0); // two pictures, one page
  });

  test.each(onePerWire)(
    '%s: words of the program open what follows the results, and every medium keeps its label',
    async (model) => {
      const lead = 'Here is the visual result from the previous action:';
      const capabilities = { toolMedia: false };
      const asked = (mediaLead?: string) => ({ model, profile: { capabilities, ...(mediaLead && { mediaLead }) } });
      const here = inFolder();
      const plain = await prepare(conversation(), { ...asked(), ...here });
      const worded = await prepare(conversation(), { ...asked(lead), ...here });
      const [first, ...rest] = after(plain);
      expect(after(worded)).toEqual(first ? [first, { type: 'text', text: lead }, ...rest] : []);
      if (model.startsWith('openai-chat/')) expect(rest).not.toEqual([]);

      const body = await worded.json();
      expect(await schemaErrors(worded.wire, body)).toEqual([]);
      const told = wires[worded.wire].accept(body, { endpoint: 'there', model: 'm' });
      const heard = told.ok ? told.value.transcript.messages : [];
      const given = heard.find((message) => message.role === 'tool' && message.callId === 'c1');
      if (first) expect(given?.content).toContainEqual(expect.objectContaining({ type: 'image' }));

      const again = { ledger: worded.ledger, ...here };
      const [same, other] = await Promise.all(
        [lead, 'Look:'].map((own) => prepare(conversation(), { ...asked(own), ...again })),
      );
      expect(same?.receipts.some(({ action }) => action === 'checkpoint')).toBe(false);
      expect(other?.receipts).toContainEqual(
        expect.objectContaining({ action: 'checkpoint', subject: 'model-changed' }),
      );
    },
  );

  test('a name that means nothing throws before any work is done', async () => {
    await expect(prepare(conversation(), { model: 'gpt-4.1' })).rejects.toThrow('Did you mean openai/gpt-4.1?');
  });

  test('an aborted signal stops it', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(prepare(conversation(), { model: 'ollama/llama3.1', signal, ...inFolder() })).rejects.toThrow(
      'enough',
    );
  });
});
