// A provider's complaint about what was sent → what is remembered about it, so that the next try looks different. Only
// complaints about media, too much of them, and what has to stand beside them are answered.
import type { MediumId } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import type { Complaint } from '../model/heal/complaint.ts';
import { capabilities } from '../model/heal/repair.ts';
import { fewerThan } from '../model/heal/shrink.ts';
import { wires } from '../wire/registry.ts';
import type { Turns } from '../wire/turns.ts';
import { sentPieces } from './body.ts';
import type { Made, SentTurn } from './body.ts';
import { learnAbout, lowerBy, mediumKey } from './memory.ts';
import type { Learned, FetchMemory, Taught } from './memory.ts';

/** A change of the memory after which the same request is written differently. */
type Remedy = (memory: Taught) => void;

/** A medium that may be to blame, and the turn that it stands in. */
type Suspect = { part: SentTurn; id: MediumId };

/** What may help against a complaint, to be tried one after the other. */
export function remediesFor(
  complaint: Complaint,
  made: Made,
  about: { model: string; server: string },
  memory: FetchMemory,
): Remedy[] {
  if (complaint.code === 'reference') return referenceRemedies(complaint, made, about, memory);
  const parts = made.parts.filter(({ known }) => known.media.length > 0);
  const all = parts.flatMap((part) => part.known.media.map((id): Suspect => ({ part, id })));
  if (all.length === 0) return [];
  switch (complaint.code) {
    case 'media':
      return mediaRemedies(complaint, made, all, about, memory);
    case 'too-large':
    case 'context': {
      const older = parts.slice(0, -1).filter(({ place }) => !memory.leftOut.get(place));
      const newest = all.filter(({ part }) => part === parts.at(-1));
      return [older.length > 0 ? leaveOut(older) : lower(newest)];
    }
    default:
      return complaint.dialect ? [teach({ profile: { dialect: complaint.dialect } }, about.server)] : [];
  }
}

function mediaRemedies(
  complaint: Complaint,
  made: Made,
  all: readonly Suspect[],
  { model, server }: { model: string; server: string },
  memory: FetchMemory,
): Remedy[] {
  const { unable, orElse, path } = complaint;
  const forgo = (kind: keyof typeof capabilities): Remedy =>
    teach({ profile: { capabilities: { [capabilities[kind]]: false } } }, server);
  if (unable) return [forgo(unable), ...(orElse ? [forgo(orElse)] : [])];
  const images = fewerThan(
    made.parts.map(({ known }) => known),
    complaint,
  );
  if (images !== undefined) return [teach({ images }, server)];
  const named = path === undefined ? [] : mediaAt(path, made);
  if (named.length === 1) return [lower(named), lower(named, toWords)];
  return lowerFirst([notYetTaken(named, model, memory), notYetTaken(all, model, memory), all]);
}

/** Media by their addresses or ids that a provider cannot open: fetched where that is allowed, else words. */
function referenceRemedies(
  { path }: Complaint,
  made: Made,
  { model }: { model: string },
  memory: FetchMemory,
): Remedy[] {
  const all = made.parts.flatMap((part) => part.known.elsewhere.map((id): Suspect => ({ part, id })));
  const index = path === undefined ? -1 : Number(path.match(/\w+/g)?.[1] ?? -1);
  const named = all.filter(({ part: { turn } }) => index >= turn.from && index < turn.to);
  return lowerFirst([named, notYetTaken(all, model, memory), all]);
}

/** Those of which nobody knows that this model takes them. */
function notYetTaken(some: readonly Suspect[], model: string, memory: FetchMemory): Suspect[] {
  return some.filter(({ id }) => !memory.taken.get(mediumKey(model, id)));
}

/** The first group that has somebody in it: lowered one after the other, in the end all to words. */
function lowerFirst(groups: readonly (readonly Suspect[])[]): Remedy[] {
  const suspects = groups.find((some) => some.length > 0);
  if (suspects === undefined) return [];
  return [...inTurn(suspects).map((some) => lower(some)), lower(suspects, toWords)];
}

/** So many rungs down, of every medium only words are left. */
const toWords = 3;

/** How many suspects are tried alone. */
const mostAlone = 4;

/** One after the other, the newest first, and only then all together. */
function inTurn(suspects: readonly Suspect[]): (readonly Suspect[])[] {
  const alone = suspects.slice(-mostAlone).toReversed();
  return [...alone.map((one) => [one]), ...(suspects.length > 1 ? [suspects] : [])];
}

function teach(more: Learned, server: string): Remedy {
  return (memory) => learnAbout(memory, server, more);
}

function leaveOut(parts: readonly SentTurn[]): Remedy {
  return ({ leftOut }) => parts.forEach(({ place }) => leftOut.set(place, true));
}

function lower(guilty: readonly Suspect[], rungs = 1): Remedy {
  return (memory) => guilty.forEach(({ part, id }) => lowerBy(rungs, memory, part.name, [id]));
}

/** The media that a path in the request leads to: `messages.5.content.0`, `input[3].output[1]`. */
function mediaAt(path: string, made: Made): Suspect[] {
  const [, first, ...steps] = path.match(/\w+/g) ?? [];
  let index = first === undefined ? -1 : Number(first);
  for (const part of made.parts) {
    const { from, to } = part.turn;
    const { count, media } = part.known;
    if (index >= from && index < from + count) {
      const items = JSON.parse(
        made.marks.whole(`[${sentPieces(part, made.source, made.marks).join('')}]`),
      ) as unknown[];
      const { media: mediaIn } = wires[made.wire].turns;
      const all = mediaIn(items);
      const pointed = new Set(mediaIn(follow(items[index - from], steps, mediaIn)));
      // Where every medium stands as itself, the place of one tells which it is.
      const found = all.length === media.length ? media.filter((_, at) => pointed.has(all[at])) : media;
      return found.map((id) => ({ part, id }));
    }
    index -= count - (to - from);
  }
  return [];
}

/** As far as there are media. Names of types between the steps, as Anthropic writes them, lead nowhere. */
function follow(item: unknown, steps: readonly string[], mediaIn: Turns['media']): unknown {
  let found = item;
  for (const step of steps) {
    const inner: unknown = Array.isArray(found) ? found[Number(step)] : isRecord(found) ? found[step] : undefined;
    if (mediaIn(inner).length > 0) found = inner;
  }
  return found;
}
