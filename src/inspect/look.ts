// Records → what the page shows. Everything is read; nothing is planned, but for the question what another model would get.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AssetStore } from '../content/asset-store.ts';
import type { AssetId } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import { mediaTypeOf, pictureSize } from '../content/header-intake.ts';
import { SightlineError } from '../content/refusal.ts';
import { cutText } from '../content/text.ts';
import { prepare } from '../model/prepare.ts';
import { actionWords } from '../page/request.ts';
import { placedAmong } from '../page/standing.ts';
import { turnsOf } from '../page/timeline.ts';
import { sectionsOf, stateOf, stripsOf, viewParts, withoutFolds } from '../page/view.ts';
import type {
  ConversationSummary,
  Original,
  PictureSize,
  PlannedView,
  RefusedForm,
  RequestView,
  SentView,
  ShownRow,
  ViewLeaf,
  ViewSection,
} from '../page/view.ts';
import { keptBody, skeletonOf } from '../record/body.ts';
import type { KeptBody } from '../record/body.ts';
import { missWords } from '../record/miss.ts';
import { prefixBreak } from '../record/prefix.ts';
import { replayChain, replayPair } from '../record/table.ts';
import type { Replayed, RequestRow, RequestTable, StoredRequest } from '../record/table.ts';
import { messagesIn } from '../session/entry.ts';
import type { Entry, EntryId } from '../session/entry.ts';
import { saidIn } from '../session/export/page/page.ts';
import { unreadableWords } from '../session/sent.ts';
import type { SessionStore } from '../session/store.ts';
import { pricesOf } from '../window/prices.ts';
import type { Receipt } from '../window/receipt.ts';
import { withSummary } from '../window/summary.ts';
import { outline } from '../wire/body.ts';
import type { Json } from '../content/json.ts';
import { readingOn } from './said.ts';
import type { ReadSaid } from './said.ts';
import { asTheyStand } from './writers.ts';

export function tableOf({ requests }: SessionStore): RequestTable {
  if (!requests)
    throw new SightlineError(
      'storage',
      'These sessions keep no records of requests. Those of a home or of PostgreSQL do.',
    );
  return requests;
}

/** The requests of a conversation; of a session, also those that it shares with the ones it was forked from. */
export async function requestRows(store: SessionStore, id: string): Promise<ShownRow[]> {
  const session = await store.read(id).catch(() => undefined);
  const rows = session ? await session.requests() : await tableOf(store).list(id);
  return await asTheyStand(store, rows);
}

/** The same of a conversation that somebody asked for by its id. */
export async function rowsThere(store: SessionStore, id: string): Promise<ShownRow[]> {
  const rows = await requestRows(store, id);
  if (rows.length > 0 || (await store.read(id).catch(() => undefined))) return rows;
  throw new SightlineError('input', `There is no conversation ${id}. It may have been removed since.`);
}

/** Which conversations are wanted. */
export type ListQuery = {
  words?: string;
  model?: string;
  /** Only those in which this happened. */
  only?: 'broke' | 'failed' | 'live';
  /** Dearer than so many dollars. */
  cost?: number;
  limit?: number;
  /** Those whose newest request is older. */
  before?: number;
};

/** Conversations, the newest first; with words, those in which they were said. */
export async function conversationsOf(store: SessionStore, query: ListQuery = {}): Promise<ConversationSummary[]> {
  const { words = '', limit = 50 } = query;
  const said = words === '' ? undefined : await sessionsSaying(store, words);
  const found: ConversationSummary[] = [];
  for (let before = query.before; ;) {
    const page = await tableOf(store).conversations({ limit, ...(before !== undefined && { before }) });
    const own = said ? page.filter(({ conversation }) => said.has(conversation)) : page;
    for (const { conversation } of own) {
      const summary = await summaryOf(store, conversation);
      if (isWanted(summary, query)) found.push(summary);
      if (found.length === limit) return found;
    }
    before = page.at(-1)?.updated;
    if (page.length < limit || before === undefined) return found;
  }
}

/** How many hits are read at a time, in how many conversations words are enough, and how many hits are looked through. */
const [hitsAtOnce, enoughSessions, mostHits] = [200, 200, 10_000];

/** Sessions with these words. One long talk may hold very many of them. */
async function sessionsSaying(store: SessionStore, words: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let before: EntryId | undefined;
  for (let read = 0; read < mostHits && ids.size < enoughSessions; read += hitsAtOnce) {
    const found = await store.search(words, hitsAtOnce, before);
    for (const { session } of found) ids.add(session.id);
    if (found.length < hitsAtOnce) break;
    before = found.at(-1)?.entry;
    await nextTurn(); // others are served in between
  }
  return ids;
}

