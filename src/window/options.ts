// Request options against what a profile takes: only what is set and taken is sent, and what is not taken is told.
import { digest } from '../content/text.ts';
import {
  boundsThinking,
  leastOutputTokens,
  mostOfUser,
  mostStops,
  stopsReasoners,
  takesMaxEffort,
  takesOption,
} from './catalog.ts';
import type { PlainOption } from './catalog.ts';
import type { RequestOptions, SettledOptions } from './plan-types.ts';
import type { Profile } from './profile.ts';
import type { Receipt } from './receipt.ts';
import type { Effort } from './rules.ts';

/** The options that will be sent, with a receipt for each one that will not. `turnWithoutThinking`: results are due now. */
export function settleOptions(
  asked: RequestOptions,
  profile: Profile,
  toolCount: number,
  turnWithoutThinking: boolean,
): { options: SettledOptions; receipts: Receipt[] } {
  const { options, receipts } = boundAnswer(asked, profile);
  const ignore: Ignore = (option, why) => {
    delete options[option];
    receipts.push({ action: 'ignored', subject: option, why });
  };
  if (options.thinking !== undefined) {
    const on = options.thinking !== 'off';
    if (profile.thinking === 'none' && on) ignore('thinking', `${profile.id} does not think aloud`);
    else if (profile.thinking === 'none') delete options.thinking;
    else if (!on && !profile.thinkingOff) ignore('thinking', `${profile.id} always thinks`);
  }
  if (profile.toolsNeedNoThinking && toolCount > 0 && options.thinking !== 'off') {
    if (options.thinking !== undefined)
      ignore('thinking', `${profile.id} takes tools on this API only without thinking`);
    if (profile.toolsNeedNoThinking !== 'unsaid') options.thinking = 'off';
  }
  const neverForced = profile.boundThinking && !profile.thinkingOff;
  if (neverForced && toolCount > 0 && isForced(options.toolChoice))
    ignore('toolChoice', `${profile.id} always thinks, and cannot be made to call a tool`);
  if (profile.strictThinking && options.thinking !== undefined && options.thinking !== 'off') {
    const forced = isForced(options.toolChoice);
    if (forced && toolCount > 0) ignore('thinking', 'a forced tool leaves no room for it');
    else if (turnWithoutThinking && profile.thinking === 'budget')
      ignore('thinking', 'the running turn began without it');
  }
  if (options.thinking === 'xhigh' && !profile.xhighBelowMax) options.thinking = 'max';
  if (options.thinking === 'max' && !profile.thinkingMax) options.thinking = 'high';
  if (options.thinking === 'max' && profile.xhighBelowMax && !takesMaxEffort(profile.wire)) {
    const why = `${profile.id} takes xhigh at most on this API; that is sent`;
    receipts.push({ action: 'ignored', subject: 'thinking', why });
    options.thinking = 'xhigh';
  }
  if (options.thinking === 'medium' && !profile.thinkingMedium) options.thinking = 'high';
  if (isOn(options.thinking) && profile.thinking === 'budget' && (options.maxTokens ?? 4096) < 2048) {
    ignore('thinking', 'so few tokens leave no room for it');
  }
  const budget = thinkingBudget(options, profile);
  const thinks = budget !== undefined || (profile.thinking === 'adaptive' && isOn(options.thinking));
  if (options.temperature !== undefined) {
    if (!profile.temperature) ignore('temperature', `${profile.id} takes no temperature`);
    else if (thinks) ignore('temperature', 'it cannot be set while the model thinks');
  }
  settlePlain(options, profile, thinks, ignore);
  if (toolCount === 0) delete options.parallelCalls;
  if (options.citations === false) delete options.citations;
  if (options.citations) {
    if (!profile.citations) ignore('citations', `${profile.id} cannot be asked for its sources here`);
    else if (options.output) ignore('citations', 'an answer in a given form leaves no room for them');
  }
  if (options.toolChoice !== undefined) {
    if (!profile.toolChoice) ignore('toolChoice', `${profile.endpoint} has no such option`);
    else if (toolCount === 0) ignore('toolChoice', 'there are no tools');
    else if (options.toolChoice === 'none' && !takesOption('noCalls', profile.endpoint, profile.wire))
      ignore('toolChoice', `${profile.endpoint} cannot be told to call none of its tools`);
  }
  return { options: { ...options, ...budget }, receipts };
}

