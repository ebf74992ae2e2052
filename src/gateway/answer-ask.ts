// One request for an answer: who may have it, which model gives it, what it may cost, and what is told about it afterwards.
import { refusalText, SightlineError } from '../content/refusal.ts';
import type { MessageError } from '../message/error.ts';
import { hasAuth } from '../model/auth.ts';
import { costOf } from '../window/prices.ts';
import type { Receipt } from '../window/receipt.ts';
import { at, number } from '../wire/fields.ts';
import type { Fields } from '../wire/fields.ts';
import { wires } from '../wire/registry.ts';
import type { ClientAsk } from './ask.ts';
import { namesKept } from './carry.ts';
import { convert } from './convert.ts';
import type { ConvertRules } from './convert.ts';
import { count } from './count.ts';
import { errorAnswer, invalid, mayPass, ofGateway, tooOften } from './errors.ts';
import { inputTokens, keptTokens } from './estimate.ts';
import type { House } from './house.ts';
import { namesOurs } from './kept-answers.ts';
import { bringsKey, mayUse } from './keys.ts';
import type { Tenant } from './keys.ts';
import type { Outcome } from './outcome.ts';
import { recorderFor } from './records.ts';
import { canRelay, needsNoAccount, relay } from './relay.ts';
import { countedActions } from './report.ts';
import type { RequestLine } from './report.ts';
import type { ClientReply } from './reply.ts';
import type { GatewaySettings } from './settings.ts';
import { dearest, nothingReserved } from './spend.ts';
import type { Reserved } from './spend.ts';
import { noModel, targetsFor } from './targets.ts';
import type { AnswerTarget } from './settings.ts';

export type AskVisit = { tenant: Tenant; reply: ClientReply; settings: GatewaySettings; house: House };

/** Who answered, and how that ended. */
type Answered = { target?: AnswerTarget; way?: 'relay' | 'convert'; outcome: Outcome; cost?: number };

/** Answers, and tells about it. */
export async function answerAsk(ask: ClientAsk, counts: boolean, visit: AskVisit): Promise<void> {
  const { house, tenant, reply } = visit;
  const began = house.clock.now();
  const leave = await house.pace.enter(tenant);
  const answered: Answered =
    typeof leave === 'number'
      ? { outcome: { error: tooOften(tenant.name, leave) } }
      : await answerFrom(ask, counts, visit).catch((error: unknown) => ({ outcome: { error: ofGateway(error) } }));
  try {
    const { error, delivered } = answered.outcome;
    if (error && !delivered && !reply.gone.aborted) await tellTrouble(error, ask, reply);
  } finally {
    if (typeof leave !== 'number') leave();
    house.report.tell(lineOf(ask, answered, visit, began));
  }
}

async function answerFrom(ask: ClientAsk, counts: boolean, visit: AskVisit): Promise<Answered> {
  const { tenant, reply, settings, house } = visit;
  const unnamed = ask.name === '' ? 400 : undefined;
  if (!mayUse(tenant, ask.name)) {
    const refusal = noModel(ask.name, tenant.key?.routes ?? []);
    const what = unnamed ? refusal.what : `The key ${tenant.name} may not use "${ask.name}"`;
    return { outcome: { error: invalid(refusalText({ ...refusal, what }), unnamed ?? 403) } };
  }
  const targets = targetsFor(ask.name, ask.wire, settings);
  if (!targets.ok) return { outcome: { error: invalid(refusalText(targets.refusal), unnamed ?? 404) } };
  const [first] = targets.value;
  if (counts && first) {
    const asked = withOwnKey(first, canRelay(ask, first), tenant);
    const tokens = 'type' in asked ? asked : await count(ask, asked, reply.gone, house.roomOf(tenant.name));
    if (typeof tokens !== 'number') return { outcome: { error: tokens } };
    reply.json(200, wires[ask.wire].served.count?.answer(tokens));
    return { target: first, way: canRelay(ask, first) ? 'relay' : 'convert', outcome: { delivered: true } };
  }
  const order = house.rests.awakeFirst(targets.value);
  const before: Receipt[] = [];
  const recorderOf = recorderFor(ask.id, house.recorder);
  let answered: Answered = { outcome: {} };
  for (const [index, target] of order.entries()) {
    answered = await answerBy(ask, target, { last: index === order.length - 1, before, recorderOf }, visit);
    const { error, delivered, sentAt } = answered.outcome;
    if (!error || delivered || reply.gone.aborted || !mayPass.has(error.code)) break;
    if (order.length > 1 && sentAt !== undefined && !isOfKey(error, tenant)) house.rests.tired(target);
    before.push({ action: 'fallback', subject: target.profile.model, why: error.message });
  }
  return answered;
}

