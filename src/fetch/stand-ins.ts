// The pictures of a turn, and what stands for each while the turn is read, decided and written: so a million letters are decoded
// once, and nowhere parsed, copied, compared or written anew. A stand-in is base64 as well, begins as its picture does and ends
// in what nobody outside can write; at the intake it is the picture. Only pictures as every SDK writes them have one.
import { base64Length, decodeBase64, encodeBase64 } from '../content/base64.ts';
import { isMedia } from '../content/block.ts';
import type { AssetId, Block } from '../content/block.ts';
import type { Hint, Intake } from '../content/intake.ts';
import type { AssetStore } from '../content/asset-store.ts';
import type { Read } from '../content/refusal.ts';
import { hasPicture, isCertain } from '../tool/base64-runs.ts';
import { longString } from './body-outline.ts';

/** The base64 of a picture, and where it, or what stands for it already, is found in a text. */
export type SpeltPicture = { from: number; to: number; letters: () => string };

type StoodFor = { from: number; to: number; letters: string; bytes: Uint8Array; standIn: string };

export type StandIns = {
  /** The text with stand-ins in place of its pictures. */
  text: string;
  /** Gives the picture behind a stand-in to the intake. */
  at: (intake: Intake) => Intake;
  /** The stand-in of a picture that was stored just as it came. */
  of: (id: AssetId, assets: AssetStore) => Promise<string | undefined>;
  /** A text as it goes out: what stands between its stand-ins, and where their pictures are found. */
  cut: (text: string) => { before: string; place: { from: number; to: number }; after: string } | undefined;
  /** Whether a stand-in is left in a text. */
  isIn: (text: string) => boolean;
};

/** Shorter ones are as soon read as they are. */
const fewestLetters = 8 * 1024;
const headBytes = (longString * 3) / 4;
const secretBytes = 24;
const countLetters = 8;
const standInBytes = headBytes + secretBytes + (countLetters * 3) / 4;

/** Pictures that fill a string of JSON, also in JSON within a string, alone or as a data URI. */
export function* picturesSpelt(text: string): Generator<SpeltPicture> {
  for (let open = text.indexOf('"'); open >= 0;) {
    const close = text.indexOf('"', open + 1);
    if (close - open > fewestLetters) {
      const [uri = ''] = /^data:image\/[a-z.+-]+;base64,/.exec(text.slice(open + 1, open + 60)) ?? [];
      const from = open + 1 + uri.length;
      let to = close;
      while (text[to - 1] === '\\') to--;
      yield { from, to, letters: () => text.slice(from, to) };
    }
    open = close;
  }
}

export function standInsFor(text: string, places: Iterable<SpeltPicture>): StandIns {
  const all: StoodFor[] = [];
  const secret = encodeBase64(crypto.getRandomValues(new Uint8Array(secretBytes)));
  const parts: string[] = [];
  let at = 0;
  for (const place of places) {
    const found = stoodFor(place, all, secret);
    if (!found) continue;
    parts.push(text.slice(at, place.from), found.standIn);
    at = place.to;
  }
  const stored = new Map<AssetId, StoodFor>();

  return {
    text: [...parts, text.slice(at)].join(''),
    at: (intake) => {
      if (all.length === 0) return intake;
      const checked = new Map<string, Promise<Read<Block>>>();
      const look = async (one: StoodFor, hint: Hint | undefined): Promise<Read<Block>> => {
        const read = await intake.check(one.bytes, hint);
        if (read.ok && isMedia(read.value) && read.value.asset.size === one.bytes.length)
          stored.set(read.value.asset.id, one);
        return read;
      };
      const check: Intake['check'] = (bytes, hint) => {
        const index = indexIn(bytes, secret);
        const one = all[index];
        if (!one) return intake.check(bytes, hint);
        const key = JSON.stringify([index, hint]);
        const result = checked.get(key) ?? look(one, hint);
        checked.set(key, result);
        return result;
      };
      return {
        ...intake,
        check,
        keep: (bytes, about) => intake.keep(all[indexIn(bytes, secret)]?.bytes ?? bytes, about),
      };
    },
    of: async (id, assets) => {
      const one = stored.get(id);
      return one && isSame(one.bytes, await assets.get(id)) ? one.standIn : undefined;
    },
    cut: (given) => {
      const mark = all.length === 0 ? -1 : given.indexOf(secret);
      const start = mark - longString;
      const one = all.find(({ standIn }) => start >= 0 && given.startsWith(standIn, start));
      if (!one) return undefined;
      const { from, to, standIn } = one;
      return { before: given.slice(0, start), place: { from, to }, after: given.slice(start + standIn.length) };
    },
    isIn: (given) => all.length > 0 && given.includes(secret),
  };
}

/** Equal pictures have one stand-in. */
function stoodFor({ from, to, letters: read }: SpeltPicture, all: StoodFor[], secret: string): StoodFor | undefined {
  const letters = read();
  if (letters.length < fewestLetters || !isCertain(letters) || !hasPicture(letters.slice(0, 40))) return undefined;
  const same = all.find((one) => one.letters === letters);
  if (same) return same;
  const bytes = bytesSpelt(letters);
  if (!bytes) return undefined;
  const count = all.length.toString(36).padStart(countLetters, '0');
  const standIn = letters.slice(0, longString) + secret + count;
  return all[all.push({ from, to, letters, bytes, standIn }) - 1];
}

/** The bytes that are written with just these letters; undefined where they could be written otherwise. */
function bytesSpelt(letters: string): Uint8Array | undefined {
  if (letters.length % 4 !== 0 || letters.includes('-') || letters.includes('_')) return undefined;
  const bytes = decodeBase64(letters);
  if (!bytes || base64Length(bytes.length) !== letters.length) return undefined;
  const isExact = encodeBase64(bytes.subarray(bytes.length - (bytes.length % 3 || 3))) === letters.slice(-4);
  return isExact ? bytes : undefined;
}

/** Which of the pictures bytes stand for; none where they stand for themselves. */
function indexIn(bytes: Uint8Array, secret: string): number {
  if (bytes.length !== standInBytes) return -1;
  const tail = encodeBase64(bytes.subarray(headBytes));
  return tail.startsWith(secret) ? Number.parseInt(tail.slice(secret.length), 36) : -1;
}

function isSame(one: Uint8Array, other: Uint8Array | undefined): boolean {
  if (one.length !== other?.length) return false;
  const { Buffer: nodes } = globalThis as { Buffer?: { compare: (a: Uint8Array, b: Uint8Array) => number } };
  return nodes ? nodes.compare(one, other) === 0 : one.every((byte, at) => byte === other[at]);
}
