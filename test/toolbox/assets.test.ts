// The asset tools as a model calls them, in a conversation with real results in it.
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { shortId } from '../../src/content/words.ts';
import { defineTool } from '../../src/index.ts';
import type { Tool } from '../../src/index.ts';
import { prepare } from '../../src/model/prepare.ts';
import { listAssetsTool } from '../../src/toolbox/assets/list.ts';
import { queryJsonTool } from '../../src/toolbox/assets/json.ts';
import { readAssetTextTool } from '../../src/toolbox/assets/text.ts';
import { viewAssetTool } from '../../src/toolbox/assets/view.ts';
import { line, pptx, shape } from '../media/archive.ts';
import { pdfSaying, quarters } from '../media/make.ts';
import { writing } from '../media/writing.ts';
import { caller, pictures, words } from './caller.ts';
import type { Caller } from './caller.ts';

const wide = await quarters(4000, 2000).png().toBuffer();
const rows = Array.from({ length: 4000 }, (_, id) => ({
  id,
  name: `row ${id}`,
  price: id / 10,
  tags: { colour: id % 2 ? 'red' : 'Blue' },
}));
const log = Array.from({ length: 5000 }, (_, at) => `${at % 100 === 0 ? 'ERROR' : 'info'} line ${at + 1}`).join('\n');

const values: Record<string, unknown> = {
  wide: { content: ['A chart', { type: 'image', data: wide, name: 'chart.png' }] },
  note: await writing({ px: 9, width: 500, height: 300 }).png().toBuffer(),
  small: await quarters(200, 100).png().toBuffer(),
  paper: { type: 'document', data: pdfSaying('alpha', 'beta', 'gamma'), name: 'paper.pdf' },
  part: { type: 'document', data: pdfSaying('alpha', 'beta', 'gamma'), name: 'paper.pdf', range: [1, 2] },
  deck: {
    type: 'document',
    data: pptx(['one', 'two'].map((title) => ({ shapes: shape(line(title)) }))),
    name: 'a.pptx',
  },
  flood: await Promise.all(
    Array.from({ length: 101 }, (_, at) =>
      quarters(30 + at, 30)
        .png()
        .toBuffer(),
    ),
  ),
  rows: { rows },
  log,
  zip: { file: Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(50)]) },
  line: `${'word '.repeat(30_000)}needle`,
  sales: {
    type: 'document',
    data: Buffer.from(
      `city,price,zip\n${Array.from({ length: 20_000 }, (_, at) => `${at % 2 ? 'Rome' : 'Oslo'},${at % 10},0${at % 7}`).join('\n')}`,
    ),
    name: 'sales.csv',
  },
};

const give = defineTool({
  name: 'give',
  description: 'gives a value',
  input: { type: 'object' },
  run: (input) => values[String(input['what'])],
});

function assetTools(conversation: () => Caller['conversation']): Tool[] {
  const options = { conversation };
  return [give, viewAssetTool(options), listAssetsTool(options), readAssetTextTool(options), queryJsonTool(options)];
}

/** A conversation that has seen these, and the names of their assets. */
async function after(...seen: string[]): Promise<Caller & { names: string[] }> {
  const talk = caller(assetTools);
  const names: string[] = [];
  for (const what of seen) {
    const { content, kept } = await talk.call('give', { what });
    const block = content.find((item) => 'asset' in item);
    const asset = block && 'asset' in block ? block.asset : kept?.[0];
    if (asset) names.push(shortId(asset.id));
  }
  return { ...talk, names };
}

const conversations = new Map<string, ReturnType<typeof after>>();

/** The same conversation for all tests that only look. */
function shared(...seen: string[]): ReturnType<typeof after> {
  const key = seen.join(' ');
  const talk = conversations.get(key) ?? after(...seen);
  conversations.set(key, talk);
  return talk;
}

/** The colour in the middle of a picture. */
async function colour(bytes: Uint8Array | undefined): Promise<number[]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3;
  return [...data.subarray(at, at + 3)];
}

