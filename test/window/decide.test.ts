// The ladders: what a model gets in place of a medium it cannot take, rung by rung, by the profile and the facts.
import { describe, expect, test } from 'vitest';
import type { AssetId, DocumentBlock, ImageBlock, MediaBlock, SoundBlock } from '../../src/content/block.ts';
import { refuse } from '../../src/content/refusal.ts';
import type { Transcript } from '../../src/message/message.ts';
import { plan } from '../../src/window/plan.ts';
import type { PlanResult } from '../../src/window/plan.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Capabilities, ProfileOverrides } from '../../src/window/profile.ts';
import { renditionKey } from '../../src/window/rendition.ts';
import type { Fact, Need } from '../../src/window/rendition.ts';
import { inline } from '../../src/wire/body.ts';
import { wires } from '../../src/wire/registry.ts';
import { bytesOf, put, short } from '../laws/world.ts';

const picture: ImageBlock = { type: 'image', asset: put('png', 'image/png', 'door.png'), width: 640, height: 480 };
const gif: ImageBlock = { ...picture, asset: put('gif', 'image/gif', 'door.gif') };
const wide: ImageBlock = { ...picture, asset: put('wide', 'image/png', 'wide.png'), width: 9000 };
const heavy: ImageBlock = { ...picture, asset: { ...put('heavy', 'image/png', 'heavy.png'), size: 9 * 1024 * 1024 } };
const paper: DocumentBlock = { type: 'document', asset: put('pdf', 'application/pdf', 'spec.pdf'), pages: 3 };
const part: DocumentBlock = { ...paper, range: [1, 3] };
const whole: DocumentBlock = { ...paper, range: [0, 3] };
const long: DocumentBlock = { ...paper, pages: 130 };
const letter: DocumentBlock = {
  type: 'document',
  asset: put('docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'letter.docx'),
};
const song: SoundBlock = { type: 'audio', asset: put('wav', 'audio/wav', 'song.wav'), seconds: 2 };
const film: SoundBlock = { type: 'video', asset: put('mp4', 'video/mp4', 'film.mp4'), seconds: 2 };
const small: ImageBlock = { ...picture, asset: put('small', 'image/png', 'small.png') };

const refused: Fact = refuse('corrupt', 'It is broken', 'Use another one.');
const pages: Fact = { ok: true, value: [picture, small] };
const text = (value: string): Fact => ({ ok: true, value: [{ type: 'text', text: value }] });

type Facts = Partial<Record<Need['to'], Fact>>;

type Setting = {
  facts?: Facts;
  profile?: ProfileOverrides;
  isError?: boolean;
  gone?: boolean;
  tools?: Transcript['tools'];
};

function turn(media: MediaBlock, isError: boolean): Transcript {
  return {
    version: 1,
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      { role: 'assistant', model: 'a/b', content: [{ type: 'call', id: 'c1', name: 'shot', input: {} }] },
      { role: 'tool', callId: 'c1', name: 'shot', content: [media], ...(isError && { isError }) },
    ],
  };
}

function settle(
  model: string,
  media: MediaBlock,
  { facts = {}, profile, isError = false, gone, tools }: Setting = {},
): Extract<PlanResult, { plan: object }> {
  const known = new Map<string, Fact>();
  const asked: string[] = [];
  const missing = new Set<AssetId>(gone ? [media.asset.id] : []);
  for (let round = 0; round < 4; round++) {
    const transcript = { ...turn(media, isError), ...(tools && { tools }) };
    const result = plan({ transcript, profile: profileFor(model, profile), facts: known, gone: missing });
    if (result.plan) return result;
    if (result.refusal) throw new Error(result.refusal.what);
    for (const need of result.needs) {
      asked.push(need.to);
      known.set(renditionKey(need), facts[need.to] ?? refused);
    }
  }
  throw new Error(`asked again and again for ${asked.join(', ')}`);
}

