// The last guard on text bound for a model. Text is not a picture: code, logs, hex and tokens pass untouched. A medium
// hidden in text as base64, or as a Buffer in JSON, is lifted out, and only decoding and checking decides that it is one.
// What is known and cannot be shown (a cut picture, an archive, a program) is kept as an asset and leaves words that say
// why. What decodes to nothing known is text, however long it is.
import type { MediaBlock } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { refuse } from '../content/refusal.ts';
import type { Refusal } from '../content/refusal.ts';
import { safeName } from '../content/text.ts';
import { foundNote, keptNote, unshownNote } from '../content/words.ts';
import type { Intake } from '../content/intake.ts';
import { maxRun } from '../content/limits.ts';
import { bytesOfLetters, findRuns } from './base64-runs.ts';
import type { Run } from './base64-runs.ts';
import { findBuffers } from './json-buffers.ts';
import type { SpeltBytes } from './json-buffers.ts';

export type GuardedText = { text: string; media: MediaBlock[]; refused: Refusal[] };

/** Text with every hidden medium lifted out, the media in the order of the text, and why others are not among them. */
export async function guardText(text: string, intake: Intake, ordinal = 1): Promise<GuardedText> {
  const media: MediaBlock[] = [];
  const refused: Refusal[] = [];
  const pieces: string[] = [];
  let at = 0;
  for (const run of inOrder(findRuns(text, maxRun), findBuffers(text))) {
    const lifted = await lift(run, intake, ordinal + media.length);
    if (!lifted) continue;
    pieces.push(text.slice(at, run.start), lifted.note);
    if (lifted.block) media.push(lifted.block);
    if (lifted.refusal) refused.push(lifted.refusal);
    at = lifted.end;
  }
  return { text: pieces.length === 0 ? text : pieces.join('') + text.slice(at), media, refused };
}

/** Base64 and lists of bytes never lie within each other. */
function* inOrder(runs: Iterable<Run>, buffers: Generator<SpeltBytes>): Generator<Run | SpeltBytes> {
  let { value: buffer, done } = buffers.next();
  for (const run of runs) {
    for (; !done && buffer.start < run.start; { value: buffer, done } = buffers.next()) yield buffer;
    yield run;
  }
  for (; !done; { value: buffer, done } = buffers.next()) yield buffer;
}

type Lifted = { note: string; end: number; block?: MediaBlock; refusal?: Refusal };

/** A run that is something known leaves the text; one that is nothing known is text. */
async function lift(run: Run | SpeltBytes, intake: Intake, ordinal: number): Promise<Lifted | undefined> {
  const isMeant = 'bytes' in run || run.certain || run.body.length > maxRun;
  let unshown: { bytes: Uint8Array; refusal: Refusal } | undefined;
  for (const { bytes, end } of 'bytes' in run ? [run] : isMeant || run.candidate ? readings(run) : []) {
    const read = await intake.check(bytes);
    if (read.ok && isMedia(read.value)) return { note: foundNote(read.value, ordinal), end, block: read.value };
    if (!read.ok) unshown ??= { bytes, refusal: read.refusal };
  }
  if (!unshown || !isKnown(unshown.refusal) || !isMeant) return undefined;
  const { refusal, bytes } = unshown;
  return { note: await notShown(refusal, bytes, intake), end: run.end, refusal };
}

/** Whether bytes were refused as what they are, and not because nobody knows what they are. */
export function isKnown({ code }: Refusal): boolean {
  return code !== 'unknown' && code !== 'empty';
}

/** The words that stand for bytes that were refused; the bytes are kept, where there is room for them. */
export async function notShown(refusal: Refusal, bytes: Uint8Array, intake: Intake): Promise<string> {
  const asset = await intake.keep(bytes, { mediaType: 'application/octet-stream' }).catch(() => undefined);
  return unshownNote(refusal, asset);
}

/** The words that stand for bytes that no model can be shown and nobody knows. */
export async function keptInWords(
  bytes: Uint8Array,
  intake: Intake,
  about: Parameters<Intake['keep']>[1] = { mediaType: 'application/octet-stream' },
): Promise<string> {
  try {
    return keptNote(await intake.keep(bytes, about));
  } catch (error) {
    return unshownNote(notTaken(error, about.name).refusal);
  }
}

/** The intake where a store that fails (a full disk, say) costs a medium its place, and not the words beside it theirs. */
export function forgiving(intake: Intake): Intake {
  return {
    ...intake,
    check: async (bytes, hint) => {
      try {
        return await intake.check(bytes, hint);
      } catch (error) {
        return notTaken(error, hint?.name);
      }
    },
  };
}

/** Messages of the system name places that are no one's business; its codes do not. */
function notTaken(error: unknown, name?: string): { ok: false; refusal: Refusal } {
  const { code, message } = error instanceof Error ? (error as Error & { code?: unknown }) : { message: String(error) };
  const what = `${name === undefined ? 'It' : safeName(name)} could not be stored or looked at: `;
  return refuse(
    'not-allowed',
    what + (typeof code === 'string' ? code : message),
    'Do without it, or try again later.',
  );
}

/** With its last line and without it: first the one whose bytes end as their format says, then the one that is not cut. */
function readings(run: Run): { bytes: Uint8Array; end: number }[] {
  const both = [run, ...(run.other ? [run.other] : [])].flatMap(({ body, end }) => {
    const read = bytesOfLetters(body);
    return read ? [{ bytes: read.bytes, end, rank: 2 * Number(endsWell(read.bytes)) + Number(read.isWhole) }] : [];
  });
  return both.toSorted((one, other) => other.rank - one.rank);
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