describe('view_asset', () => {
  test('brings a picture back as a new result', async () => {
    const { call, names, conversation } = await after('wide');
    const answer = await call('view_asset', { asset: names[0] });
    expect(words(answer)).toBe(`[image "chart.png" 2000×1000, asset ${names[0]}]\n<image>`);
    expect(pictures(answer)).toEqual(conversation[0] && pictures(conversation[0]));
  });

  test.each([
    [
      { x: 0, y: 0, width: 400, height: 200 },
      1,
      [255, 0, 0],
      '400×200',
      'region x=0 y=0 400×200 of 4000×2000; add x=0 y=0',
    ],
    [
      { x: 3600, y: 1800, width: 400, height: 200 },
      2,
      [255, 255, 255],
      '800×400',
      'region x=3600 y=1800 400×200 of 4000×2000; shown at 800×400; multiply coordinates by 0.5; then add x=3600 y=1800',
    ],
    [
      { x: 0, y: 1500, width: 1000, height: 9999 },
      0.5,
      [0, 0, 255],
      '500×250',
      'region x=0 y=1500 1000×500 of 4000×2000; shown at 500×250; multiply coordinates by 2; then add x=0 y=1500',
    ],
  ])('cuts %j at zoom %d out of the original', async (region, zoom, wanted, size, made) => {
    const { call, names, assets } = await shared('wide');
    const answer = await call('view_asset', { asset: names[0], region, zoom });
    const [picture] = pictures(answer);
    expect(`${picture?.width}×${picture?.height}`).toBe(size);
    expect(picture?.origin?.made).toBe(made);
    expect(await colour(picture && (await assets.get(picture.asset.id)))).toEqual(wanted);
  });

  test('enlarges a small picture, and never beyond what a model takes', async () => {
    const { call, names } = await shared('small');
    expect(pictures(await call('view_asset', { asset: names[0], zoom: 4 }))[0]).toMatchObject({
      width: 800,
      height: 400,
    });
    const region = { x: 0, y: 0, width: 200, height: 100 };
    expect(pictures(await call('view_asset', { asset: names[0], region, zoom: 8 }))[0]).toMatchObject({ width: 1600 });
  });

  test('enlarges a region with small writing until it can be read, and no further', async () => {
    const { call, names } = await shared('note');
    const region = { x: 0, y: 0, width: 200, height: 100 };
    const [picture] = pictures(await call('view_asset', { asset: names[0], region }));
    expect(picture?.width).toBeGreaterThan(280);
    expect(picture?.width).toBeLessThan(420);
    expect(pictures(await call('view_asset', { asset: names[0], region, zoom: 1 }))[0]).toMatchObject({ width: 200 });
  });

  test('shows a document again, a page of it, and a region of a page', async () => {
    const { call, names } = await shared('paper');
    expect(words(await call('view_asset', { asset: names[0] }))).toMatch(/paper\.pdf", 3 pages, asset .*\n<document>$/);
    const [page] = pictures(await call('view_asset', { asset: names[0], page: 2 }));
    expect(page?.origin).toMatchObject({ page: 2 });
    const region = { x: 0, y: 0, width: Math.floor((page?.width ?? 0) / 2), height: 100 };
    const [part] = pictures(await call('view_asset', { asset: names[0], page: 2, region, zoom: 2 }));
    expect(Math.abs((part?.width ?? 0) - region.width * 2)).toBeLessThanOrEqual(2);
    expect(part?.origin?.made).toMatch(/^page 2; region x=0 y=0 .* multiply coordinates by 0\.5; then add x=0 y=0$/);
  });

  test.each([
    [
      { asset: 'wide', region: { x: 5000, y: 0, width: 10, height: 10 } },
      /^The region lies outside chart\.png \(limit: 4000×2000 pixels\)\. Give x from 0 to 3999/,
    ],
    [{ asset: 'ffffffff' }, 'This conversation has no asset ffffffff. Call list_assets to see which there are.'],
    [{ asset: '../../etc/passwd' }, /^"\.\.\/\.\.\/etc\/passwd" is no asset/],
    [{ asset: 'paper', page: 9 }, /page/],
    [{ asset: 'log' }, /is text\/plain, which cannot be seen\. Call read_asset_text/],
    [{ asset: 'wide', zoom: 99 }, /must be at most 8/],
    [{ asset: 'wide', tile: 1 }, /^asset \w+ was not shown in pieces\. Give a region, in pixels of the original\.$/],
    [{ asset: 'wide', tile: 0 }, /tile: .*at least 1/],
    [{ asset: 'wide', tile: 1.5 }, /tile: /],
    [{ asset: 'wide', tile: 'the left one' }, /tile: /],
    [{ asset: 'wide', tile: 1, zoom: 2 }, /without a region or a zoom\. Give the tile alone/],
    [{ asset: 'paper', tile: 1 }, /has pages, not pieces\. Give a page, and a region of it\.$/],
    [{}, /asset: required/],
  ])('refuses %j with what to do', async (input, said) => {
    const talk = await shared('wide', 'paper', 'log');
    const named = { wide: talk.names[0], paper: talk.names[1], log: talk.names[2] };
    const asset = 'asset' in input ? (named[input.asset as keyof typeof named] ?? input.asset) : undefined;
    const answer = await talk.call('view_asset', { ...input, ...(asset && { asset }) });
    expect(answer.isError).toBe(true);
    if (typeof said === 'string') expect(words(answer)).toBe(said);
    else expect(words(answer)).toMatch(said);
  });

  test('knows only what this conversation refers to, whatever else the store holds', async () => {
    const talk = await after('small');
    const secret = await talk.assets.put(wide, { mediaType: 'image/png', name: 'secret.png' });
    for (const asset of [shortId(secret.id), secret.id]) {
      expect(words(await talk.call('view_asset', { asset }))).toContain('This conversation has no asset');
      expect(words(await talk.call('read_asset_text', { asset }))).toContain('This conversation has no asset');
    }
    expect(words(await talk.call('list_assets', {}))).not.toContain(shortId(secret.id));
  });

  test('takes whole names and brackets, and asks when a beginning fits several', async () => {
    const { call, names, conversation } = await shared('small', 'wide');
    const id = pictures(conversation[0] ?? { role: 'tool', callId: '', name: '', content: [] })[0]?.asset.id ?? '';
    for (const asset of [id, id.slice(7), `asset ${names[0]}`, `[asset ${names[0]}]`, names[0]?.toUpperCase()]) {
      expect((await call('view_asset', { asset })).isError).toBeUndefined();
    }
    expect(words(await call('view_asset', { asset: 'a' }))).toContain('is no asset');
  });

  test('says so when the store has let the bytes go', async () => {
    const talk = await shared('small');
    const empty = [viewAssetTool({ conversation: () => talk.conversation, assets: memoryAssets() })];
    const other = caller(() => empty);
    expect(words(await other.call('view_asset', { asset: talk.names[0] }))).toMatch(
      /are no longer stored\. Read or make it again\.$/,
    );
  });
});

describe('view_asset of a document', () => {
  test('gives other pages than those that were shown, or all, to the wire and to a model that takes only words', async () => {
    const { call, conversation, assets } = await after('part');
    const asset = conversation[0]?.content.find((block) => block.type === 'document')?.asset;
    const name = shortId(asset?.id ?? 'sha256:');
    const seen = async (pages: string): Promise<string> => words(await call('view_asset', { asset: name, pages }));
    expect(words(conversation[0] ?? { role: 'tool', callId: '', name: '', content: [] })).toContain('pages 2-2 of 3');
    expect(await seen('3')).toBe(`[PDF "paper.pdf", pages 3-3 of 3, asset ${name}]\n<document>`);
    expect(await seen('all')).toBe(`[PDF "paper.pdf", 3 pages, asset ${name}]\n<document>`);
    expect(await seen('2-9')).toBe(`[PDF "paper.pdf", pages 2-3 of 3, asset ${name}]\n<document>`);
    expect(await seen('7')).toMatch(/^There are no pages numbered 7 in this PDF/);
    expect(words(await call('view_asset', { asset: name, pages: 'all', page: 1 }))).toMatch(
      /^Several pages are shown whole/,
    );
    const all = conversation.find((message) => words(message).startsWith('[PDF "paper.pdf", 3 pages'));
    const asked = { type: 'call', id: all?.callId ?? '', name: 'view_asset', input: {} } as const;
    const messages = [
      { role: 'user' as const, content: 'All of it.' },
      { role: 'assistant' as const, content: [asked] },
      ...(all ? [all] : []),
    ];
    const claude = await prepare({ messages }, { model: 'anthropic/claude-sonnet-4-5', assets });
    const block = JSON.stringify((await claude.json()).messages.at(-1));
    const [, data = ''] =
      /"type":"document","source":\{"type":"base64","media_type":"application\/pdf","data":"([^"]*)"/.exec(block) ?? [];
    expect(Buffer.from(data, 'base64')).toEqual(Buffer.from(pdfSaying('alpha', 'beta', 'gamma')));
    const blind = JSON.stringify(await (await prepare({ messages }, { model: 'ollama/llama3.1', assets })).json());
    expect(blind).toMatch(/alpha.*beta.*gamma/);
  });

  test('shows other slides of a deck', async () => {
    const { call, names, assets } = await after('deck');
    const part = await call('view_asset', { asset: names[0], pages: '2' });
    expect(words(part)).toContain('pages 2-2 of 2');
    const asked = { type: 'call', id: part.callId, name: 'view_asset', input: {} } as const;
    const messages = [
      { role: 'user' as const, content: 'The second one.' },
      { role: 'assistant' as const, content: [asked] },
      part,
    ];
    const body = JSON.stringify(await (await prepare({ messages }, { model: 'ollama/llama3.1', assets })).json());
    expect(body).toMatch(/Slide 2.*two/);
    expect(body).not.toContain('Slide 1');
    expect(words(await call('view_asset', { asset: names[0], pages: 'all' }))).toContain('2 pages');
    expect(words(await call('view_asset', { asset: names[0], page: 2 }))).toBe(words(part));
    for (const none of [{ page: 9 }, { pages: '9' }])
      expect(words(await call('view_asset', { asset: names[0], ...none }))).toMatch(
        /^There are no pages numbered 9 in this presentation/,
      );
    expect(words(await call('view_asset', { asset: names[0], page: 1, pages: '2' }))).toMatch(
      /^Several pages are shown whole/,
    );
    expect(words(await call('view_asset', { asset: names[0], page: 2, zoom: 2 }))).toMatch(
      /has no pages that could be drawn\. Give a picture in it by its name, or call read_asset_text for its words\.$/,
    );
  });

  test('shows media beyond those that one result may show', async () => {
    const { call, conversation } = await after('flood');
    const kept = conversation[0]?.kept?.[0];
    const name = shortId(kept?.id ?? 'sha256:');
    expect(words(await call('view_asset', { asset: name }))).toMatch(new RegExp(`asset ${name}\\]\\n<image>$`));
  });
});