/** Where the medium went and in which form: the action of its receipt, and the kinds of blocks by place. */
function outcome(result: Extract<PlanResult, { plan: object }>): string {
  const batch = result.plan.items.find((item) => item.role === 'batch');
  const inside = batch?.results.flatMap(({ content }) => content.filter(({ type }) => type !== 'text')) ?? [];
  const after = batch?.after.filter(({ type }) => type !== 'text') ?? [];
  const kinds = [...inside.map(({ type }) => `${type} inside`), ...after.map(({ type }) => `${type} after`)];
  const action = result.receipts.find(({ asset }) => asset !== undefined)?.action ?? 'no receipt';
  return [action, ...kinds].join(', ');
}

const claude = 'anthropic/claude-sonnet-4-5';
const rows: [string, string, MediaBlock, Setting, string][] = [
  ['a picture stands inside', claude, picture, {}, 'inside, image inside'],
  ['a picture of a failed call follows', claude, picture, { isError: true }, 'after, image after'],
  ['a PDF of a failed call follows', claude, paper, { isError: true }, 'after, document after'],
  [
    'a picture of a failed call stays where that is allowed',
    'openai/gpt-5.2',
    picture,
    { isError: true },
    'inside, image inside',
  ],
  [
    'a GIF is transcoded where it is not read',
    'gemini/gemini-3-pro-preview',
    gif,
    { facts: { image: { ok: true, value: [small] } } },
    'reduced, image inside',
  ],
  ['a GIF that cannot be transcoded is words', 'gemini/gemini-3-pro-preview', gif, {}, 'words'],
  [
    'a picture too wide is made smaller',
    claude,
    wide,
    { facts: { image: { ok: true, value: [small] } } },
    'reduced, image inside',
  ],
  [
    'a picture too heavy is made smaller',
    claude,
    heavy,
    { facts: { image: { ok: true, value: [small] } } },
    'reduced, image inside',
  ],
  ['a picture too heavy that cannot be made smaller is words', claude, heavy, {}, 'words'],
  ['no picture for who cannot see', 'compatible/unheard-of', picture, {}, 'words'],
  ['a PDF stands inside', claude, paper, {}, 'inside, document inside'],
  [
    'some pages are cut out',
    claude,
    part,
    { facts: { pdf: { ok: true, value: [{ ...paper, pages: 2 }] } } },
    'inside, document inside',
  ],
  ['all pages need no cutting', claude, whole, {}, 'inside, document inside'],
  [
    'pages that cannot be cut out become pictures',
    claude,
    part,
    { facts: { pages } },
    'pages, image inside, image inside',
  ],
  ['pages that cannot be drawn become text', claude, part, { facts: { text: text('hello') } }, 'text'],
  ['a PDF of nothing is words', claude, part, {}, 'words'],
  ['too many pages for one request become text', claude, long, { facts: { text: text('hello') } }, 'text'],
  ['many pages are fine for a larger model', 'anthropic/claude-opus-5-5', long, {}, 'inside, document inside'],
  [
    'a PDF becomes page pictures for who sees but takes no PDF',
    'azure-chat/x',
    paper,
    { facts: { pages } },
    'pages, image after, image after',
  ],
  [
    'page pictures stand inside where pictures do',
    'ollama/qwen3-vl',
    paper,
    { facts: { pages } },
    'pages, image inside, image inside',
  ],
  ['a PDF becomes text for who cannot see', 'ollama/llama3', paper, { facts: { text: text('hello') } }, 'text'],
  [
    'page pictures that do not fit become text',
    'ollama/llava',
    paper,
    { facts: { pages: { ok: true, value: [gif] }, text: text('hi') } },
    'text',
  ],
  [
    'no pages at all become text',
    'ollama/llava',
    paper,
    { facts: { pages: { ok: true, value: [] }, text: text('hi') } },
    'text',
  ],
  ['a text of nothing is words', 'ollama/llama3', paper, { facts: { text: text(' \n') } }, 'words'],
  ['a letter becomes text', claude, letter, { facts: { text: text('Dear all') } }, 'text'],
  ['a letter that cannot be read is words', claude, letter, {}, 'words'],
  ['sound follows the results', 'gemini/gemini-3-pro-preview', song, {}, 'after, audio after'],
  ['film follows the results', 'gemini/gemini-2.5-pro', film, {}, 'after, video after'],
  ['sound is words for Claude', claude, song, {}, 'words'],
  ['sound is words for the Responses API', 'openai/gpt-5.2', song, {}, 'words'],
  ['sound follows for a model that hears', 'openai-chat/gpt-4o-audio-preview', song, {}, 'after, audio after'],
  ['a picture whose bytes are gone is words', claude, picture, { gone: true }, 'words'],
  ['a PDF whose bytes are gone is words', 'ollama/llava', paper, { gone: true }, 'words'],
];

