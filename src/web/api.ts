// What the page asks of its server. Trouble comes back as a sentence.
import type { RequestView, ViewSection } from '../page/view.ts';
import type { RequestRow } from '../record/table.ts';
import type { Totals } from '../window/budget.ts';
import type { Receipt } from '../window/receipt.ts';

export type ListedConversation = {
  id: string;
  title: string;
  models: string[];
  requests: number;
  updated: number;
  cost?: number;
  cached?: number;
  breaks: number;
  refused: number;
  running: number;
};
export type OpenConversation = { about: ListedConversation; requests: RequestRow[] };
export type PlannedFor = { model: string; sections: ViewSection[]; receipts: Receipt[]; totals: Totals };

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

export const enter = (token: string): Promise<unknown> => ask('/api/enter', post({ token }));
export const conversations = (words: string): Promise<ListedConversation[]> =>
  ask(`/api/conversations?q=${encodeURIComponent(words)}`);
export const conversation = (id: string): Promise<OpenConversation> =>
  ask(`/api/conversations/${encodeURIComponent(id)}`);
export const requestOf = (id: string): Promise<RequestView> => ask(`/api/requests/${encodeURIComponent(id)}`);
export const plannedFor = (id: string, model: string): Promise<PlannedFor> =>
  ask(`/api/requests/${encodeURIComponent(id)}/as`, post({ model }));
