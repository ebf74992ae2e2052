// What the page asks of its server. Trouble comes back as a sentence.
import type { TimelineTurn } from '../page/timeline.ts';
import type { ConversationSummary, PlannedView, SentView, ShownRow } from '../page/view.ts';

export type OpenConversation = { about: ConversationSummary; requests: ShownRow[] };
/** So many turns, from there on. */
export type LoadedTurns = { turns: TimelineTurn[]; from: number; all: number };
/** What the list is asked for: words, a model, what happened, cost, and whatever is older. */
export type ListFilter = { q?: string; model?: string; only?: string; cost?: string; after?: number };

async function ask<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(path, init);
  const value: unknown = await response.json();
  if (response.ok) return value as Answer;
  throw new Error((value as { message?: string }).message ?? `The server answered ${response.status}.`);
}

const post = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

const searched = (fields: object): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)]],
    ),
  ).toString();

export const enter = (token: string): Promise<unknown> => ask('/api/enter', post({ token }));
export const conversations = (filter: ListFilter): Promise<ConversationSummary[]> =>
  ask(`/api/conversations?${searched(filter)}`);
export const conversation = (id: string): Promise<OpenConversation> =>
  ask(`/api/conversations/${encodeURIComponent(id)}`);
export const loadTurns = (id: string, from?: number, count?: number): Promise<LoadedTurns> =>
  ask(`/api/conversations/${encodeURIComponent(id)}/entries?${searched({ from, count })}`);
export const requestOf = (id: string, whole: boolean): Promise<SentView> =>
  ask(`/api/requests/${encodeURIComponent(id)}${whole ? '?whole' : ''}`);
export const plannedFor = (id: string, model: string): Promise<PlannedView> =>
  ask(`/api/requests/${encodeURIComponent(id)}/as`, post({ model }));