test.each(rows)('%s (%s)', (_name, model, media, setting, expected) => {
  expect(outcome(settle(model, media, setting))).toBe(expected);
});

/** The results of the turn as they are planned. */
function said(model: string, media: MediaBlock, setting: Setting = {}): string {
  return JSON.stringify(settle(model, media, setting).plan.items.at(-1));
}

describe('words that stand for a medium', () => {
  test.each<[string, MediaBlock]>([
    ['image', picture],
    ['document', letter],
    ['sound', song],
    ['film', film],
  ])("name the %s and its asset, and give the author's own words", (_kind, media) => {
    const words = said('compatible/unheard-of', { ...media, fallback: 'A red door.' });
    expect(words).toContain(media.asset.name);
    expect(words).toContain(`asset ${short(media.asset.id)}`);
    expect(words).toContain('not shown');
    expect(words).toContain('A red door.');
  });

  test('tell of a picture in a document that does not fit, while the others go along, and so does its receipt', () => {
    const illustrated: Fact = {
      ok: true,
      value: [{ type: 'text', text: 'One' }, wide, { type: 'text', text: 'two' }, picture],
    };
    const made = settle(claude, letter, { facts: { illustrated } });
    expect(outcome(made)).toBe('text, image inside');
    expect(JSON.stringify(made.plan.items)).toContain('the picture wide.png is not shown: it does not fit');
    expect(made.receipts.find(({ action }) => action === 'text')?.why).toContain('1 of its pictures do not fit it');
    const fitting = settle(claude, letter, { facts: { illustrated, image: { ok: true, value: [small] } } });
    expect(outcome(fitting)).toBe('text, image inside, image inside');
    const none: Fact = { ok: true, value: [{ type: 'text', text: 'One' }, wide] };
    expect(outcome(settle(claude, letter, { facts: { illustrated: none } }))).toBe('text');
  });

  test('offer a way to see it only when that tool is there', () => {
    const view = [{ name: 'view_asset', description: '', inputSchema: { type: 'object' } }];
    expect(said('ollama/llama3', picture, { tools: view })).toContain('view_asset');
    expect(said('ollama/llama3', picture)).not.toContain('view_asset');
  });

  test('say that text is cut before the text begins', () => {
    const words = said('ollama/llama3', paper, {
      facts: { text: text('x'.repeat(100_000)) },
      profile: { contextTokens: 1000 },
    });
    expect(words.indexOf('characters 1-1000 of 100000')).toBeGreaterThan(0);
    expect(words.indexOf('characters 1-1000')).toBeLessThan(words.indexOf('xxxx'));
    expect(words.length).toBeLessThan(3000);
  });

  test('keep the lines and spaces of a text', () => {
    const code = 'def f():\n\n    return  1\t# one\r\n';
    expect(said('ollama/llama3', paper, { facts: { text: text(code) } })).toContain(JSON.stringify(code).slice(1, -1));
  });

  test('keep letters whole when text is cut or was broken', () => {
    const cut = said('ollama/llama3', paper, {
      facts: { text: text('😀'.repeat(600)) },
      profile: { contextTokens: 1001 },
    });
    const broken = said('ollama/llama3', paper, { facts: { text: text('half \ud800 a letter') } });
    for (const words of [cut, broken]) expect(words).not.toMatch(/\\ud[89a-f]/i);
  });

  test('a picture tells what was done to it', () => {
    const made = { ...picture, origin: { source: 'x', made: 'scaled from 4000×3000; multiply by 2' } };
    expect(said(claude, made)).toContain('scaled from 4000×3000; multiply by 2');
  });

  test('a picture that was made smaller twice still tells of the first time', () => {
    const made = { ...wide, origin: { source: 'x', made: 'cropped to the left half' } };
    expect(said(claude, made, { facts: { image: { ok: true, value: [small] } } })).toContain(
      'cropped to the left half',
    );
  });

  test('pages of a part keep their numbers', () => {
    const words = said('azure-chat/x', part, { facts: { pages } });
    expect(words).toContain('[page 2]');
    expect(words).toContain('[page 3]');
    expect(words).not.toContain('[page 1]');
  });
});

