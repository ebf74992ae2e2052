// Records → what the page shows. Everything is read; nothing is planned, but for the question what another model would get.
import type { AssetId } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { timeText } from '../content/figures.ts';
import { SightlineError } from '../content/refusal.ts';
import { cutText } from '../content/text.ts';
import type { Message } from '../message/message.ts';
import { prepare } from '../model/prepare.ts';
import { leavesOf, sectionsOf } from '../page/view.ts';
import type { Original, RequestView, ViewSection } from '../page/view.ts';
import { assetsInBody, keptBody, skeletonOf } from '../record/body.ts';
import type { KeptBody } from '../record/body.ts';
import { prefixBreak } from '../record/prefix.ts';
import { replayChain } from '../record/table.ts';
import type { Replayed, RequestRow, RequestTable, StoredRequest } from '../record/table.ts';
import type { Entry } from '../session/entry.ts';
import { unreadableWords } from '../session/sent.ts';
import type { SessionStore } from '../session/store.ts';
import type { Totals } from '../window/budget.ts';
import { pricesOf } from '../window/prices.ts';
import type { Receipt } from '../window/receipt.ts';
import { outline } from '../wire/body.ts';
import type { Json } from '../content/json.ts';

/** A conversation in the list. */
export type ConversationSummary = {
  id: string;
  title: string;
  models: readonly string[];
  requests: number;
  updated: number;
  cost?: number;
  /** Of all input, what was read from the cache. */
  cached?: number;
  breaks: number;
  refused: number;
  running: number;
};

/** What another model would get. */
export type PlannedView = {
  model: string;
  sections: readonly ViewSection[];
  receipts: readonly Receipt[];
  totals: Totals;
};

export function tableOf({ requests }: SessionStore): RequestTable {
  if (!requests) throw new SightlineError('storage', 'These sessions keep no records of requests.');
  return requests;
}

/** Conversations, the newest first; with words, those in which they were said. */
export async function conversationsOf(
  store: SessionStore,
  { words = '', limit = 50, before }: { words?: string; limit?: number; before?: number } = {},
): Promise<ConversationSummary[]> {
  const found = words === '' ? undefined : new Set((await store.search(words, 200)).map(({ session }) => session.id));
  const all = await tableOf(store).conversations({
    ...(found ? {} : { limit }),
    ...(before !== undefined && { before }),
  });
  const wanted = found ? all.filter(({ conversation }) => found.has(conversation)).slice(0, limit) : all;
  return await Promise.all(wanted.map(({ conversation }) => summaryOf(store, conversation)));
}