describe('list_assets', () => {
  test('names everything newest first, originals and long texts too', async () => {
    const { call, names } = await after('wide', 'log', 'zip');
    const listed = words(await call('list_assets', {})).split('\n');
    expect(listed[0]).toBe('[Assets 1-4 of 4, newest first.]');
    expect(listed[1]).toBe(`${names[2]}  application/octet-stream, 54 bytes`);
    expect(listed[2]).toBe(`${names[1]}  text/plain, ${log.length.toLocaleString('en-US')} bytes`);
    expect(listed[3]).toMatch(/^[0-9a-f]{8} {2}image "chart\.png" 2000×1000, the original, [\d,]+ bytes$/);
    expect(listed[4]).toMatch(new RegExp(`^${names[0]} {2}image "chart\\.png" 2000×1000, [\\d,]+ bytes$`));
    expect(words(await call('list_assets', { offset: 3 }))).toMatch(/^\[Assets 4-4 of 4, newest first\.\]\n/);
  });

  test('says when there is nothing', async () => {
    expect(words(await caller(assetTools).call('list_assets', {}))).toBe('This conversation has no assets yet.');
  });

  test('tells all that is known of one: what it is, its original, whose it is, and what shows more of it', async () => {
    const { call, names, conversation } = await shared('wide', 'rows', 'paper');
    const about = async (asset: string): Promise<string[]> => words(await call('list_assets', { asset })).split('\n');
    const [wideName = '', rowsName = '', paperName = ''] = names;
    const shown = conversation[0]?.content.find((block) => block.type === 'image');
    const original = shown?.type === 'image' ? shown.original : undefined;
    expect(await about(wideName)).toEqual([
      `asset ${wideName}: image "chart.png" 2000×1000`,
      `hash: ${shown?.type === 'image' && shown.asset.id}`,
      'type: image/png',
      expect.stringMatching(/^size: [\d,]+ bytes$/),
      expect.stringMatching(
        `^original: asset ${shortId(original?.asset.id ?? 'sha256:')}, image/png, 4000×2000, [\\d,]+ bytes$`,
      ),
      expect.stringMatching(/^what was done to it: /),
      'came from: tool give, call c0',
      'to see more: view_asset shows it or a region of it, read_asset_text the words on it',
    ]);
    expect(await about(shortId(original?.asset.id ?? 'sha256:'))).toContain(
      `this is the original; it is shown as asset ${wideName}`,
    );
    expect((await about(rowsName)).slice(-2)).toEqual([
      'came from: tool give, call c1',
      'to see more: read_asset_text for its words, query_json if it is JSON or a table',
    ]);
    expect((await about(paperName))[0]).toBe(`asset ${paperName}: PDF "paper.pdf", 3 pages`);
    expect(words(await call('list_assets', { asset: 'ffffffff' }))).toMatch(/^This conversation has no asset ffffffff/);
  });
});

