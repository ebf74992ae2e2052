// What a model is shown of twelve documents as people get them, whole, so that somebody can read it critically. A change
// of any of it is a change of the file in test/fixtures/typical: SIGHTLINE_FIXTURES=write writes them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { refusalText } from '../../src/content/refusal.ts';
import { canReadPictures, limits, read } from '../../src/media/index.ts';
import { prepare } from '../../src/model/prepare.ts';
import { typical } from './typical-make.ts';

const folder = new URL('../fixtures/typical/', import.meta.url);
const assets = memoryAssets();
Object.assign(limits, { ocrMs: 240_000 });

/** A model that neither sees nor takes files: everything reaches it as words. */
const blind = 'openai/gpt-3.5-turbo';

async function shownTo(model: string, bytes: Buffer, name: string): Promise<string> {
  const reading = await read(bytes, { assets, name });
  if (!reading.ok) throw new Error(refusalText(reading.refusal));
  const { plan } = await prepare({ messages: [{ role: 'user', content: reading.value.blocks }] }, { model, assets });
  const [item] = plan.items;
  if (item?.role !== 'user') throw new Error('nothing is shown');
  return item.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n\n');
}

/** Read off pictures, which takes the part that reads them. */
const pictures = new Set(['scanned-letter.pdf', 'receipt.jpg']);

/** Without what differs from machine to machine: hashes of compressed bytes, and how sure OCR is. */
function steady(text: string): string {
  return text.replaceAll(/confidence \d+ %/g, 'confidence … %').replaceAll(/asset [\da-f]{8}/g, 'asset …');
}

describe('what a model is shown of', () => {
  test.for(Object.keys(typical))('%s', async (name, { skip }) => {
    skip(pictures.has(name) && !canReadPictures(), 'what reads words off pictures is not installed');
    const bytes = (await typical[name]?.()) ?? Buffer.alloc(0);
    const shown = `${steady(await shownTo(blind, bytes, name))}\n`;
    const file = new URL(`${name}.txt`, folder);
    if (process.env['SIGHTLINE_FIXTURES'] === 'write') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, shown);
    }
    expect(existsSync(file)).toBe(true);
    expect(shown).toBe(readFileSync(file, 'utf8'));
  });
});
