// What the page shows: an address, what was loaded for it, and what went wrong. Every view is an address.
import { conversation, conversations, enter, loadTurns, plannedFor, requestOf } from './api.ts';
import type { ListFilter, LoadedTurns, OpenConversation } from './api.ts';
import { computed, effect, signal } from './kit.ts';
import type { ReadonlySignal, Signal } from './kit.ts';
import { isOpen } from '../page/view.ts';
import type { ConversationSummary, PlannedView, SentView } from '../page/view.ts';

export const tabs = ['saw', 'against', 'answer', 'as', 'json'] as const;
export type Tab = (typeof tabs)[number];
/** Without a request it is the timeline of a conversation, without a conversation the list. */
export type PagePlace = { conversation?: string; request?: string; tab: Tab };

export const hash: Signal<string> = signal(location.hash);
export const filter: Signal<ListFilter> = signal<ListFilter>({});
export const list: Signal<ConversationSummary[] | undefined> = signal<ConversationSummary[] | undefined>(undefined);
/** Whether there may be older ones than those of the list. */
export const isMore: Signal<boolean> = signal(false);
export const opened: Signal<OpenConversation | undefined> = signal<OpenConversation | undefined>(undefined);
export const timeline: Signal<LoadedTurns | undefined> = signal<LoadedTurns | undefined>(undefined);
export const view: Signal<SentView | undefined> = signal<SentView | undefined>(undefined);
/** Whether somebody opened what is folded. */
export const unfolded: Signal<boolean> = signal(false);
export const planned: Signal<PlannedView | undefined> = signal<PlannedView | undefined>(undefined);
export const trouble: Signal<string> = signal('');
export const isLive: Signal<boolean> = signal(false);
export const helps: Signal<boolean> = signal(false);
export const lettersOff: Signal<boolean> = signal(localStorage.getItem('letters') === 'off');

export const place: ReadonlySignal<PagePlace> = computed((): PagePlace => {
  const [, conversationId, request, tab] = hash.value.slice(1).split('/').map(decodeURIComponent);
  return {
    ...(conversationId ? { conversation: conversationId } : {}),
    ...(request ? { request } : {}),
    tab: tabs.find((one) => one === tab) ?? 'saw',
  };
});

/** The address of a view. */
export function viewAddress(conversationId?: string, request?: string, tab?: Tab): string {
  return `#/${[conversationId, request, tab]
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join('/')}`;
}

export function go(address: string): void {
  location.hash = address;
}

const told = (work: Promise<unknown>): void =>
  void work.then(
    () => (trouble.value = ''),
    (error: unknown) => (trouble.value = error instanceof Error ? error.message : String(error)),
  );

const pageSize = 50;

/** What the list that is shown was asked for. */
let listed: ListFilter | undefined;

/** The newest ones; older ones that were loaded stay below them. */
async function loadList(): Promise<void> {
  const asked = filter.value;
  const found = await conversations(asked);
  if (filter.value !== asked) return;
  const end = found.length === pageSize ? found.at(-1)?.updated : undefined;
  const known = listed === asked && end !== undefined ? (list.value ?? []) : [];
  const older = known.filter(({ id, updated }) => updated < (end ?? 0) && !found.some((one) => one.id === id));
  listed = asked;
  list.value = [...found, ...older];
  if (older.length === 0) isMore.value = found.length === pageSize;
}

/** The conversations before those that are shown. */
export function loadOlder(): void {
  const [asked, after] = [filter.value, list.value?.at(-1)?.updated];
  if (after === undefined) return;
  told(
    conversations({ ...asked, after }).then((found) => {
      if (filter.value !== asked) return;
      const known = list.value ?? [];
      list.value = [...known, ...found.filter(({ id }) => !known.some((one) => one.id === id))];
      isMore.value = found.length === pageSize;
    }),
  );
}

/** What is gone is not shown any longer. */
function forget(): void {
  opened.value = undefined;
  timeline.value = undefined;
  view.value = undefined;
}

async function loadConversation(id: string): Promise<void> {
  const now = await conversation(id).catch((error: unknown) => {
    if (place.value.conversation === id) forget();
    throw error;
  });
  if (place.value.conversation === id) opened.value = now;
}