describe('read_asset_text', () => {
  test('reads on where the shown part ended, to the last line', async () => {
    const { call, names, conversation } = await shared('log');
    const first = words(conversation[0] ?? { role: 'tool', callId: '', name: '', content: [] });
    let next = Number(/offset=(\d+)/.exec(first)?.[1]);
    let read = first.slice(first.indexOf('\n') + 1);
    for (let round = 0; round < 20 && next > 0; round++) {
      const part = words(await call('read_asset_text', { asset: names[0], offset: next }));
      read += `\n${part.slice(part.indexOf('\n') + 1)}`;
      next = Number(/Use offset=(\d+) to continue/.exec(part)?.[1] ?? 0);
    }
    expect(read).toBe(log);
  });

  test('reaches every place of one endless line', async () => {
    const { call, names } = await shared('line');
    expect(words(await call('read_asset_text', { asset: names[0], grep: 'needle' }))).toMatch(
      /^\[1 matching lines in asset [0-9a-f]{8}, 1 shown\.\]\n76: .*needle$/,
    );
    expect(words(await call('read_asset_text', { asset: names[0], offset: 76 }))).toMatch(
      /^\[Lines 76-76 of 76 of asset .*\]\n.*needle$/,
    );
  });

  test.each([
    [
      { grep: 'error line (1|401)$' },
      '[2 matching lines in asset NAME, 2 shown.]\n1: ERROR line 1\n401: ERROR line 401',
    ],
    [
      { grep: 'ERROR', offset: 4800 },
      '[2 matching lines in asset NAME, 2 shown.]\n4801: ERROR line 4801\n4901: ERROR line 4901',
    ],
    [
      { grep: 'ERROR', limit: 1 },
      '[50 matching lines in asset NAME, 1 shown. Use offset=101 for the next ones.]\n1: ERROR line 1',
    ],
    [{ grep: 'line (12' }, 'No line of asset NAME from line 1 on matches "line (12".'],
    [
      { offset: 4999, limit: 1 },
      '[Lines 4999-4999 of 5,000 of asset NAME. Use offset=5000 to continue.]\ninfo line 4999',
    ],
    [{ offset: 6000 }, 'asset NAME has no such line (limit: 5,000 lines). Use an offset from 1 to 5000.'],
  ])('answers %j', async (input, said) => {
    const { call, names } = await shared('log');
    const answer = await call('read_asset_text', { asset: names[0], ...input });
    expect(words(answer)).toBe(said.replace('NAME', names[0] ?? ''));
  });

  test('ends a pattern that would run for ever', async () => {
    const { call, names } = await shared('line');
    const answer = await call('read_asset_text', { asset: names[0], grep: '(\\w+\\s?)+$x' });
    expect(answer.isError).toBe(true);
    expect(words(answer)).toContain('The pattern takes too long on this text (limit: 1000 ms).');
  });

  test('gives the words of a document, and says what holds none', async () => {
    const { call, names } = await shared('paper', 'zip');
    expect(words(await call('read_asset_text', { asset: names[0], grep: 'beta' }))).toContain('beta');
    expect(words(await call('read_asset_text', { asset: names[1] }))).toMatch(
      /is application\/octet-stream and holds no text/,
    );
  });
});