describe('how closely to look', () => {
  const detail = (model: string, media: ImageBlock, setting: Setting = {}): unknown => {
    const batch = settle(model, media, setting).plan.items.find((item) => item.role === 'batch');
    return [...(batch?.results.flatMap(({ content }) => content) ?? []), ...(batch?.after ?? [])].find(
      (block) => block.type === 'image',
    )?.detail;
  };
  const original = { asset: put('tiff', 'image/tiff'), width: 5000, height: 4000 };

  test.each<[string, ImageBlock, Setting, string | undefined]>([
    ['openai/gpt-5.4', picture, {}, 'high'],
    ['openai/gpt-5.4', { ...picture, detail: 'low' }, {}, 'low'],
    ['openai/gpt-5.4', { ...picture, detail: 'original' }, {}, 'original'],
    ['openai/gpt-5.2', { ...picture, detail: 'original' }, {}, 'high'],
    ['openai-chat/gpt-4.1', picture, { profile: { imageDetail: 'low' } }, 'low'],
    ['openai-chat/gpt-4.1', { ...picture, detail: 'high' }, { profile: { imageDetail: 'low' } }, 'high'],
    [claude, { ...picture, detail: 'original' }, {}, undefined],
  ])('%s is told %#', (model, media, setting, expected) => {
    expect(detail(model, media, setting)).toBe(expected);
  });

  test('the original is used when it is asked for, and the canonical one when that fails', () => {
    const asked = { ...picture, detail: 'original', original } as const;
    const made = settle('openai/gpt-5.4', asked, { facts: { image: { ok: true, value: [small] } } });
    expect(JSON.stringify(made.plan.items)).toContain(small.asset.id);
    const failed = settle('openai/gpt-5.4', asked);
    expect(JSON.stringify(failed.plan.items)).toContain(picture.asset.id);
  });
});

describe('stated capabilities never make a body that cannot be written', () => {
  const names: (keyof Capabilities)[] = ['vision', 'nativePdf', 'audioInput', 'videoInput', 'toolMedia'];
  const capabilities = Object.fromEntries(names.map((name) => [name, true]));
  const models = [
    claude,
    'openai/gpt-5.2',
    'openai-chat/gpt-4.1',
    'azure-chat/x',
    'gemini/gemini-2.5-pro',
    'ollama/llama3',
    'compatible/x',
  ];
  const cases = models.flatMap((model) =>
    [picture, paper, song, film].flatMap((media) =>
      [false, true].map((isError) => [model, media.type, isError, media] as const),
    ),
  );

  test.each(cases)('%s with a %s, failed: %s', async (model, _kind, isError, media) => {
    const { plan: planned } = settle(model, media, { profile: { capabilities }, isError });
    const body = JSON.stringify(await inline<object>(wires[planned.profile.wire].encode(planned), bytesOf));
    expect(body).toMatch(/base64,|"data":"|"images":\["|asset [0-9a-f]{8}/);
    if (planned.profile.wire === 'ollama' && media.type === 'document') expect(body).not.toContain('"images"');
  });
});
