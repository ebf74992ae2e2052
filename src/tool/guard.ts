// The last guard on text bound for a model. Text is not a picture: code, logs, hex and tokens pass untouched. A medium
// hidden in text as base64 is lifted out, and only decoding and checking decides that it is one. Unbroken base64 that
// is no medium passes up to 16 KiB; a longer run is kept as an asset and leaves a note, so nothing is lost.
import type { Block, MediaBlock } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { decodeBase64, encodeBase64 } from '../content/base64.ts';
import { foundNote, keptNote } from '../content/words.ts';
import type { Intake } from '../content/intake.ts';
import { maxRun } from '../content/limits.ts';
import { findRuns } from './base64-runs.ts';
import type { Run } from './base64-runs.ts';

export type Found = { text: string; media: MediaBlock[] };

/** Text with every hidden medium lifted out, and the media in the order of the text. */
export async function guardText(text: string, intake: Intake, ordinal = 1): Promise<Found> {
  const media: MediaBlock[] = [];
  const pieces: string[] = [];
  let at = 0;
  for (const run of findRuns(text, maxRun)) {
    const lifted = await lift(run, intake, ordinal + media.length);
    if (!lifted) continue;
    pieces.push(text.slice(at, run.start), lifted.note);
    if (lifted.block) media.push(lifted.block);
    at = lifted.end;
  }
  return pieces.length === 0 ? { text, media } : { text: pieces.join('') + text.slice(at), media };
}

type Lifted = { note: string; end: number; block?: MediaBlock };

async function lift(run: Run, intake: Intake, ordinal: number): Promise<Lifted | undefined> {
  for (const { bytes, end } of run.candidate ? readings(run) : []) {
    const block = await checkedMedia(bytes, intake);
    if (block) return { note: foundNote(block, ordinal), end, block };
  }
  if (run.body.length <= maxRun) return undefined;
  const bytes = decodeBase64(run.body);
  const exact = bytes && encodeBase64(bytes).startsWith(run.body);
  const asset = exact
    ? await intake.keep(bytes, { mediaType: 'application/octet-stream' })
    : await intake.keep(new TextEncoder().encode(run.body), { mediaType: 'text/plain' });
  return { note: keptNote(asset), end: run.end };
}

/** With its last line and without it: first the one whose bytes end as their format says. */
function readings(run: Run): { bytes: Uint8Array; end: number }[] {
  const both = [run, ...(run.shorter ? [run.shorter] : [])].flatMap(({ body, end }) => {
    const bytes = decodeBase64(body);
    return bytes ? [{ bytes, end }] : [];
  });
  return both.toSorted((one, other) => Number(endsWell(other.bytes)) - Number(endsWell(one.bytes)));
}

/** Whether the bytes end where PNG, JPEG, GIF, RIFF and PDF files end. */
function endsWell(bytes: Uint8Array): boolean {
  const tail = (count: number): string => String.fromCharCode(...bytes.subarray(-count));
  const [first, second] = bytes;
  if (first === 0x89) return tail(8).startsWith('IEND');
  if (first === 0xff && second === 0xd8) return tail(2) === '\u00ff\u00d9';
  if (first === 0x47) return bytes.at(-1) === 0x3b;
  if (first === 0x25) return /%%EOF\s*$/.test(tail(16));
  if (first !== 0x52 || bytes.length < 8) return false;
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true) + 8;
  return bytes.length === size || bytes.length === size + 1;
}

/** The medium behind some bytes, or nothing when they are none that can be shown. */
export async function checkedMedia(bytes: Uint8Array, intake: Intake, name?: string): Promise<MediaBlock | undefined> {
  const read = await intake.check(bytes, name === undefined ? {} : { name });
  return read.ok && isMedia(read.value) ? read.value : undefined;
}

/** Blocks with the guard applied to each text among them (a sealed one goes back as it came); media are counted in the order of the blocks. */
export async function guardBlocks(blocks: readonly Block[], intake: Intake): Promise<Block[]> {
  const out: Block[] = [];
  let ordinal = 1;
  for (const block of blocks) {
    if (block.type === 'text' && !block.seal) {
      const found = await guardText(block.text, intake, ordinal);
      out.push(found.text === block.text ? block : { type: 'text', text: found.text }, ...found.media);
      ordinal += found.media.length;
    } else if (isMedia(block)) {
      const found = await guardText(block.fallback ?? '', intake, ordinal + 1);
      out.push(found.text === (block.fallback ?? '') ? block : { ...block, fallback: found.text }, ...found.media);
      ordinal += 1 + found.media.length;
    } else out.push(block);
  }
  return out;
}
