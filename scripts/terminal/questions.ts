// What is asked: files of one's own, each made here or lying in `examples/`, and two things that go wrong or come along.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { typical } from '../../test/media/typical-make.ts';

export type Question = {
  /** The row of the table. */
  what: string;
  prompt: string;
  /** The file that the prompt names. */
  file?: { name: string; make: () => Uint8Array | Promise<Uint8Array> };
  /** Words that only this file, or standard input, has. */
  words?: string;
  input?: string;
  /** Answers of the provider before it answers. */
  refusals?: number;
  /** How much arrives is what the row tells. */
  weighed?: true;
};

const picture = (): Uint8Array => readFileSync('examples/chart.png');

const about = (name: string): string => `what is in @${name}?`;

async function made(name: string): Promise<Uint8Array> {
  const make = typical[name];
  if (!make) throw new Error(`No file ${name} is made for the tests.`);
  return await make();
}

/** Large surfaces and fine grain, as a camera gives them; the grain is the same each time. */
async function photograph(): Promise<Uint8Array> {
  const [width, height] = [6000, 4000];
  const pixels = new Uint8Array(width * height * 3);
  let state = 7;
  for (let at = 0; at < pixels.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const x = Math.trunc(at / 3) % width;
    pixels[at] = 60 + Math.trunc((x / width) * 120) + (state >>> 27);
  }
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}

export const questions: readonly Question[] = [
  { what: 'a picture', prompt: about('chart.png'), file: { name: 'chart.png', make: picture } },
  { what: 'a PDF', prompt: about('report.pdf'), file: { name: 'report.pdf', make: () => readFileSync('examples/report.pdf') } },
  { what: 'a Word file', prompt: about('contract.docx'), words: 'Mill Lane', file: { name: 'contract.docx', make: () => made('contract.docx') } },
  { what: 'a workbook', prompt: about('budget.xlsx'), words: 'Budget', file: { name: 'budget.xlsx', make: () => made('budget.xlsx') } },
  { what: 'a PNG that ends in its middle', prompt: about('cut.png'), file: { name: 'cut.png', make: () => picture().subarray(0, picture().length >> 1) } },
  { what: 'a photograph of 6000×4000 pixels', prompt: about('photo.jpg'), weighed: true, file: { name: 'photo.jpg', make: photograph } },
  { what: 'words on standard input', prompt: 'what is this?', words: 'The heron stands in the reeds.', input: 'The heron stands in the reeds.' },
  { what: 'a provider that is overloaded twice', prompt: 'what is this?', refusals: 2 },
]; // prettier-ignore
