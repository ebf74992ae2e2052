// A conversation turn by turn: as its session holds it, or, of strangers, as its newest request and its answer tell it.
import { parsed } from '../content/json.ts';
import { mediaLead } from '../content/words.ts';
import { turnsOf } from '../page/timeline.ts';
import type { TimelinePart, TimelineRequest, TimelineTurn } from '../page/timeline.ts';
import { sectionsOf, stateOf } from '../page/view.ts';
import type { ShownRow, ViewLeaf, ViewSection } from '../page/view.ts';
import { replayChain } from '../record/table.ts';
import { saidIn } from '../session/export/page/page.ts';
import type { SessionStore } from '../session/store.ts';
import { rowsThere, tableOf, withFiles } from './look.ts';
import { sessionEntries } from './said.ts';

/** So many turns of a conversation; `from` counts from its beginning. */
export type TimelineView = { turns: readonly TimelineTurn[]; from: number; all: number };

/** The turns from there on; without a place, the newest ones. */
export async function timelineOf(
  store: SessionStore,
  id: string,
  { from, count }: { from?: number | undefined; count: number },
): Promise<TimelineView> {
  const rows = await rowsThere(store, id);
  const entries = await sessionEntries(store, id);
  const turns = entries ? withRequests(turnsOf(saidIn(entries)), rows) : await strangersTurns(store, rows);
  const first = Math.max(0, from ?? turns.length - count);
  return { turns: turns.slice(first, first + count), from: first, all: turns.length };
}

/** Each answer with the requests that led to it: those that were planned after what was said before it. */
function withRequests(turns: readonly TimelineTurn[], rows: readonly ShownRow[]): TimelineTurn[] {
  let last = 0;
  return turns.map((turn) => {
    const { id = 0, who } = turn;
    const requests = who === 'assistant' ? requestsBetween(rows, last, turn) : [];
    if (who === 'assistant') last = id;
    return requests.length > 0 ? { ...turn, requests } : turn;
  });
}

function requestsBetween(
  rows: readonly ShownRow[],
  from: number,
  { id: to = 0, name }: TimelineTurn,
): TimelineRequest[] {
  return rows.flatMap((row, at): TimelineRequest[] => {
    const { upTo = -1, purpose } = row;
    if (upTo < from || upTo >= to || row.model !== name) return [];
    const state = stateOf(row, Date.now());
    return [{ id: row.id, number: at + 1, state: purpose === 'answer' ? state : purpose }];
  });
}

async function strangersTurns(store: SessionStore, rows: readonly ShownRow[]): Promise<TimelineTurn[]> {
  const newest =
    rows.findLast(({ purpose, ended }) => purpose === 'answer' && ended?.state === 'answered') ?? rows.at(-1);
  const chain = newest ? await tableOf(store).chain(newest.id) : [];
  const whole = replayChain(chain);
  if (!newest || typeof whole === 'string') return [];
  const sections = await withFiles(sectionsOf(whole.body, undefined, whole.receipts), store.assets);
  const turns = toldTurns(sections);
  const answer = chain.at(-1)?.answer;
  const told = answer ? turnsOf([{ message: answer }]) : [];
  const number = rows.indexOf(newest) + 1;
  const state = stateOf(newest, Date.now());
  return [...turns, ...told.map((turn) => ({ ...turn, requests: [{ id: newest.id, number, state }] }))];
}

/** Sections of a body as turns: no system prompt and no tools, and a result beside its call. */
function toldTurns(sections: readonly ViewSection[]): TimelineTurn[] {
  const open: CallPart[] = [];
  return sections.flatMap(({ title, leaves, path }): TimelineTurn[] => {
    const parts = leaves.flatMap((leaf) => partsOf(leaf, title === 'Thinking'));
    if (path.length < 2 || title === 'System prompt' || parts.length === 0) return [];
    open.push(...parts.filter((part) => part.kind === 'call'));
    if (title === 'Assistant' || title === 'Call' || title === 'Thinking')
      return [{ who: 'assistant', name: 'Assistant', parts }];
    const isMedia = leaves.some((leaf) => leaf.kind === 'text' && leaf.text.startsWith(mediaLead));
    if (title === 'User' && !isMedia) return [{ who: 'user', name: 'You', parts }];
    const at = open.findIndex(({ name }) => title === `Result of ${name}`);
    const [call] = at < 0 ? [] : open.splice(at, 1);
    if (call) call.result.push(...parts);
    const name = isMedia ? 'Media of tools' : title;
    return call ? [] : [{ who: 'tool', name, parts: [{ kind: 'call', name, state: 'done', result: parts }] }];
  });
}

type CallPart = TimelinePart & { kind: 'call' };

const thoughts = new Set<unknown>(['thinking', 'reasoning', 'reasoning_content']);

/** Words that Sightline put in beside media are no part of what was said. */
function partsOf(leaf: ViewLeaf, isThinking: boolean): TimelinePart[] {
  if (leaf.kind === 'call')
    return [{ kind: 'call', name: leaf.name, input: parsed(leaf.input) ?? leaf.input, state: 'done', result: [] }];
  if (leaf.kind === 'text') {
    const text = leaf.ours && !leaf.told ? leaf.original : leaf.text;
    if (text === undefined) return [];
    return [{ kind: isThinking || thoughts.has(leaf.path.at(-1)) ? 'thinking' : 'text', text }];
  }
  const { $asset: id, size, mediaType } = leaf.medium;
  return [{ kind: 'medium', medium: { type: 'medium', asset: { id, size, mediaType } } }];
}
