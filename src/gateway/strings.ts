// The long strings of bodies. A string that is the base64 of some bytes is remembered by its hash: when it comes again, the
// letters that arrived are let go, what was found out about them is known, and those that are kept are written.
import { createHash } from 'node:crypto';
import { decodeBase64 } from '../content/base64.ts';
import { isMedia } from '../content/block.ts';
import type { Block } from '../content/block.ts';
import { mediaTypeOf } from '../content/header-intake.ts';
import { inputBlocks } from '../content/input.ts';
import type { BlockInput } from '../content/input.ts';
import { resolveBlock } from '../content/intake.ts';
import type { Intake } from '../content/intake.ts';
import { isRecord } from '../content/json.ts';
import type { AssetStore } from '../content/asset-store.ts';
import { boundedMap } from '../fetch/memory.ts';
import type { Bounded } from '../fetch/memory.ts';
import type { MarkedText } from '../fetch/marked.ts';
import type { MessageInput } from '../message/message.ts';
import type { Accepted } from '../wire/accepted.ts';

/** Base64 that came, the type that its bytes show, and what they turned out to be, by what was said about them. */
export type KnownString = { letters: Buffer<ArrayBuffer>; mediaType: string; blocks: Map<string, Block> };

/** A long string of one body: known, or as its letters came. */
export type BodyString = { hash: string; length: number } & (
  | { known: KnownString; letters?: undefined }
  | { known?: undefined; letters: readonly Uint8Array[] }
);

/** What is known by its hash, and the hash of the newest that looked so at a glance. */
export type KnownStrings = Bounded<KnownString> & { alike: Bounded<string> };

const [mostKnown, heaviest] = [10_000, 128 * 1024 * 1024];

export function openKnownStrings(): KnownStrings {
  const known = boundedMap(mostKnown, heaviest, ({ letters }: KnownString) => letters.length);
  return { ...known, alike: boundedMap(mostKnown) };
}

/** Nobody outside can write it: it is made anew with every process and never leaves it. */
const secret = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) =>
  String.fromCharCode(97 + (byte % 26)),
).join('');
const marks = new RegExp(`${secret}([0-9a-f]{64})`, 'g');

/** What stands for a string in the text of its body. */
export function stringMark(hash: string): string {
  return secret + hash;
}

/** The strings of one body, and the ways between its text with marks and without. */
export type BodyStrings = MarkedText & {
  all: ReadonlyMap<string, BodyString>;
  /** The whole text as bytes, of which the letters are not copied. */
  chunks: (text: string) => Uint8Array[];
};

/** Remembers what is new among the strings of a body; their letters are then let go. */
export function stringsOf(found: readonly BodyString[], known: KnownStrings): BodyStrings {
  const all = new Map(found.map((one) => [one.hash, learned(one, known)]));
  const whole: MarkedText['whole'] = (text) =>
    all.size === 0 ? text : text.replaceAll(marks, (mark, hash: string) => lettersOf(all.get(hash)) ?? mark);
  return {
    all,
    whole,
    *pictures(text) {
      for (const { 0: mark, 1: hash = '', index: from } of text.matchAll(marks)) {
        const string = all.get(hash);
        if (string?.known?.mediaType.startsWith('image/'))
          yield { from, to: from + mark.length, letters: () => lettersOf(string) ?? '' };
      }
    },
    markOf: (letters) => {
      const same = [...all.values()].find((one) => one.length === letters.length && lettersOf(one) === letters);
      return same && stringMark(same.hash);
    },
    lengthOf: (text) => {
      let length = text.length;
      if (all.size > 0)
        for (const [mark, hash = ''] of text.matchAll(marks))
          length += (all.get(hash)?.length ?? mark.length) - mark.length;
      return length;
    },
    kept: (text) => {
      if (!decodeBase64(text)) return undefined;
      const letters = Buffer.from(text, 'latin1');
      return { hash: lettersHash([letters]), letters };
    },
    put: ({ hash, letters }) => {
      if (!all.has(hash)) all.set(hash, { hash, length: letters.length, letters: [letters] });
      return stringMark(hash);
    },
    chunks: (text) => {
      if (all.size === 0) return [Buffer.from(text)];
      return text.split(marks).flatMap((part, at) => {
        const string = at % 2 === 1 ? all.get(part) : undefined; // every second one is a hash
        if (string) return string.known ? [string.known.letters] : string.letters;
        return part === '' ? [] : [Buffer.from(part)];
      });
    },
  };
}

function learned(string: BodyString, known: KnownStrings): BodyString {
  if (string.known) return string;
  const { hash, length } = string;
  const letters = Buffer.concat(string.letters);
  const bytes = decodeBase64(letters.toString('latin1'));
  if (!bytes) return string;
  const now: KnownString = { letters, mediaType: mediaTypeOf(bytes), blocks: new Map() };
  known.set(hash, now);
  return { hash, length, known: now };
}

/** The name of a string: the hash of its letters, in whatever pieces they came. */
export function lettersHash(letters: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const piece of letters) hash.update(piece);
  return hash.digest('hex');
}

function lettersOf(string: BodyString | undefined): string | undefined {
  if (!string) return undefined;
  return (string.known?.letters ?? Buffer.concat(string.letters ?? [])).toString('latin1');
}

/** What was read of a body, with checked blocks where its media stand, and everything else as it came. */
export async function withMedia(
  accepted: Accepted,
  strings: BodyStrings,
  { intake, assets }: { intake: Intake; assets: AssetStore },
): Promise<Accepted> {
  if (strings.all.size === 0) return accepted;
  const { transcript, ...rest } = accepted;
  const messages: MessageInput[] = [];
  for (const message of transcript.messages) {
    const content: BlockInput[] = [];
    for (const block of inputBlocks(message.content)) {
      const string = 'data' in block && typeof block.data === 'string' ? stringIn(block.data, strings) : undefined;
      const checked = string?.known && (await checkedBlock(block, string.known, intake, assets));
      content.push(checked ?? (restored(block, strings) as BlockInput));
    }
    messages.push({ ...message, content });
  }
  const { messages: _messages, ...others } = transcript;
  return {
    ...(restored(rest, strings) as typeof rest),
    transcript: { ...(restored(others, strings) as typeof others), messages },
  };
}

function stringIn(data: string, { all }: BodyStrings): BodyString | undefined {
  const [, hash = ''] = new RegExp(marks.source + '$').exec(data) ?? [];
  return all.get(hash);
}

/** The block that these bytes turned out to be; undefined when they cannot be shown. */
async function checkedBlock(
  given: BlockInput,
  { letters, blocks }: KnownString,
  intake: Intake,
  assets: AssetStore,
): Promise<Block | undefined> {
  const key = JSON.stringify({ ...given, data: undefined });
  const before = blocks.get(key);
  if (before && isMedia(before) && (await assets.missing([before.asset.id])).size === 0) return before;
  const read = await resolveBlock(
    { ...given, data: decodeBase64(letters.toString('latin1')) } as BlockInput,
    intake,
    'tool',
  );
  if (!read.ok) return undefined;
  blocks.set(key, read.value);
  return read.value;
}

/** The same value with letters in place of marks, at any depth. */
export function restored(value: unknown, strings: BodyStrings): unknown {
  if (strings.all.size === 0) return value;
  if (typeof value === 'string') return value.includes(secret) ? strings.whole(value) : value;
  if (Array.isArray(value)) return value.map((item) => restored(item, strings));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restored(item, strings)]));
}
