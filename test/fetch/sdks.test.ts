// The real SDKs as they are, against a server that speaks every wire, without the wrapper and with it. Whether a body is
// right is for judges nobody here wrote; whether a medium arrived is for whoever reads the request on the other side.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { isMedia } from '../../src/content/block.ts';
import { parseDataUri } from '../../src/content/base64.ts';
import { mediaLead } from '../../src/content/words.ts';
import type { BlockInput } from '../../src/content/input.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedRequest } from '../../src/model/script/index.ts';
import { base64InText, schemaErrors } from '../judge/judge.ts';
import { asOpenai } from '../judge/mistral.ts';
import { agentSdks, aiSdks, sdks, toolName, vendorSdks } from './sdks.ts';
import type { Part, Sdk } from './sdks.ts';

const file = (name: string): string => readFileSync(`examples/${name}`).toString('base64');
const chart: Part = { data: file('chart.png'), mediaType: 'image/png', name: 'chart.png' };
const report: Part = { data: file('report.pdf'), mediaType: 'application/pdf', name: 'report.pdf' };
/** Another document with the same words. */
const copy: Part = {
  data: Buffer.concat([readFileSync('examples/report.pdf'), Buffer.from('% a copy\n')]).toString('base64'),
  mediaType: 'application/pdf',
  name: 'copy.pdf',
};
let other: Part;

const answer = 'Sales rose. 😀';

beforeAll(async () => {
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  other = { data: bytes.toString('base64'), mediaType: 'image/png', name: 'other.png' };
});

/** Runs an SDK and gives the last request that it made. */
async function lastRequest(
  sdk: Sdk,
  returns: Part[][],
  wrapped: boolean,
  more: { stream?: boolean } = {},
): Promise<ScriptedRequest & { said: string }> {
  const asking = { calls: returns.map(() => ({ name: toolName, input: { quarter: 'Q3' } })) };
  await using server = await scriptedServer(script([asking, { text: answer }]));
  const model = sdk.name.includes('Mistral') ? { model: 'mistral/pixtral-large-latest' } : {};
  const said = await sdk.run({
    url: server.url,
    returns: (call) => returns[call] ?? [],
    ...(wrapped && { fetch: sightlineFetch(model) }),
    ...more,
  });
  const request = server.requests.at(-1);
  if (!request) throw new Error('No request was made.');
  return { ...request, body: sdk.name.includes('Mistral') ? asOpenai(request.body) : request.body, said };
}

/** What an SDK writes on its own, outside the results, and the judges do not know. */
const ownManner = /unknown field "(?:name|annotations)"|\/tools\/\d/;

async function errors(sdk: Sdk, body: unknown): Promise<string[]> {
  return (await schemaErrors(sdk.wire, body)).filter((error) => !ownManner.test(error));
}

type Verdict =
  | 'arrives'
  | 'lost in the SDK'
  | 'base64 as text'
  | 'refused by the API'
  | 'sent twice'
  | 'apart from its result';

function shownIn(content: unknown): string[] {
  return (content as BlockInput[]).flatMap((block) =>
    isMedia(block) && 'data' in block && typeof block.data === 'string'
      ? [parseDataUri(block.data)?.data ?? block.data]
      : [],
  );
}

/** What becomes of the media of each call. A PDF may arrive as its pages where the API takes none. */
async function verdictOf(sdk: Sdk, request: ScriptedRequest, returns: Part[][]): Promise<Verdict> {
  const text = JSON.stringify(request.body);
  const media = returns.flatMap((parts) => parts.flatMap((part) => ('data' in part ? [part.data] : [])));
  const tools = (request.transcript?.messages ?? []).filter(({ role }) => role === 'tool');
  const paged = text.includes('as page pictures');
  const everywhere = (request.transcript?.messages ?? []).flatMap(({ content }) => shownIn(content));
  const papers = new Set([report, copy].map((part) => ('data' in part ? part.data : '')));
  const pageless = media.filter((data) => !(paged && papers.has(data)));
  if (pageless.some((data) => !text.includes(data))) return 'lost in the SDK';
  if (pageless.some((data) => !everywhere.includes(data)) || base64InText(sdk.wire, request.body).length > 0)
    return 'base64 as text';
  if (everywhere.length > media.length) return 'sent twice';
  const owned = returns.every((parts, call) => {
    const shown = shownIn(tools[call]?.content ?? []);
    return parts.every(
      (part) => !('data' in part) || shown.includes(part.data) || (paged && papers.has(part.data) && shown.length > 1),
    );
  });
  // Where calls have no ids, or a few words of the assistant stand between, the labels tell whose the media are.
  const labelled =
    text.includes(mediaLead) &&
    pageless.every((data, at) => everywhere.filter((one) => pageless.includes(one))[at] === data);
  if (!owned && !labelled) return 'apart from its result';
  return (await errors(sdk, request.body)).length > 0 ? 'refused by the API' : 'arrives';
}

