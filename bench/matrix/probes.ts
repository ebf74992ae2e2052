// What is asked of every library: small conversations in which tools returned media, and one in which a model had
// thought. Nothing here is in the words of any library; each says it in its own.
import { deflateSync, crc32 } from 'node:zlib';
import { book, letter, line } from '../reading/inputs.ts';

export type Medium = {
  kind: 'image' | 'pdf' | 'audio' | 'office';
  mediaType: string;
  name: string;
  base64: string;
  /** Words that stand in the document itself. */
  words?: string;
};

export type Item = { text: string } | { medium: Medium };

/** One call and what its tool returned. */
export type Result = { id: string; items: Item[]; isError?: true };

export type Probe = {
  id: string;
  title: string;
  about: string;
  results: Result[];
  /** What a Claude model had thought before it called. */
  thinking?: { text: string; signature: string };
};

export const question = 'Look around and tell me what there is.';
export const toolName = 'look';
export const toolDescription = 'Looks around.';
export const toolSchema = { type: 'object' as const, properties: {} };

/** The model that had thought. */
export const thinker = 'claude-sonnet-4-5';

const red = picture('red.png', 1);
const blue = picture('blue.png', 2);
const pdf: Medium = {
  kind: 'pdf',
  mediaType: 'application/pdf',
  name: 'fox.pdf',
  base64: book(1).toString('base64'),
  words: line(0, 40),
};
const docx: Medium = {
  kind: 'office',
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  name: 'fox.docx',
  base64: letter(2000).toString('base64'),
  words: line(1, 60),
};
const wav: Medium = { kind: 'audio', mediaType: 'audio/wav', name: 'tone.wav', base64: tone().toString('base64') };

const said = (text: string): Item => ({ text });
const shown = (medium: Medium): Item => ({ medium });
const one = (...items: Item[]): Result[] => [{ id: 'call_1', items }];

/** The first is the measure for the others: what is wrong with it has nothing to do with media. */
export const probes: Probe[] = [
  { id: 'words', title: 'Words only', about: 'One sentence.', results: one(said('North side.')) },
  { id: 'image', title: 'Picture', about: 'A sentence and a PNG.', results: one(said('North side.'), shown(red)) },
  { id: 'image-only', title: 'Picture alone', about: 'A PNG and not a word.', results: one(shown(red)) },
  {
    id: 'between',
    title: 'Words, picture, words',
    about: 'A PNG between two sentences.',
    results: one(said('North side.'), shown(red), said('South side.')),
  },
  {
    id: 'pdf',
    title: 'PDF',
    about: 'A sentence and a PDF of one page.',
    results: one(said('North side.'), shown(pdf)),
  },
  {
    id: 'both',
    title: 'Picture and PDF',
    about: 'A sentence, a PNG and a PDF.',
    results: one(said('North side.'), shown(red), shown(pdf)),
  },
  { id: 'audio', title: 'Sound', about: 'A sentence and a WAV.', results: one(said('North side.'), shown(wav)) },
  {
    id: 'office',
    title: 'Word document',
    about: 'A sentence and a docx.',
    results: one(said('North side.'), shown(docx)),
  },
  {
    id: 'error',
    title: 'Failed call with a picture',
    about: 'A result that is marked as an error, with a sentence and a PNG.',
    results: [{ id: 'call_1', isError: true, items: [said('North side.'), shown(red)] }],
  },
  {
    id: 'parallel',
    title: 'Three calls at once',
    about: 'Calls one and three return a PNG each, call two only words.',
    results: [
      { id: 'call_1', items: [said('North side.'), shown(red)] },
      { id: 'call_2', items: [said('Nothing there.')] },
      { id: 'call_3', items: [said('South side.'), shown(blue)] },
    ],
  },
  {
    id: 'thinking',
    title: 'Thoughts of Claude',
    about: 'Claude thought before it called; the history goes back to Claude, or on to another model.',
    results: one(said('North side.')),
    thinking: { text: 'Perhaps the badger sleeps under the bridge.', signature: 'EqQBCgIYAhIM'.repeat(12) },
  },
];

export function mediaOf({ results }: Probe): { medium: Medium; owner: string }[] {
  return results.flatMap(({ id, items }) =>
    items.flatMap((item) => ('medium' in item ? [{ medium: item.medium, owner: id }] : [])),
  );
}

/** 64×64 points that do not compress, so that the base64 is long enough to be found. */
function picture(name: string, seed: number): Medium {
  const rows = Buffer.alloc(64 * 193);
  let state = seed;
  for (let at = 0; at < rows.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    rows[at] = at % 193 === 0 ? 0 : state >>> 24;
  }
  const header = Buffer.from([0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0]);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
  return { kind: 'image', mediaType: 'image/png', name, base64: bytes.toString('base64') };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** Half a second at 8 kHz, one byte a sample. */
function tone(): Buffer {
  const samples = Buffer.from(Array.from({ length: 4000 }, (_, at) => 128 + Math.round(100 * Math.sin(at / 3))));
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