/** The newest turns; earlier ones that were loaded stay above them. */
async function loadTimeline(id: string): Promise<void> {
  const now = await loadTurns(id);
  if (place.value.conversation !== id) return;
  const { turns = [], from = now.from } = timeline.value ?? {};
  const isJoined = from < now.from && from + turns.length >= now.from;
  timeline.value = isJoined ? { ...now, from, turns: [...turns.slice(0, now.from - from), ...now.turns] } : now;
}

/** The turns before those that are shown. */
export function loadEarlier(): void {
  const [id, known] = [place.value.conversation, timeline.value];
  if (id === undefined || !known || known.from === 0) return;
  const from = Math.max(0, known.from - 100);
  told(
    loadTurns(id, from, known.from - from).then((found) => {
      const now = timeline.value;
      if (place.value.conversation !== id || now?.from !== known.from) return;
      timeline.value = { ...now, from, turns: [...found.turns, ...now.turns] };
    }),
  );
}

/** Only what is seen at first, unless more was asked for. */
async function loadRequest(id: string): Promise<void> {
  const now = await requestOf(id, unfolded.value || needsAll(place.value.tab));
  if (place.value.request === id && (now.whole || !needsAll(place.value.tab))) view.value = now;
}

/** Views of all parts. */
export function needsAll(tab: Tab): boolean {
  return tab === 'json' || tab === 'as';
}

/** Brings what is folded, and shows it. */
export function unfold(): void {
  const { request } = place.value;
  unfolded.value = true;
  if (request !== undefined) told(loadRequest(request));
}

/** Plans the request for another model; nothing is sent. */
export function planFor(model: string): void {
  const { request } = place.value;
  if (request === undefined || model === '') return;
  planned.value = undefined;
  told(plannedFor(request, model).then((made) => (planned.value = made)));
}

/** What is shown, anew. */
function reload(): void {
  const { conversation: id, request } = place.value;
  told(id === undefined ? loadList() : loadConversation(id));
  if (id !== undefined && request === undefined) told(loadTimeline(id));
  const { ended } = view.value?.row ?? {};
  const isWhole = ended && (ended.state !== 'answered' || view.value?.answer !== undefined); // a session keeps it later
  if (request !== undefined && !isWhole) told(loadRequest(request));
}

/** Whoever is killed in the middle of a request tells nobody: what is under way is looked after. */
function isUnderWay(): boolean {
  const rows = opened.value?.requests ?? [];
  return place.value.conversation === undefined
    ? (list.value ?? []).some(({ running, silent }) => running + silent > 0)
    : rows.some((row) => isOpen(row, Date.now()));
}

const retryMs = 2000;

/** A browser comes again by itself when a connection breaks, and not when it was refused: then we do, and say why meanwhile. */
function follow(isAgain = false): void {
  const source = new EventSource('/api/live');
  source.addEventListener('open', () => {
    isLive.value = true;
    if (isAgain) reload();
  });
  source.addEventListener('error', () => {
    isLive.value = false;
    if (source.readyState !== EventSource.CLOSED) return;
    reload();
    setTimeout(() => follow(true), retryMs);
  });
  source.addEventListener('changed', reload);
}

/** Lets the person in by the token of the address, and shows what the address says. */
export async function start(): Promise<void> {
  addEventListener('hashchange', () => (hash.value = location.hash));
  const [, token, rest = ''] = /^#token=([^/]+)\/?(.*)$/.exec(location.hash) ?? [];
  if (token !== undefined) {
    history.replaceState(null, '', `#/${rest}`); // no token stays in the address
    hash.value = `#/${rest}`;
    await enter(token).catch((error: unknown) => (trouble.value = String(error)));
  }
  effect(() => {
    const id = place.value.conversation;
    if (id === undefined) {
      opened.value = undefined;
      told(loadList());
    } else if (opened.peek()?.about.id !== id) told(loadConversation(id));
  });
  effect(() => {
    const { conversation: id, request } = place.value;
    timeline.value = undefined;
    if (id !== undefined && request === undefined) told(loadTimeline(id));
  });
  effect(() => {
    const { request: id, tab } = place.value;
    const known = view.peek();
    if (known?.row.id !== id) {
      planned.value = undefined;
      unfolded.value = false;
    }
    if (id === undefined) view.value = undefined;
    else if (known?.row.id !== id || (needsAll(tab) && !known.whole)) told(loadRequest(id));
  });
  effect(() => {
    void filter.value;
    if (place.peek().conversation === undefined) told(loadList());
  });
  follow();
  setInterval(() => isUnderWay() && reload(), retryMs);
}