/** What these SDKs drop before any request is made: nobody can bring it back. */
const dropped = new Set(['LangChain, OpenAI Chat, contentBlocks', 'OpenAI Agents, Chat']);
const words: Part = { text: 'The report:' };
const table: string[][] = [];

test.each(sdks)('$name: words, a picture and a PDF reach the model in the result of their call', async (sdk) => {
  const returns = [[words, chart, report]];
  const plain = await lastRequest(sdk, returns, false);
  const before = await verdictOf(sdk, plain, returns);
  const request = await lastRequest(sdk, returns, true);
  const after = await verdictOf(sdk, request, returns);
  table.push([sdk.name, before, after]);
  expect(request.said).toBe(answer);
  expect(after).toBe(dropped.has(sdk.name) ? 'lost in the SDK' : 'arrives');
  if (before === 'arrives') expect(request.body).toEqual(plain.body); // an SDK that does well is left alone
});

function cells(row: string): string[] {
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
}

test('the table in the documents says what these SDKs do', () => {
  const page = readFileSync('docs/fetch.md', 'utf8');
  const rows = page
    .split('\n')
    .map(cells)
    .filter(([name]) => sdks.some((sdk) => sdk.name === name));
  expect(rows).toEqual(table);
});

const shapes: [string, Part[][] | (() => Part[][])][] = [
  ['media alone', [[chart]]],
  ['words, a picture, words', [[words, chart, { text: 'And that is all.' }]]],
  [
    'two calls of one tool',
    () => [
      [words, chart],
      [{ text: 'Another:' }, other],
    ],
  ],
  [
    'two calls that return media alone',
    () => [
      [chart, report],
      [other, copy],
    ],
  ],
];

const judged = [...aiSdks, ...vendorSdks, ...agentSdks.slice(1)];

test.each(shapes.flatMap(([what, shape]) => judged.map((sdk) => ({ what, shape, sdk, name: sdk.name }))))(
  '$name: $what',
  async ({ shape, sdk }) => {
    const returns = typeof shape === 'function' ? shape() : shape;
    const request = await lastRequest(sdk, returns, true);
    expect(await errors(sdk, request.body)).toEqual([]);
    expect(await verdictOf(sdk, request, returns)).toBe('arrives');
    expect(request.said).toBe(answer);
  },
);

test.each(sdks.filter(({ name }) => /AI SDK|LangChain.*content$|Agents|anthropic-ai/.test(name)))(
  '$name: a streamed answer arrives unchanged',
  async (sdk) => {
    const { said, stream } = await lastRequest(sdk, [[words, chart]], true, { stream: true });
    expect(stream).toBe(true);
    expect(said).toBe(answer);
  },
);

test('a PDF that was declared to be a picture arrives as a PDF', async () => {
  const wrong: Part = { ...report, mediaType: 'image/png', name: 'wrong.png' };
  for (const sdk of aiSdks.slice(0, 4)) {
    const request = await lastRequest(sdk, [[words, wrong]], true);
    expect(await errors(sdk, request.body)).toEqual([]);
    expect(JSON.stringify(request.body)).toMatch(/application\/pdf/);
  }
});

test('an Office file arrives as its text where the API takes none', async () => {
  const [chat] = aiSdks;
  const rtf = Buffer.from(
    String.raw`{\rtf1\ansi The turnover was 42 million, which is a good deal more than before.}`,
  ).toString('base64');
  const request = await lastRequest(
    chat as Sdk,
    [[words, { data: rtf, mediaType: 'application/rtf', name: 'a.rtf' }]],
    true,
  );
  expect(JSON.stringify(request.body)).toContain('The turnover was 42 million, ');
  expect(base64InText('openai-chat', request.body)).toEqual([]);
});