describe('query_json', () => {
  test.each([
    ['length', '20000'],
    ['[.[] | select(.city == "Rome" and .price > 5)] | length', '4000'],
    ['map(.price) | add', '90000'],
    ['map(.city) | unique', '["Oslo","Rome"]'],
    ['.[3].zip', '"03"'],
  ])('answers %s of a table of 20,000 rows', async (path, answer) => {
    const { call, names } = await after('sales');
    expect(words(await call('query_json', { asset: names[0], path }))).toBe(answer);
  });

  test.each([
    ['.rows[0].name', '"row 0"'],
    ['rows[0].name', '"row 0"'],
    ['$.rows[-1].id', '3999'],
    ['rows | length', '4000'],
    ['| keys', '["rows"]'],
    ['rows[0] | keys', '["id","name","price","tags"]'],
    ['.rows[10:12][].name', '[Results 1-2 of 2.]\n"row 10"\n"row 11"'],
    ['.rows[] | select(.name == "row 7").id', '7'],
    ['.rows[] | select(.price > 399.8).id', '3999'],
    ['[.rows[] | select(.tags.colour == "Blue")] | length', '2000'],
    ['rows[*].tags.colour', /^\[Results 1-100 of 4,000\. Use offset=100 to continue\.\]\n"Blue"\n"red"\n/],
    ['.. | .colour? // empty', /^\[Results 1-100 of 4,000\./],
    ['def half: . / 2; .rows[4].id | half', '2'],
    [
      '.rows | group_by(.tags.colour) | map({colour: .[0].tags.colour, n: length}) | .[0]',
      '{"colour":"Blue","n":2000}',
    ],
    ['rows[0]["name"]', '"row 0"'],
    ['', /^\[an object of [\d,]+ characters of JSON with the fields "rows"\]$/],
    ['rows', /^\[a list of 4,000 items, [\d,]+ characters of JSON; ask for some of them: \[0:10\]\]$/],
    ['nothing.here', 'null'],
    ['empty', 'Nothing lies at "empty". Ask for "keys" to see what there is.'],
    ['.rows[', /^jq does not understand the program: syntax error, unexpected end of file\. Write it in jq, such as /],
    ['.rows | test("a")', /^The program failed: array \(.*\) cannot be matched, as it is not a string\. /],
    ['-n', /^jq does not understand the program/],
    ['[$ENV, env, input_filename] | tojson | test("sightline|/tmp")', 'false'],
    ['import "/etc/passwd" as $x; $x', /^jq does not understand the program: module not found/],
  ])('looks up %j', async (path, said) => {
    const { call, names } = await shared('rows');
    const answer = words(await call('query_json', { asset: names[0], path }));
    if (typeof said === 'string') expect(answer).toBe(said);
    else expect(answer).toMatch(said);
  });

  test('pages through its results, and tells what is not JSON', async () => {
    const { call, names } = await shared('rows', 'log');
    const answer = words(await call('query_json', { asset: names[0], path: 'rows[*].id', offset: 3999, limit: 5 }));
    expect(answer).toBe('[Results 4000-4000 of 4,000.]\n3999');
    expect(words(await call('query_json', { asset: names[1], path: 'a' }))).toMatch(
      /is not JSON\. Call read_asset_text with grep instead\.$/,
    );
  });
});