/** What a vendor says of the client's own key, and not of the model. */
function isOfKey({ code }: MessageError, tenant: Tenant): boolean {
  return bringsKey(tenant) && (code === 'auth' || code === 'rate-limited');
}

/** Its place among the models that may answer, and what is told of those before it. */
type TargetTurn = Pick<ConvertRules, 'before' | 'recorderOf'> & { last: boolean };

async function answerBy(ask: ClientAsk, target: AnswerTarget, turn: TargetTurn, visit: AskVisit): Promise<Answered> {
  const { tenant, reply, settings, house } = visit;
  const isOwn = canRelay(ask, target);
  const asked = withOwnKey(target, isOwn, tenant);
  const goesAsItIs = isOwn && ('type' in asked || needsNoAccount(asked));
  const relays =
    isOwn && (ask.behind !== undefined || (goesAsItIs && !(await namesOurs(ask, house.memory, tenant.name))));
  const about = { target, way: relays ? 'relay' : 'convert' } as const;
  if (ask.behind !== undefined && !relays) return { ...about, outcome: { error: onlyOwn(ask, target) } };
  const hasBudget = tenant.key?.budget !== undefined;
  const most = hasBudget ? mostFor(ask, target, await namedTokens(ask, target, visit)) : undefined;
  const reserved = await reserve(target, most, visit);
  if ('type' in reserved) return { ...about, outcome: { error: reserved } };
  let outcome: Outcome = {};
  try {
    const room = house.roomOf(tenant.name);
    const eyes = target.choice.eyes ?? settings.eyes;
    const own = { tenant: tenant.name, ownKey: bringsKey(tenant) };
    const way = { ...house, ...room, ...own, carry: settings.carry, eyes, ...turn };
    outcome = 'type' in asked ? { error: asked } : await (relays ? relay : convert)(ask, asked, reply, way);
  } finally {
    const usage = outcome.message?.usage;
    const known = usage && plus(costOf(target.profile, usage), lookedCost(outcome));
    // What was begun and never told its cost may have cost all that it could.
    const spent = known ?? (wasBegun(outcome) ? (most ?? 0) : 0) + lookedCost(outcome);
    await reserved.settle(spent).catch(house.storeFails); // the client has its answer already
  }
  const cost = outcome.message?.usage && plus(costOf(target.profile, outcome.message.usage), lookedCost(outcome));
  return { ...about, outcome, ...(cost !== undefined && { cost }) };
}

/** Whether a model may have worked for it: it spoke, or was asked and nobody waited to hear whether it would. */
function wasBegun({ message, error, sentAt }: Outcome): boolean {
  return message !== undefined || (error?.code === 'aborted' && sentAt !== undefined);
}

function onlyOwn({ url }: ClientAsk, { profile }: AnswerTarget): MessageError {
  return invalid(`${profile.model} speaks another dialect and has no ${url.pathname}. Ask without it.`, 404);
}

/** The tokens of the conversation that a request only names. What a vendor keeps may fill all that the model takes. */
async function namedTokens(
  { wire, body }: ClientAsk,
  { profile }: AnswerTarget,
  { house, tenant }: AskVisit,
): Promise<number> {
  const from = wires[wire].served.kept?.from(body);
  const earlier = from === undefined ? undefined : await house.memory.conversation(tenant.name, from);
  if (earlier) return keptTokens(earlier, profile);
  return namesKept(body) ? profile.contextTokens : 0;
}

function mostFor(
  { text, strings, body, wire }: ClientAsk,
  { profile }: AnswerTarget,
  named: number,
): number | undefined {
  const { maxTokens, answers } = wires[wire].places;
  const length = largestAt(body, maxTokens) ?? profile.maxOutputTokens;
  const many = Math.max(1, largestAt(body, answers) ?? 1);
  const input = Math.min(inputTokens(text, strings, profile) + named, profile.contextTokens);
  return dearest(profile, input, length * many);
}

