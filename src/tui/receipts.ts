// The receipts of a request in words for a person: one line that says what did not travel as it was, and the whole list.
import { hasPart, howToBring } from '../config/parts.ts';
import type { PartName } from '../config/parts.ts';
import { grouped, timeText } from '../content/figures.ts';
import type { RequestRetry } from '../model/send-options.ts';
import type { Action, CheckpointReason, Receipt } from '../window/receipt.ts';

const phrases: Partial<Record<Action, string>> = {
  reduced: 'made smaller',
  pages: 'sent as page pictures',
  text: 'sent as text',
  words: 'only described',
};

const reasons: Record<CheckpointReason, string> = {
  budget: 'the window is full',
  'model-changed': 'the model changed',
  'system-changed': 'the system prompt changed',
  'tools-changed': 'the tools changed',
  'history-edited': 'the conversation was changed',
  quarantine: 'something was refused',
  'account-changed': 'the account changed',
  'reference-expired': 'a link or an upload expired',
  unseen: 'something was not looked at',
  upgraded: 'this version writes it otherwise',
};

/** What changed on the way, or nothing. Media that were already told of are not told of again. */
export function changeLine(receipts: readonly Receipt[], told: Set<string>): string | undefined {
  const counts = new Map<string, number>();
  for (const { action, subject, asset } of receipts) {
    const phrase = phrases[action];
    const key = `${action} ${asset ?? subject}`;
    if (phrase === undefined || told.has(key)) continue;
    told.add(key);
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  const moved = receipts.find(({ action }) => action === 'checkpoint');
  const parts = [...counts].map(([phrase, count]) => `${count} ${phrase}`);
  if (moved) parts.push(`the request was planned anew, because ${reasonOf(moved)}`);
  return parts.length === 0 ? undefined : parts.join(', ');
}

function reasonOf({ subject }: Receipt): string {
  return Object.entries(reasons).find(([reason]) => reason === subject)?.[1] ?? subject;
}

/** What a provider said of a request that goes out again in another form. */
export function healedLine(why: string): string {
  return `Refused: ${ended(why)} Asking again in another form.`;
}

function ended(sentence: string): string {
  return sentence.replace(/[.?!]?$/, (end) => end || '.');
}

/** A request, as far as it tells which part would have done it better. */
type Ready = { receipts: readonly Receipt[]; estimated?: true | undefined };

/** What an absent part would have done for a request, each told once. */
export function partHints({ receipts, estimated }: Ready, told: Set<string>): string[] {
  const isDescribed = receipts.some(({ action, subject }) => action === 'words' && subject.startsWith('image'));
  const wanted: [PartName, string][] = [
    ...(isDescribed ? [['ocr', 'OCR would read what is written on pictures for models that see none.'] as const] : []),
    ...(estimated
      ? [['tokenizer', 'The window is more than half full by an estimate; its tokens could be counted.'] as const]
      : []),
  ].map(([name, words]) => [name, `${words} ${howToBring(name)}`]);
  const fresh = wanted.filter(([name]) => !told.has(name) && !hasPart(name));
  for (const [name] of fresh) told.add(name);
  return fresh.map(([, words]) => words);
}

/** That a request goes out again, when it happens. */
export function retryLine({ attempt, of, ms, why }: RequestRetry): string {
  return `${ended(why)} Try ${attempt} of ${of} in ${timeText(ms)}.`;
}

/** That an answer is void, and who is asked for another: the same model, or the one that takes over. */
export function restartLine({ why, model }: { why: string; model: string }): string {
  return `${ended(why)} Trying again with ${model}.`;
}

/** What was done, and to what, why and for how many tokens. */
export function receiptRows(receipts: readonly Receipt[]): [action: string, about: string][] {
  return receipts.map(({ action, subject, why, tokens }) => {
    const cost = tokens === undefined ? '' : ` (${grouped(tokens)} tokens)`;
    return [action, `${subject}${cost}: ${why}`];
  });
}
