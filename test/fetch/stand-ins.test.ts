// Pictures are looked at by what stands for them: what goes out, what is told and what is kept is what it would be if every letter
// of them had been read where it stands, and no picture is checked twice.
import { randomFillSync } from 'node:crypto';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { fetchOver } from '../../src/fetch/fetch.ts';
import { unmarked } from '../../src/fetch/marked.ts';
import type { MarkedText } from '../../src/fetch/marked.ts';
import { wholeWorkshop } from '../../src/fetch/whole-workshop.ts';
import { lettersHash, openKnownStrings, stringMark, stringsOf } from '../../src/gateway/strings.ts';
import type { OpenWorkshop } from '../../src/fetch/workshop.ts';
import type { Receipt } from '../../src/window/receipt.ts';

type Pictures = { plain: Buffer; other: Buffer; noted: Buffer; large: Buffer; cut: Buffer; photo: Buffer };
let pictures: Pictures;

function noise(width: number, height: number): Sharp {
  const raw = randomFillSync(Buffer.alloc(width * height * 3));
  return sharp(raw, { raw: { width, height, channels: 3 } });
}

beforeAll(async () => {
  const plain = await noise(90, 60).png().toBuffer();
  pictures = {
    plain,
    other: await noise(91, 60).png().toBuffer(),
    noted: await noise(92, 60)
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .png()
      .toBuffer(),
    large: await noise(40, 9000).png().toBuffer(),
    cut: plain.subarray(0, plain.length - 3000),
    photo: await noise(93, 60).jpeg({ quality: 100 }).toBuffer(),
  };
});

const base64 = (picture: Buffer): string => picture.toString('base64');
const uri = (picture: Buffer): string => `data:image/png;base64,${base64(picture)}`;

/** What a tool gave, by what is strange about it. */
const results: { [what: string]: (given: Pictures) => string } = {
  'a picture in JSON': ({ plain }) => JSON.stringify({ base64: base64(plain) }),
  'a photograph in JSON': ({ photo }) => JSON.stringify({ base64: base64(photo) }),
  'a picture in a list of blocks': ({ plain }) =>
    JSON.stringify([
      { type: 'image', data: base64(plain), mimeType: 'image/png' },
      { type: 'text', text: 'That.' },
    ]),
  'a picture in JSON within JSON': ({ plain }) => JSON.stringify({ said: JSON.stringify({ image: uri(plain) }) }),
  'a data URI alone': ({ plain }) => uri(plain),
  'a data URI among words': ({ plain }) => `Here: ${uri(plain)} and no more.`,
  'a picture that comes twice': ({ plain }) => JSON.stringify({ screenshot: base64(plain), again: uri(plain) }),
  'two pictures': ({ plain, other }) => JSON.stringify([{ base64: base64(plain) }, { base64: base64(other) }]),
  'a picture with metadata': ({ noted }) => JSON.stringify({ base64: base64(noted) }),
  'a picture that is too large': ({ large }) => JSON.stringify({ base64: base64(large) }),
  'a picture that is cut': ({ cut, plain }) => JSON.stringify([{ base64: base64(cut) }, { base64: base64(plain) }]),
  'a picture as the name of a field': ({ plain, other }) => JSON.stringify({ [base64(plain)]: base64(other) }),
  'letters for addresses': ({ plain }) => JSON.stringify({ base64: plain.toString('base64url') }),
  'slashes with a backslash': ({ plain }) => JSON.stringify({ base64: base64(plain) }).replaceAll('/', '\\/'),
  'letters in lines': ({ plain }) => JSON.stringify({ base64: base64(plain).replaceAll(/.{76}/g, '$&\n') }),
  'a picture beside one that is left as it is': ({ plain }) =>
    JSON.stringify({ base64: base64(plain), more: `iVBORw0KGgoAAAANSUhEUg${'A'.repeat(9000)}` }),
};

type Sent = { url: string; body: object };

const chat = (content: string): Sent => ({
  url: 'https://api.openai.com/v1/chat/completions',
  body: {
    model: 'gpt-4.1',
    messages: [
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content },
    ],
  },
});

const messages = (content: string): Sent => ({
  url: 'https://api.anthropic.com/v1/messages',
  body: {
    model: 'claude-sonnet-4-5',
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content }] },
    ],
  },
});

const gemini = (content: string): Sent => ({
  url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
  body: {
    contents: [
      { role: 'user', parts: [{ text: 'Look.' }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: content } } }] },
    ],
  },
});