function isWanted(summary: ConversationSummary, { model, only, cost }: ListQuery): boolean {
  if (model !== undefined && !summary.models.some((name) => name.includes(model))) return false;
  if (cost !== undefined && (summary.cost ?? 0) <= cost) return false;
  if (only === 'broke') return summary.breaks > 0;
  if (only === 'failed') return summary.failed > 0;
  return only === 'live' ? summary.running + summary.silent > 0 : true;
}

export async function summaryOf(
  store: SessionStore,
  id: string,
  known?: readonly ShownRow[],
): Promise<ConversationSummary> {
  const rows = known ?? (await requestRows(store, id));
  const usages = rows.flatMap(({ ended }) => ended?.usage ?? []);
  const input = usages.reduce((sum, usage) => sum + usage.inputTokens, 0);
  const read = usages.reduce((sum, usage) => sum + (usage.cachedTokens ?? 0), 0);
  const costs = rows.flatMap(({ ended }) => ended?.cost ?? []);
  const states = rows.map((row) => stateOf(row, Date.now()));
  const picture = rows.findLast((row) => row.picture !== undefined)?.picture;
  return {
    id,
    title: await titleOf(store, id, rows),
    models: [...new Set(rows.map(({ model }) => model))],
    requests: rows.length,
    updated: rows.reduce((latest, { time }) => Math.max(latest, time), 0),
    ...(costs.length > 0 && { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
    ...(input > 0 && { cached: read / input }),
    breaks: rows.filter(({ broke }) => broke).length,
    failed: rows.filter(({ ended }) => ended?.state === 'refused' || ended?.state === 'broken').length,
    running: states.filter((state) => state === 'running').length,
    silent: states.filter((state) => state === 'silent').length,
    endless: states.filter((state) => state === 'no end').length,
    ...(picture !== undefined && { picture }),
  };
}

/** The session's title, or how the first request begins. */
async function titleOf(store: SessionStore, id: string, rows: readonly RequestRow[]): Promise<string> {
  const info = await store.read(id).then((session) => session.info(), () => undefined); // prettier-ignore
  if (info?.title !== undefined) return info.title;
  const first = rows[0] && replayChain(await tableOf(store).chain(rows[0].id));
  if (!first || typeof first === 'string') return `Conversation ${id}`;
  const items = sectionsOf(first.body, undefined, []).filter(({ title }) => title === 'User');
  const text = items.flatMap(({ leaves }) =>
    leaves.flatMap((leaf) => (leaf.kind === 'text' ? [leaf.original ?? leaf.text] : [])),
  )[0];
  return text === undefined ? `Conversation ${id}` : cutText(text.replaceAll(/\s+/g, ' ').trim(), 80);
}

/** Everything about one request, and where it stands among those of its conversation. */
export async function requestView(
  store: SessionStore,
  id: string,
  isWhole = true,
  known?: readonly RequestRow[],
): Promise<RequestView> {
  const view = await sentView(store, id, isWhole);
  return placedAmong(view, known ?? (await requestRows(store, view.row.conversation)));
}

/** Everything about one request by itself. */
export async function sentView(
  store: SessionStore,
  id: string,
  isWhole: boolean,
  read: ReadSaid = readingOn(),
): Promise<SentView> {
  const table = tableOf(store);
  const chain = await table.chain(id);
  const [row] = await asTheyStand(store, chain.slice(-1));
  if (!row) throw new SightlineError('input', `There is no request ${id}. It may have been removed since.`);
  const rows = row.repairs.length > 0 ? await requestRows(store, row.conversation) : []; // what was tried before it
  const { now: whole, before: delta } = replayPair(chain);
  const isDelta = chain.at(-2)?.id === row.before;
  const older = isDelta || row.before === undefined ? chain.slice(0, -1) : await table.chain(row.before);
  const old = isDelta ? delta : readable(older);
  const oldRow = older.at(-1);
  const { body: _body, receipts: _receipts, assets: _assets, answer: _answer, depth: _depth, ...light } = row;
  const session = await read(store, row.conversation);
  const entries = session?.entries;
  const answer = answerOf(entries, row);
  const rest = { row: light, healing: healingOf(rows, row), ...(answer && { answer }) };
  const past = row.upTo === undefined ? entries : entries?.filter(({ id: at }) => at <= (row.upTo ?? 0));
  const said = session?.upTo(row.upTo);
  if (typeof whole === 'string')
    return { ...rest, problem: unreadableWords(whole), sections: [], whole: true, originals: {}, missing: [] };
  const compared = comparison(row, whole, old, oldRow);
  const sections = sectionsOf(whole.body, old?.body, whole.receipts, said);
  const shown = await withFiles(isWhole || !old ? sections : withoutFolds(sections), store.assets);
  const media = shown.flatMap(({ leaves }) => leaves.flatMap((leaf) => (leaf.kind === 'medium' ? [leaf] : [])));
  const decided = shown.flatMap(({ leaves }) => leaves.flatMap(receiptsOf)).flatMap(({ asset }) => asset ?? []);
  const originals = originalsIn(past, new Set(decided));
  const named = [
    ...media.map(({ medium }) => medium.$asset),
    ...Object.values(originals).map(({ asset }) => asset.id),
    ...decided,
  ];
  const refusedForms = await refusedFormsOf(table, rows, row);
  const lowered = whole.receipts.filter(({ asset }) => asset !== undefined && refusedForms?.[asset] !== undefined);
  const reduced = media.filter(({ receipt }) => receipt?.action === 'reduced').map(({ medium }) => medium.$asset);
  const refused = Object.values(refusedForms ?? {}).flatMap((forms) => forms.map(({ sent }) => sent));
  return {
    ...rest,
    ...(row.record === 'shape' && {
      problem: 'Only the shape of this request was recorded: lengths and digests stand for its words.',
    }),
    healing: healingOf(rows, row, lowered),
    sections: shown,
    whole: isWhole,
    ...(old && { strips: stripsOf(viewParts(old.body), sections, compared.broke) }),
    ...(refusedForms && { refusedForms }),
    sizes: await sizesOf(store.assets, [...reduced, ...refused]),
    originals,
    missing: [...(await store.assets.missing(named))],
    ...compared,
    ...(isWhole && { outline: (await outline(skeletonOf(whole.body))) as Json }),
  };
}

/** The sections with what is known of media whose body says an id alone; what is no longer stored stays a name. */
export async function withFiles(sections: readonly ViewSection[], assets: AssetStore): Promise<ViewSection[]> {
  const filled = async (leaf: ViewLeaf): Promise<ViewLeaf> => {
    if (leaf.kind !== 'medium' || !leaf.byId) return leaf;
    const bytes = await assets.get(leaf.medium.$asset);
    const about = bytes && { size: bytes.length, mediaType: mediaTypeOf(bytes) };
    return { ...leaf, medium: { ...leaf.medium, ...about } };
  };
  return await Promise.all(
    sections.map(async (section) =>
      section.leaves.some((leaf) => leaf.kind === 'medium' && leaf.byId)
        ? { ...section, leaves: await Promise.all(section.leaves.map(filled)) }
        : section,
    ),
  );
}

function receiptsOf(leaf: ViewLeaf): readonly Receipt[] {
  if (leaf.kind === 'medium') return leaf.receipt ? [leaf.receipt] : [];
  return leaf.kind === 'text' ? (leaf.told ?? []) : [];
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
  const miss =
    oldRow &&
    missWords(old.body, now.body, {
      tokens: tokens ?? 0,
      read: row.ended?.usage?.cachedTokens,
      gap: row.time - oldRow.time,
    });
  return miss === undefined ? {} : { miss };
}

function readable(chain: readonly StoredRequest[]): Replayed | undefined {
  const whole = replayChain(chain);
  return typeof whole === 'string' ? undefined : whole;
}

/** How large pictures are; only the beginning of each is read. */
async function sizesOf(assets: AssetStore, ids: readonly AssetId[]): Promise<Record<AssetId, PictureSize>> {
  const sizes: Record<AssetId, PictureSize> = {};
  for (const id of new Set(ids)) {
    const size = await beginningOf(assets, id).then(pictureSize, () => undefined); // what is gone is told elsewhere
    if (size) sizes[id] = size;
  }
  return sizes;
}

async function beginningOf(assets: AssetStore, id: AssetId): Promise<Uint8Array> {
  for await (const chunk of assets.stream(id)) return chunk;
  return new Uint8Array();
}

/** What was refused and tried right before this request, and what was then sent. */
function healingOf(
  rows: readonly RequestRow[],
  row: RequestRow,
  lowered: readonly Receipt[] = [],
): RequestView['healing'] {
  if (row.repairs.length === 0) return [];
  const at = rows.findIndex(({ id }) => id === row.id);
  const steps: { number: number; what: string; text: string }[] = [];
  for (let index = at - 1; index >= 0; index--) {
    const one = rows[index];
    if (!one || (one.purpose === 'answer' && one.ended?.state === 'answered')) break;
    const status = one.ended?.error?.status;
    const refused = status === undefined ? 'Refused' : `Refused, ${status}`;
    const text = one.ended?.state === 'answered' ? 'accepted' : cutText(one.ended?.error?.message ?? '', 160);
    steps.unshift({ number: index + 1, what: one.purpose === 'probe' ? 'Probe' : refused, text });
  }
  const what = lowered.map(({ subject, action }) => `${subject}: ${actionWords[action] ?? action}`);
  const text = what.length > 0 ? what.join(', ') : row.repairs.join(' ');
  return [...steps, { number: at + 1, what: 'Sent again', text }];
}

const isAnswer = (entry: Entry): boolean => entry.type === 'message' && entry.message.role === 'assistant';

/** What came back, each call with its result where the session holds it. */
function answerOf(entries: readonly Entry[] | undefined, row: StoredRequest): RequestView['answer'] {
  const { answer, upTo, purpose, ended } = row;
  if (answer) return turnsOf([{ message: answer }])[0]?.parts;
  if (!entries || upTo === undefined || purpose !== 'answer' || ended?.state !== 'answered') return undefined;
  const later = entries.filter(({ id }) => id > upTo);
  const answers = later.flatMap((entry, at) => (isAnswer(entry) ? [at] : []));
  return turnsOf(saidIn(later.slice(answers[0] ?? later.length, answers[1])))[0]?.parts;
}

/** The forms in which media of a healed request were refused on the way to it. */
async function refusedFormsOf(
  table: RequestTable,
  rows: readonly RequestRow[],
  row: RequestRow,
): Promise<RequestView['refusedForms']> {
  if (row.repairs.length === 0) return undefined;
  const forms: Record<AssetId, RefusedForm[]> = {};
  for (const { number } of healingOf(rows, row)) {
    const one = rows[number - 1];
    if (!one || one.id === row.id || one.purpose !== 'answer') continue;
    for (const { asset, sent = [] } of readable(await table.chain(one.id))?.receipts ?? [])
      if (asset && sent[0]) forms[asset] = [...(forms[asset] ?? []), { number, sent: sent[0] }];
  }
  const now = new Map(
    (readable(await table.chain(row.id))?.receipts ?? []).map(({ asset, sent }) => [asset, sent?.[0]]),
  );
  const changed = Object.entries(forms).filter(([asset, [first]]) => now.get(asset as AssetId) !== first?.sent);
  return Object.fromEntries(changed);
}

function originalsIn(entries: readonly Entry[] | undefined, of: ReadonlySet<AssetId>): Record<AssetId, Original> {
  const blocks = (entries ?? []).flatMap((entry) =>
    entry.type === 'message' ? entry.message.content.filter(isMedia).filter(({ asset }) => of.has(asset.id)) : [],
  );
  return Object.fromEntries(
    blocks.map((block): [AssetId, Original] => {
      const { asset } = block;
      if (block.type === 'document')
        return [asset.id, { asset, ...(block.pages !== undefined && { pages: block.pages }) }];
      if (block.type !== 'image') return [asset.id, { asset }];
      const { original = block } = block;
      const name = asset.name === undefined ? {} : { name: asset.name };
      const { width, height } = original;
      const held = { width: block.width, height: block.height };
      return [asset.id, { asset: { ...name, ...original.asset }, width, height, held }];
    }),
  );
}

/** What another model would get in its place. Nothing is sent. */
export async function plannedFor(store: SessionStore, id: string, model: string): Promise<PlannedView> {
  const row = (await tableOf(store).chain(id)).at(-1);
  if (!row) throw new SightlineError('input', `There is no request ${id}. It may have been removed since.`);
  const session = await readingOn()(store, row.conversation);
  if (!session || row.upTo === undefined)
    throw new SightlineError(
      'input',
      'Only conversations that are kept as sessions can be planned for another model. Give the program that asks a session.',
    );
  const upTo = row.upTo;
  const past = session.entries.filter((entry) => entry.id <= upTo);
  const setup = past.findLast((entry) => entry.type === 'setup');
  const summary = past.findLast((entry) => entry.type === 'summary');
  const messages = [...withSummary(messagesIn(past), summary)];
  const { system, tools } = setup?.type === 'setup' ? setup : {};
  const request = await prepare(
    { ...(system !== undefined && { system }), ...(tools && { tools: [...tools] }), messages },
    { model, assets: store.assets, readPictures: false },
  );
  const body: KeptBody = keptBody(request.outgoing().skeleton().skeleton);
  return {
    model,
    sections: sectionsOf(body, undefined, request.receipts, session.upTo(upTo)),
    receipts: request.receipts,
    totals: request.totals,
  };
}
