// Receipts → where a medium went and as what, in the few words of a table. Nothing is decided or guessed here: the
// plan says it.
import { byteText, grouped, money } from '../content/figures.ts';
import type { Plan, Shown } from '../window/plan-types.ts';

import type { Totals, Weight } from '../window/budget.ts';
import type { Profile } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import { inputCost } from '../window/budget.ts';
import { bytesOf, tokensOf } from '../window/tokens.ts';
import { tableLines, wrapped } from './table.ts';
import { visibleLine } from './terminal.ts';

/** In its own result, or after all results of the turn. */
export type Where = 'result' | 'after';

/** `letters`: how high they are as the model sees them, where there are some. */
export type Form = { where: Where; as: string; letters?: string; count: number; tokens: number; bytes: number };

export const whereWords: Record<Where, string> = { result: 'in the result', after: 'after results' };

/** The forms in which media of tool results travel, equal ones counted together, in the order of the receipts. */
export function formsOf(receipts: readonly Receipt[]): Form[] {
  const forms: Form[] = [];
  for (const receipt of receipts.filter((one) => one.asset !== undefined)) {
    const where: Where = receipt.place === 'after' ? 'after' : 'result';
    const letters = receipt.legible && lettersOf(receipt.legible);
    const form = { where, as: asWhat(receipt), ...(letters !== undefined && { letters }), ...costOf(receipt) };
    const same = forms.find((one) => one.where === where && one.as === form.as && one.letters === letters);
    if (same) Object.assign(same, { count: same.count + 1, ...sum(same, form) });
    else forms.push({ ...form, count: 1 });
  }
  return forms;
}

/** Words that travel as themselves have no receipt; the plan shows them. */
export function textForm({ items, profile }: Plan): Form {
  const blocks = items.flatMap((item): Shown[] =>
    item.role === 'batch' ? item.results.flatMap((one) => one.content) : [],
  );
  const texts = blocks.filter((block) => block.type === 'text');
  const costs = texts.map((block) => ({ tokens: tokensOf(block, profile.tokens), bytes: bytesOf(block) }));
  return { where: 'result', as: 'text', count: 1, ...costs.reduce(sum, { tokens: 0, bytes: 0 }) };
}

type Cost = { tokens: number; bytes: number };

function sum(one: Cost, other: Cost): Cost {
  return { tokens: one.tokens + other.tokens, bytes: one.bytes + other.bytes };
}

function costOf({ tokens = 0, bytes = 0 }: Receipt): Cost {
  return { tokens, bytes };
}

/** Letters that a model can hardly read have a mark. */
function lettersOf({ textPx, ok }: NonNullable<Receipt['legible']>): string {
  return `${textPx} px${ok ? '' : ', small'}`;
}

function asWhat({ action, subject, sent = [] }: Receipt): string {
  switch (action) {
    case 'tiles':
      return `${sent.length} pieces`;
    case 'pages':
      return 'page pictures';
    case 'reduced':
      return 'smaller picture';
    case 'text':
      return 'text';
    case 'words':
      return 'words only';
    default: {
      const kind = subject.split(/[ ,]/, 1)[0] ?? '';
      return kind === 'image' ? 'picture' : kind;
    }
  }
}

/** `picture`, `20 × picture`. */
export function countedForm({ as, count }: Form): string {
  return count === 1 ? as : `${grouped(count)} × ${as}`;
}

/** One receipt for people: a line, or more where there is less room. */
export function receiptLines(receipt: Receipt, room: number): string[] {
  const { action, subject, why, callId, tokens, repeated, legible } = receipt;
  const owner = callId === undefined ? '' : ` (call ${callId})`;
  const cost = tokens === undefined ? '' : `, about ${grouped(tokens)} tokens`;
  const again = repeated ? ', the same bytes as before' : '';
  const letters = legible ? `, its letters ${legible.textPx} px high${legible.ok ? '' : ' and hard to read'}` : '';
  return wrapped(visibleLine(`${action.padEnd(8)} ${subject}${owner}: ${why}${letters}${cost}${again}`), 9, room);
}

/** How much of each budget a request uses, how much is left, and what its input costs. */
export function totalLines(totals: Totals, profile: Profile, room: number): string[] {
  const { used, ceiling } = totals;
  const row = (name: string, of: keyof Weight, show: (value: number) => string): string[] => {
    const open = ceiling[of] >= Number.MAX_SAFE_INTEGER;
    const left = open ? '' : `${Math.floor((1 - used[of] / ceiling[of]) * 100)} %`;
    return [name, show(used[of]), open ? 'no limit' : show(ceiling[of]), left];
  };
  const columns = [{ title: 'budget' }, ...['used', 'limit', 'left'].map((title) => ({ title, right: true }))];
  const lines = tableLines(
    columns,
    [
      row(totals.counted ? 'tokens (counted)' : 'tokens (estimated)', 'tokens', grouped),
      row('bytes', 'bytes', byteText),
      row('pictures', 'images', grouped),
    ],
    room,
  );
  const cost = inputCost(totals, profile);
  const price = cost
    ? `input: about ${money(cost.first)} the first time, ${money(cost.cached)} once it is cached`
    : `cost: the catalog has no prices of ${profile.id}`;
  return [...lines, ...wrapped(price, 2, room)];
}
