// The brain: a transcript, a profile, facts and a ledger → a plan with receipts and the next ledger, or the renditions
// it has to know first. Pure: the same input gives the same plan, nothing given is changed. What a ledger remembers is
// taken word for word; everything else is decided here, and only here.
import type { AssetId } from '../content/block.ts';
import { assistantFirst, earlierLeftOut, goOn } from '../content/describe.ts';
import { canonicalJson } from '../content/json.ts';
import type { Refusal } from '../content/refusal.ts';
import { digest } from '../content/text.ts';
import type { Transcript } from '../message/message.ts';
import { pair } from '../message/pair.ts';
import { ceilings } from './budget.ts';
import type { Budget } from './budget.ts';
import { fitBudget } from './evict.ts';
import { decideItem, openDesk, planItem } from './item.ts';
import type { Desk, Draft } from './item.ts';
import { digestOf, recall, record } from './ledger.ts';
import type { Ledger, LedgerItem } from './ledger.ts';
import { legibleMedia } from './legible.ts';
import { settleOptions } from './options.ts';
import type { Plan, PlanItem, RequestOptions } from './planned.ts';
import type { Profile } from './profile.ts';
import type { CheckpointReason, Receipt } from './receipt.ts';
import type { Facts, Rendition } from './rendition.ts';

export type PlanInput = {
  transcript: Transcript;
  profile: Profile;
  options?: RequestOptions;
  cache?: 'auto' | 'off';
  /** Ceilings below those of the model. */
  budget?: Budget;
  facts?: Facts;
  /** Assets whose bytes are no longer stored. */
  gone?: ReadonlySet<AssetId>;
  ledger?: Ledger | undefined;
  /** Whether words can be read off pictures for models that cannot see them. */
  readPictures?: boolean;
};

export type PlanResult =
  | { plan: Plan; receipts: Receipt[]; ledger: Ledger; needs?: undefined; refusal?: undefined }
  | { needs: Rendition[]; plan?: undefined; refusal?: undefined }
  /** Even the least of it does not fit. */
  | { refusal: Refusal; plan?: undefined; needs?: undefined };

/** Plans one request. */
export function plan(input: PlanInput): PlanResult {
  const { transcript } = input;
  const tools = transcript.tools ?? [];
  const { items, repairs } = pair(transcript.messages);
  const digests = items.map(digestOf);
  const known = recall(input.ledger, input.profile, transcript, digests, input.gone);
  const { profile } = known;
  const legible = input.readPictures ? legibleMedia(items.slice(known.items.length), profile) : undefined;
  const { facts = new Map(), gone = new Set() } = input;
  const open = (): Desk => openDesk({ facts, gone, tools, legible }, profile);
  const first = open();
  const drafts = items.map((item, index): Draft => {
    const before = known.items[index];
    if (before) return { item, decisions: before.decisions, ...marksOf(before) };
    const bound = profile.boundThinking && index < known.sent;
    return { item, decisions: decideItem(item, first), ...(bound && { unbound: true as const }) };
  });
  if (first.needs.size > 0) return { needs: [...first.needs.values()] };

  const ceiling = ceilings(profile, input.options ?? {}, input.budget);
  const fitted = fitBudget(drafts, { transcript, profile, ceiling, sent: known.items.length, open });
  if (!fitted.ok) return { refusal: fitted.refusal };
  const desk = open();
  const planned = planAll(fitted.drafts, desk, profile);
  const settled = settleOptions(input.options ?? {}, profile, tools.length, turnWithoutThinking(planned));
  const reasons: CheckpointReason[] = fitted.moved ? [...known.reasons, 'budget'] : known.reasons;
  const receipts: Receipt[] = [
    ...profileReceipts(profile, input.profile),
    ...reasons.map((reason): Receipt => ({ action: 'checkpoint', subject: reason, why: 'the prefix moves' })),
    ...repairs.map((repair): Receipt => ({
      action: 'repaired',
      subject: repair.kind,
      why: repair.what,
      callId: repair.callId,
    })),
    ...desk.receipts,
    ...settled.receipts,
  ];
  const marked = (input.cache ?? 'auto') === 'auto';
  const remembered = fitted.drafts.map(({ decisions, ...draft }, index): LedgerItem => {
    return { digest: digests[index] ?? '', decisions, ...marksOf(draft) };
  });
  return {
    plan: {
      profile,
      ...(transcript.system?.trim() && { system: transcript.system }),
      tools,
      items: planned,
      options: settled.options,
      marks: marked && profile.cache === 'marks' ? cacheMarks(planned) : { system: false, items: [] },
      ...(marked && profile.cache === 'key' && { cacheKey: cacheKey(transcript, digests[0]) }),
    },
    receipts,
    ledger: record(input.ledger, profile, transcript, remembered),
  };
}

function marksOf({ cut, unbound }: Pick<Draft, 'cut' | 'unbound'>): Pick<Draft, 'cut' | 'unbound'> {
  return { ...(cut && { cut }), ...(unbound && { unbound }) };
}

/** All items as they will be sent. What was left out altogether leaves one line where the conversation begins. */
function planAll(drafts: readonly Draft[], desk: Desk, profile: Profile): PlanItem[] {
  const planned = drafts.map((draft) => planItem(draft, desk)).filter((item) => item !== undefined);
  const lead = drafts.some(({ cut }) => cut === 'all') ? earlierLeftOut : undefined;
  const repair = (text: string, why: string): PlanItem => {
    desk.receipts.push({ action: 'repaired', subject: text, why });
    return userLine(text);
  };
  // A conversation that begins with the assistant is refused by some APIs; a few words before it are taken by all.
  if (lead !== undefined) planned.unshift(userLine(lead));
  else if (planned[0]?.role === 'assistant')
    planned.unshift(repair(assistantFirst, 'the conversation began with the assistant'));
  if (profile.userLast && planned.at(-1)?.role === 'assistant')
    planned.push(repair(goOn, 'the conversation ended with the assistant'));
  return planned;
}

function userLine(text: string): PlanItem {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** Whether the request answers calls that were made without thinking: such a turn cannot begin to think now. */
function turnWithoutThinking(items: readonly PlanItem[]): boolean {
  const at = items.findLastIndex((item) => item.role === 'assistant');
  const asked = items[at];
  const answers = items.slice(at + 1).some((item) => item.role === 'batch');
  return asked?.role === 'assistant' && answers && asked.content[0]?.type !== 'thinking';
}

function profileReceipts(used: Profile, given: Profile): Receipt[] {
  const receipts: Receipt[] = [];
  if (used.assumed !== undefined) {
    const why = `"${used.id}" tells nothing about the model behind it; set its capabilities in the configuration`;
    receipts.push({ action: 'assumed', subject: used.assumed, why });
  }
  if (used !== given && JSON.stringify(used) !== JSON.stringify(given)) {
    receipts.push({
      action: 'frozen',
      subject: used.model,
      why: 'the conversation goes on with the profile it began with',
    });
  }
  return receipts;
}

/** After the system prompt, and after the last two places where a request may end: the next one then finds its prefix. */
function cacheMarks(items: readonly PlanItem[]): Plan['marks'] {
  const ends = items.flatMap((item, index) => (item.role === 'assistant' ? [] : [index]));
  return { system: true, items: ends.slice(-2) };
}

function cacheKey(transcript: Transcript, first: string | undefined): string {
  return `sightline-${digest(canonicalJson([transcript.system, transcript.tools, first]))}`;
}
