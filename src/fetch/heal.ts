// A provider's complaint about what was sent → what is remembered about it, so that the next try looks different. Only
// complaints about media, and about too much of them, are answered.
import type { AssetId } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import type { Complaint } from '../model/heal/complaint.ts';
import { capabilities } from '../model/heal/repair.ts';
import { mostImages } from '../model/heal/shrink.ts';
import { mediaIn } from '../wire/same-content.ts';
import { sentPieces } from './body.ts';
import type { Made, SentTurn } from './body.ts';
import { mediumKey } from './memory.ts';
import type { Learned, Memory } from './memory.ts';

/** What was changed in the memory, to take it back when it did not help; undefined when nothing can be done. */
type Undo = () => void;

export function learn(
  complaint: Complaint,
  made: Made,
  about: { model: string; server: string },
  memory: Memory,
): Undo | undefined {
  const parts = made.parts.filter(({ known }) => known.media.length > 0);
  if (parts.length === 0) return undefined;
  switch (complaint.code) {
    case 'media':
      return learnMedia(complaint, made, parts, about, memory);
    case 'too-large':
    case 'context':
      return leaveOut(parts.slice(0, -1), memory) ?? lower(parts.slice(-1), () => true, memory);
    default:
      return undefined;
  }
}

function learnMedia(
  { message, unable, path }: Complaint,
  made: Made,
  parts: readonly SentTurn[],
  { model, server }: { model: string; server: string },
  memory: Memory,
): Undo | undefined {
  const before = memory.learned.get(server);
  const images = parts.reduce((sum, { known }) => sum + known.images, 0);
  const most = unable ? undefined : mostImages(message, images);
  if (unable) {
    const stated = { ...before?.profile?.capabilities, [capabilities[unable]]: false };
    return remember({ ...before, profile: { ...before?.profile, capabilities: stated } }, before, server, memory);
  }
  if (most !== undefined && most < images) return remember({ ...before, images: most }, before, server, memory);
  const named = path === undefined ? undefined : mediaAt(path, made);
  if (named) return lower([named.part], (id) => named.media.includes(id), memory);
  const isFresh = (id: AssetId): boolean => !memory.taken.get(mediumKey(model, id));
  const fresh = parts.filter(({ known }) => known.media.some(isFresh));
  return fresh.length > 0 ? lower(fresh, isFresh, memory) : lower(parts, () => true, memory);
}

function remember(learned: Learned, before: Learned | undefined, server: string, memory: Memory): Undo {
  memory.learned.set(server, learned);
  return () => (before ? memory.learned.set(server, before) : memory.learned.delete(server));
}

function leaveOut(parts: readonly SentTurn[], memory: Memory): Undo | undefined {
  const fresh = parts.filter(({ place }) => !memory.leftOut.get(place));
  if (fresh.length === 0) return undefined;
  for (const { place } of fresh) memory.leftOut.set(place, true);
  return () => fresh.forEach(({ place }) => memory.leftOut.delete(place));
}

function lower(parts: readonly SentTurn[], isSuspect: (id: AssetId) => boolean, memory: Memory): Undo {
  const before = parts.map(({ name }) => [name, memory.floors.get(name)] as const);
  for (const { name, known } of parts) {
    const floors = new Map(memory.floors.get(name));
    for (const id of known.media.filter(isSuspect)) floors.set(id, (floors.get(id) ?? 0) + 1);
    memory.floors.set(name, floors);
  }
  return () =>
    before.forEach(([name, floors]) => (floors ? memory.floors.set(name, floors) : memory.floors.delete(name)));
}

/** The media that a path in the request points at: `messages.5.content.0`, `input[3].output[1]`. */
function mediaAt(path: string, made: Made): { part: SentTurn; media: readonly AssetId[] } | undefined {
  const [, first = '', ...steps] = path.match(/\w+/g) ?? [];
  let index = Number(first);
  for (const part of made.parts) {
    const { from, to } = part.turn;
    const { count, media } = part.known;
    if (index >= from && index < from + count) {
      if (media.length === 0) return undefined;
      const items = JSON.parse(`[${sentPieces(part, made.source).join('')}]`) as unknown[];
      const all = mediaIn(items);
      const pointed = new Set(mediaIn(follow(items[index - from], steps)));
      // Where every medium stands as itself, the place of one tells which it is.
      return { part, media: all.length === media.length ? media.filter((_, at) => pointed.has(all[at])) : media };
    }
    index -= count - (to - from);
  }
  return undefined;
}

/** As far as there are media. Names of types between the steps, as Anthropic writes them, lead nowhere. */
function follow(item: unknown, steps: readonly string[]): unknown {
  let found = item;
  for (const step of steps) {
    const inner: unknown = Array.isArray(found) ? found[Number(step)] : isRecord(found) ? found[step] : undefined;
    if (mediaIn(inner).length > 0) found = inner;
  }
  return found;
}