/** A workshop that notes which bytes come to its intake. */
function watched(seen: { checked: string[]; kept: string[] }): OpenWorkshop {
  return async (...given) => {
    const workshop = await wholeWorkshop(...given);
    const { check, keep } = workshop.intake;
    const intake: typeof workshop.intake = {
      ...workshop.intake,
      check: (bytes, hint) => (seen.checked.push(Buffer.from(bytes).toString('base64')), check(bytes, hint)),
      keep: (bytes, about) => (seen.kept.push(Buffer.from(bytes).toString('base64')), keep(bytes, about)),
    };
    return { ...workshop, intake };
  };
}

type Gone = { bodies: string[]; receipts: Receipt[]; checked: string[]; kept: string[] };

async function gone({ url, body }: Sent, marks: MarkedText): Promise<Gone> {
  const seen = { checked: [] as string[], kept: [] as string[] };
  const [bodies, receipts]: [string[], Receipt[]] = [[], []];
  const send = fetchOver(watched(seen), {
    assets: memoryAssets(),
    onReceipts: (told) => void receipts.push(...told),
    fetch: async (_url, init) => (bodies.push(init?.body as string), Response.json({})),
  });
  for (let round = 0; round < 2; round++) await send(url, { method: 'POST', body: JSON.stringify(body) }, { marks });
  return { bodies, receipts, ...seen };
}

test.each(
  [chat, messages, gemini].flatMap((wire) => Object.entries(results).map(([what, result]) => ({ wire, what, result }))),
)('$wire.name: $what', async ({ wire, result }) => {
  const given = wire(result(pictures));
  const [quick, slow] = [await gone(given, unmarked), await gone(given, { ...unmarked, pictures: () => [] })];
  expect(quick.bodies).toEqual(slow.bodies);
  expect(quick.receipts).toEqual(slow.receipts);
  expect(new Set(quick.kept)).toEqual(new Set(slow.kept));
  expect(slow.checked).toEqual(expect.arrayContaining(quick.checked));
});

test.each([chat, messages, gemini])('%o: a picture is checked once', async (wire) => {
  const { plain, other } = pictures;
  const blocks = [plain, other].map((one) => ({ type: 'image', data: base64(one), mimeType: 'image/png' }));
  const { checked } = await gone(wire(JSON.stringify(blocks)), unmarked);
  expect(checked.toSorted()).toEqual([base64(plain), base64(other)].toSorted());
});

test('a picture for which a gateway keeps a mark goes out by that mark, checked once', async () => {
  const all = Object.values(pictures).map(base64);
  const found = all.map((letters) => ({
    hash: lettersHash([Buffer.from(letters)]),
    length: letters.length,
    letters: [Buffer.from(letters)],
  }));
  const strings = stringsOf(found, openKnownStrings());
  const given = chat('');
  const shown = all.map((letters) => ({
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${letters}` },
  }));
  const text = JSON.stringify(given.body).replace('"content":""', `"content":${JSON.stringify(shown)}`);
  const marked = found.reduce((body, { hash }, at) => body.replace(all[at] ?? '', stringMark(hash)), text);
  const quick = await gone({ url: given.url, body: JSON.parse(marked) as object }, strings);
  const slow = await gone({ url: given.url, body: JSON.parse(text) as object }, { ...unmarked, pictures: () => [] });
  expect(quick.bodies.map(strings.whole)).toEqual(slow.bodies);
  expect(quick.bodies[0]).toContain(stringMark(found[0]?.hash ?? ''));
  expect(quick.receipts).toEqual(slow.receipts);
  expect(quick.checked.toSorted()).toEqual(all.toSorted());
});

test('pictures in one turn are checked a few at a time', async () => {
  let [under, most] = [0, 0];
  const all = await Promise.all(
    Array.from({ length: 12 }, async (_, more) =>
      base64(
        await noise(60 + more, 60)
          .png()
          .toBuffer(),
      ),
    ),
  );
  const open: OpenWorkshop = async (...given) => {
    const workshop = await wholeWorkshop(...given);
    const check: typeof workshop.intake.check = async (bytes, hint) => {
      most = Math.max(most, ++under);
      return workshop.intake.check(bytes, hint).finally(() => under--);
    };
    return { ...workshop, intake: { ...workshop.intake, check } };
  };
  let sent = '';
  const send = fetchOver(open, { fetch: async (_url, init) => ((sent = init?.body as string), Response.json({})) });
  const content = all.map((data) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }));
  const { url, body } = chat('@');
  const text = JSON.stringify(body).replace('"@"', JSON.stringify(content));
  await send(url, { method: 'POST', body: text });
  expect([...sent.matchAll(/base64,([^"]+)/g)].map(([, data]) => data)).toEqual(all);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
});