/** Leaves out an option, and tells why. */
type Ignore = (option: keyof RequestOptions, why: string) => void;

/** Options that stand for themselves alone. */
function settlePlain(options: RequestOptions, profile: Profile, thinks: boolean, ignore: Ignore): void {
  const { id, endpoint, wire } = profile;
  if (options.stop?.length === 0) delete options.stop; // some APIs refuse an empty list
  for (const option of plain)
    if (options[option] !== undefined && !takesOption(option, endpoint, wire))
      ignore(option, `${endpoint} has no such option`);
  if (options.topP !== undefined && !profile.temperature) ignore('topP', `${id} takes no sampling options`);
  if (profile.strictThinking && options.topP !== undefined && profile.family.startsWith('claude')) {
    if (options.temperature !== undefined || (thinks && options.topP < 0.95))
      ignore('topP', 'it cannot be set beside temperature, nor be low while the model thinks');
  }
  const isReasoner = profile.thinking === 'effort' && !profile.temperature;
  if (options.stop && isReasoner && !stopsReasoners(wire)) ignore('stop', `${id} takes no words to end at`);
  const [most, stop = []] = [mostStops(wire), options.stop];
  if (stop.length > most) {
    ignore('stop', `${endpoint} takes ${most}; the last ${stop.length - most} are not sent`);
    options.stop = stop.slice(0, most);
  }
  const [longest, user = ''] = [mostOfUser(wire), options.user];
  if (user.length > longest) {
    ignore('user', `${endpoint} takes ${longest} characters; a digest of it is sent`);
    options.user = `user-${digest(user)}`;
  }
}

/** No longer answer is asked for than the model is known to give, and none shorter than its API can be asked for. */
function boundAnswer(
  asked: RequestOptions,
  { id, endpoint, wire, mostOutputTokens: most = Infinity }: Profile,
): ReturnType<typeof settleOptions> {
  const least = leastOutputTokens(wire);
  const { maxTokens = least } = asked;
  const bounded = Math.max(Math.min(maxTokens, most), least);
  if (bounded === maxTokens) return { options: { ...asked }, receipts: [] };
  const why = bounded > maxTokens ? `${endpoint} can be asked for ${least} at least` : `${id} writes ${most} at most`;
  return {
    options: { ...asked, maxTokens: bounded },
    receipts: [{ action: 'ignored', subject: 'maxTokens', why }],
  };
}

const plain = [
  'stop',
  'topP',
  'topK',
  'seed',
  'parallelCalls',
  'verbosity',
  'user',
] as const satisfies readonly PlainOption[];

function isOn(effort: Effort | undefined): boolean {
  return effort !== undefined && effort !== 'off';
}

/** Whether some tool must be called. */
function isForced(choice: RequestOptions['toolChoice']): boolean {
  if (typeof choice !== 'object') return choice === 'required';
  return 'tool' in choice || choice.required === true;
}

/** What each effort buys where thinking is bought by the token. */
export const effortTokens = { low: 2048, medium: 8192, high: 16_384, xhigh: 32_768, max: 32_768 } as const;

/** The dearest effort that so many tokens buy. */
export function effortFor(tokens: number): keyof typeof effortTokens {
  if (tokens < effortTokens.medium) return 'low';
  return tokens < effortTokens.high ? 'medium' : tokens < effortTokens.max ? 'high' : 'max';
}

/** Where thinking is bought by the token: how much of it, and an answer that still has room beside it. */
function thinkingBudget(options: RequestOptions, profile: Profile): Budget | undefined {
  if (profile.thinking !== 'budget' || options.thinking === undefined || options.thinking === 'off') return undefined;
  const { maxOutputTokens, mostOutputTokens: most = Infinity, wire } = profile;
  const thinkingTokens = Math.min(effortTokens[options.thinking], profile.maxThinkingTokens, Math.floor(most / 2));
  if (options.maxTokens === undefined) {
    if (!boundsThinking(wire)) return { thinkingTokens };
    return { thinkingTokens, maxTokens: Math.min(Math.max(maxOutputTokens, thinkingTokens + 4096), most) };
  }
  const half = Math.floor(options.maxTokens / 2); // the caller's ceiling holds; half of it is for the answer
  return { thinkingTokens: Math.min(thinkingTokens, half), maxTokens: options.maxTokens };
}

type Budget = { thinkingTokens: number; maxTokens?: number };