/** What those took that described pictures; nothing where their price is not known. */
function lookedCost({ looked = [] }: Outcome): number {
  return looked.reduce((sum, { cost = 0 }) => sum + cost, 0);
}

function plus(one: number | undefined, other: number): number | undefined {
  return one === undefined ? undefined : one + other;
}

async function reserve(
  { profile }: AnswerTarget,
  most: number | undefined,
  visit: AskVisit,
): Promise<Reserved | MessageError> {
  const { tenant, house } = visit;
  if (tenant.key?.budget === undefined) return nothingReserved;
  if (most === undefined)
    return invalid(`Nobody knows what ${profile.model} costs, and the key ${tenant.name} has a budget.`, 403);
  const { budget, per } = tenant.key;
  const spent =
    `The key ${tenant.name} may spend $${budget}${per === 'ever' ? '' : ` a ${per}`}, and what is left of it does not ` +
    `cover this request, which may cost $${Number(most.toPrecision(2))}. ` +
    (per === 'ever' ? 'Raise its budget.' : `Wait for the next ${per}, or raise its budget.`);
  try {
    return (await house.purse.reserve(tenant, most)) ?? { ...invalid(spent, 429), code: 'spent' };
  } catch (error) {
    if (!(error instanceof SightlineError)) throw error;
    const away = `Nobody can say what the key ${tenant.name} has spent, so nothing is sent for it. Try again soon.`;
    return { ...invalid(away, 503), code: 'overloaded', retryable: true, retryAfter: 2000 };
  }
}

/** The client's own key goes to the vendor it is for, and to nobody else. */
export function withOwnKey(target: AnswerTarget, relays: boolean, tenant: Tenant): AnswerTarget | MessageError {
  if (!bringsKey(tenant)) return target;
  const { credential, name } = tenant;
  const { choice } = target;
  if (!relays || choice.baseUrl !== undefined || hasAuth(choice.headers) || credential === undefined)
    return invalid(`The key ${name} is sent to its own vendor alone; ${target.profile.model} is another's.`, 403);
  return { ...target, choice: { ...choice, key: credential } };
}

/** The largest number that stands in one of these places. */
function largestAt(body: Fields, places: readonly string[]): number | undefined {
  const largest = Math.max(0, ...places.map((place) => number(at(body, place.split('.'))) ?? 0));
  return largest > 0 ? largest : undefined;
}

/** Before the head it is an error with a status; after a sign of life it travels in the stream. */
async function tellTrouble(error: MessageError, ask: ClientAsk, reply: ClientReply): Promise<void> {
  if (!reply.begun) {
    const { status, body, headers } = errorAnswer(error, ask.wire);
    return reply.json(status, body, { 'x-sightline-id': ask.id, ...headers });
  }
  for (const frame of wires[ask.wire].emit({ model: ask.name }).push(error)) await reply.write(frame);
  reply.end();
}

function lineOf(ask: ClientAsk, answered: Answered, { tenant, reply, house }: AskVisit, began: number): RequestLine {
  const { target, way, outcome, cost } = answered;
  const { receipts = [], message, error } = outcome;
  const checkpoint = receipts.find(({ action }) => action === 'checkpoint')?.subject;
  return {
    time: new Date(house.clock.now()).toISOString(),
    id: ask.id,
    ...(tenant.name !== '' && { key: tenant.name }),
    wire: ask.wire,
    route: ask.name,
    ...(target && { target: target.profile.model }),
    ...(way && { way }),
    status: reply.gone.aborted ? 499 : reply.status,
    bytes: ask.bytes,
    ...(message?.usage && { usage: message.usage }),
    ...(cost !== undefined && { cost }),
    ...(reply.firstAt !== undefined && { firstMs: reply.firstAt - began }),
    ...(outcome.sentAt !== undefined && { overheadMs: outcome.sentAt - began }),
    totalMs: house.clock.now() - began,
    ...(checkpoint !== undefined && { checkpoint }),
    ...(outcome.healed && { healed: outcome.healed }),
    receipts: countedActions(receipts),
    ...(error && { error: error.code }),
  };
}