export async function summaryOf(store: SessionStore, id: string): Promise<ConversationSummary> {
  const rows = await tableOf(store).list(id);
  const usages = rows.flatMap(({ ended }) => ended?.usage ?? []);
  const input = usages.reduce((sum, usage) => sum + usage.inputTokens, 0);
  const read = usages.reduce((sum, usage) => sum + (usage.cachedTokens ?? 0), 0);
  const costs = rows.flatMap(({ ended }) => ended?.cost ?? []);
  return {
    id,
    title: await titleOf(store, id, rows),
    models: [...new Set(rows.map(({ model }) => model))],
    requests: rows.length,
    updated: rows.at(-1)?.time ?? 0,
    ...(costs.length > 0 && { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
    ...(input > 0 && { cached: read / input }),
    breaks: rows.filter(({ broke }) => broke).length,
    refused: rows.filter(({ ended }) => ended?.state === 'refused' || ended?.state === 'broken').length,
    running: rows.filter(({ ended }) => !ended).length,
  };
}

/** The session's title, or how the first request begins. */
async function titleOf(store: SessionStore, id: string, rows: readonly RequestRow[]): Promise<string> {
  const info = await store.read(id).then((session) => session.info(), () => undefined); // prettier-ignore
  if (info?.title !== undefined) return info.title;
  const first = rows[0] && replayChain(await tableOf(store).chain(rows[0].id));
  if (!first || typeof first === 'string') return `Conversation ${id}`;
  const items = sectionsOf(first.body, undefined, []).filter(({ title }) => title === 'User');
  const text = items.flatMap(({ leaves }) => leaves.flatMap((leaf) => (leaf.kind === 'text' ? [leaf.text] : [])))[0];
  return text === undefined ? `Conversation ${id}` : cutText(text.replaceAll(/\s+/g, ' ').trim(), 80);
}

/** Everything about one request. */
export async function requestView(store: SessionStore, id: string): Promise<RequestView> {
  const table = tableOf(store);
  const chain = await table.chain(id);
  const row = chain.at(-1);
  if (!row) throw new SightlineError('input', `There is no request ${id}. It may have been removed since.`);
  const rows = await table.list(row.conversation);
  const numberOf = (one: string): number => rows.findIndex((each) => each.id === one) + 1;
  const whole = replayChain(chain);
  const earlier = chain.at(-2)?.id === row.before ? chain.slice(0, -1) : await table.chain(row.before ?? '');
  const old = readable(earlier);
  const oldRow = rows.find((one) => one.id === row.before);
  const { body: _body, receipts: _receipts, assets: _assets, answer: _answer, depth: _depth, ...light } = row;
  const frame = {
    row: light,
    number: numberOf(id),
    ...(row.before !== undefined &&
      numberOf(row.before) > 0 && { before: { id: row.before, number: numberOf(row.before) } }),
    healing: healingOf(rows, row),
  };
  const entries = await entriesOf(store, row);
  const answer = answerOf(entries, row);
  const rest = { ...frame, ...(answer && { answer }) };
  if (typeof whole === 'string')
    return { ...rest, problem: unreadableWords(whole), sections: [], receipts: [], originals: {}, missing: [] };
  const originals = originalsIn(entries);
  const named = [
    ...assetsInBody(whole.body).map(({ $asset }) => $asset),
    ...Object.values(originals).map(({ asset }) => asset.id),
  ];
  return {
    ...rest,
    ...(row.record === 'shape' && {
      problem: 'Only the shape of this request was recorded: lengths and digests stand for its words.',
    }),
    sections: sectionsOf(whole.body, old?.body, whole.receipts, entries && saidIn(entries)),
    receipts: whole.receipts,
    originals,
    missing: [...(await store.assets.missing(named))],
    ...comparison(row, whole, old, oldRow),
    outline: (await outline(skeletonOf(whole.body))) as Json,
  };
}

/** One body against another. */
function comparison(
  row: RequestRow,
  now: Replayed,
  old: Replayed | undefined,
  oldRow: RequestRow | undefined,
): Pick<RequestView, 'broke' | 'miss'> {
  if (!old || row.purpose !== 'answer') return {};
  const tokens = oldRow?.ended?.usage?.inputTokens ?? oldRow?.totals?.used.tokens;
  const found = prefixBreak(old.body, now.body, { tokens, receipts: now.receipts });
  if (found) {
    const prices = pricesOf(row.model.slice(row.model.indexOf('/') + 1));
    const dollars = prices && (found.lostTokens * (prices.write - prices.read)) / 1e6;
    return { broke: { ...found, ...(dollars !== undefined && { dollars }) } };
  }
  const miss = oldRow && missOf(row, oldRow, tokens ?? 0);
  return miss === undefined ? {} : { miss };
}

const lifetimeMs = 5 * 60_000;
const leastTokens = 1024;

/** Why a stable prefix was not read, as far as one can know. */
function missOf(row: RequestRow, before: RequestRow, tokens: number): string | undefined {
  const read = row.ended?.usage?.cachedTokens;
  if (read === undefined || read >= tokens * 0.5) return undefined;
  const gap = row.time - before.time;
  if (tokens < leastTokens)
    return `The prefix has about ${tokens} tokens; below ${leastTokens} most providers cache nothing.`;
  if (gap > lifetimeMs)
    return `The request before it left ${timeText(gap)} earlier; most caches live for about 5 minutes.`;
  return 'Nothing in the two bodies explains it: the provider may have sent it to another machine, or cached nothing.';
}

function readable(chain: readonly StoredRequest[]): Replayed | undefined {
  const whole = replayChain(chain);
  return typeof whole === 'string' ? undefined : whole;
}

/** What was refused and tried right before this request. */
function healingOf(rows: readonly RequestRow[], row: RequestRow): { number: number; text: string }[] {
  if (row.repairs.length === 0) return [];
  const at = rows.findIndex(({ id }) => id === row.id);
  const steps: { number: number; text: string }[] = [];
  for (let index = at - 1; index >= 0; index--) {
    const one = rows[index];
    if (!one || (one.purpose === 'answer' && one.ended?.state === 'answered')) break;
    const why = one.ended?.error?.message ?? '';
    const what = one.purpose === 'probe' ? 'Probe' : 'Refused';
    const how = one.ended?.state === 'answered' ? 'accepted' : cutText(why, 160);
    steps.unshift({ number: index + 1, text: `${what}: ${how}` });
  }
  return [...steps, { number: at + 1, text: `Sent again. ${row.repairs.join(' ')}` }];
}

/** The session as it was planned; undefined where there is none. */
async function entriesOf(store: SessionStore, { conversation }: RequestRow): Promise<Entry[] | undefined> {
  return await store.read(conversation).then((session) => session.entries(), () => undefined); // prettier-ignore
}

function answerOf(entries: readonly Entry[] | undefined, row: StoredRequest): RequestView['answer'] {
  const { answer, upTo, purpose, ended } = row;
  if (answer) return { content: answer.content, ...(answer.stop && { stop: answer.stop }) };
  if (!entries || upTo === undefined || purpose !== 'answer' || ended?.state !== 'answered') return undefined;
  const entry = entries.find((one) => one.id > upTo && one.type === 'message' && one.message.role === 'assistant');
  return entry?.type === 'message' ? { content: entry.message.content } : undefined;
}

function originalsIn(entries: readonly Entry[] | undefined): Record<AssetId, Original> {
  const blocks = (entries ?? []).flatMap((entry) =>
    entry.type === 'message' ? entry.message.content.filter(isMedia) : [],
  );
  return Object.fromEntries(
    blocks.map((block): [AssetId, Original] => {
      const { asset } = block;
      if (block.type !== 'image') return [asset.id, { asset }];
      const { original = block } = block;
      const name = asset.name === undefined ? {} : { name: asset.name };
      return [asset.id, { asset: { ...name, ...original.asset }, width: original.width, height: original.height }];
    }),
  );
}

/** Whatever somebody said in it; what else a body holds are our words. */
function saidIn(entries: readonly Entry[]): Set<string> {
  const said = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'setup' && entry.system !== undefined) said.add(entry.system);
    if (entry.type !== 'message') continue;
    for (const block of entry.message.content) if ('text' in block) said.add(block.text);
    for (const leaf of leavesOf(entry.message.content as unknown as Json, []))
      if (leaf.kind === 'text') said.add(leaf.text);
  }
  return said;
}

/** What another model would get in its place. Nothing is sent. */
export async function plannedFor(store: SessionStore, id: string, model: string): Promise<PlannedView> {
  const row = (await tableOf(store).chain(id)).at(-1);
  if (!row) throw new SightlineError('input', `There is no request ${id}.`);
  const entries = await entriesOf(store, row);
  if (!entries || row.upTo === undefined)
    throw new SightlineError('input', 'Only conversations that are kept as sessions can be planned for another model.');
  const upTo = row.upTo;
  const past = entries.filter((entry) => entry.id <= upTo);
  const setup = past.findLast((entry) => entry.type === 'setup');
  const messages = past.flatMap((entry): Message[] => (entry.type === 'message' ? [entry.message] : []));
  const { system, tools } = setup?.type === 'setup' ? setup : {};
  const request = await prepare(
    { ...(system !== undefined && { system }), ...(tools && { tools: [...tools] }), messages },
    { model, assets: store.assets, readPictures: false },
  );
  const body: KeptBody = keptBody(request.outgoing().skeleton().skeleton);
  return {
    model,
    sections: sectionsOf(body, undefined, request.receipts, saidIn(past)),
    receipts: request.receipts,
    totals: request.totals,
  };
}
