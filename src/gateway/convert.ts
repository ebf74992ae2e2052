// A request in one dialect, answered by a model that speaks another: read, planned for that model, and its answer told
// in the words of the client.
import { refusalText } from '../content/refusal.ts';
import type { Intake } from '../content/intake.ts';
import { collector } from '../message/collect.ts';
import type { MessageError } from '../message/error.ts';
import type { ModelEvent } from '../message/event.ts';
import { answer } from '../model/answer.ts';
import type { AnswerEvent } from '../model/answer.ts';
import type { Clock } from '../model/http/clock.ts';
import type { DescriptionTable } from '../model/descriptions.ts';
import type { Eyes } from '../model/prepared.ts';
import { passedTrace } from '../model/telemetry.ts';
import type { Spent } from '../tool/tool.ts';
import type { AssetStore } from '../asset/store.ts';
import type { Profile } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import type { Accepted } from '../wire/accepted.ts';
import { wantsUsage } from '../wire/accepted.ts';
import type { SentFrame } from '../wire/emitter.ts';
import { wires } from '../wire/registry.ts';
import { nothingAsked } from './ask.ts';
import type { ClientAsk } from './ask.ts';
import { clientGone, invalid, ofProvider } from './errors.ts';
import { withoutHabits } from './habits.ts';
import { withKept } from './kept-answers.ts';
import type { GatewayMemory } from './memory.ts';
import type { AssistantMessage } from '../message/message.ts';
import type { Ledger } from '../window/ledger.ts';
import { refusedOptions, uncarried } from './carry.ts';
import type { Outcome } from './outcome.ts';
import type { AskRecorder } from './records.ts';
import { receiptWords } from './report.ts';
import type { ClientReply } from './reply.ts';
import { restored, withMedia } from './strings.ts';
import { fittingChoice, clientNames, withFittingNames } from './tool-names.ts';
import type { CrowdTurns } from './fair-turns.ts';
import type { AnswerTarget } from './settings.ts';

export type ConvertTools = {
  assets: AssetStore;
  intake: Intake;
  clock: Clock;
  memory: GatewayMemory;
  descriptions?: DescriptionTable | undefined;
  turns: CrowdTurns;
};

/** What holds for one request alone. */
export type ConvertRules = {
  /** Who describes pictures for models that cannot see. */
  eyes: Eyes | undefined;
  /** What becomes of an option that the model has no place for. */
  carry: 'tell' | 'refuse';
  tenant: string;
  /** The client's own key is asked with. */
  ownKey: boolean;
  /** What was decided before this model was asked. */
  before: readonly Receipt[];
  recorderOf: AskRecorder;
};

/** Answers by converting. An error that comes before the first word is only given back: another model may do better. */
export async function convert(
  ask: ClientAsk,
  target: AnswerTarget,
  reply: ClientReply,
  tools: ConvertTools & ConvertRules,
): Promise<Outcome> {
  const { assets, intake, clock, memory, recorderOf, tenant } = tools;
  const own = { ...everyPicture(target), assets, clock, eyes: tools.eyes, descriptions: tools.descriptions };
  const { choice, profile } = target;
  const asked = await understood(ask, target, tools);
  if ('type' in asked) return { error: asked };
  const { accepted, transcript, before } = asked;
  const recalled = await memory.recall(transcript.messages, tenant, profile.model);
  const notes = openNotes(before, clock);
  const { about } = notes;
  const headers = (): Record<string, string> => wayHeaders(ask, target, 'convert', notes.receipts);
  const named = clientNames(transcript);
  const toolChoice = fittingChoice(accepted.options.toolChoice);
  const teller = openTeller(ask, reply, accepted, tools.turns, headers);
  const options = {
    ...accepted.options,
    ...(toolChoice !== undefined && { toolChoice }),
    ...asked.options,
    ...choice,
    headers: { ...(await passedTrace(ask.headers)), ...choice.headers },
    ledger: recalled.ledger,
    ...own,
    signal: reply.stop,
    ...triesFor(ask),
    ...recorderOf(() => before),
  };
  try {
    const said = withFittingNames({ ...transcript, messages: recalled.messages });
    for await (const event of answer(said, options, intake)) {
      notes.take(event);
      if (event.type.startsWith('request-')) continue;
      if (event.type === 'message-error') {
        const error = ofProvider(event, tools.ownKey);
        if (!teller.told) return { ...about(), error };
        await teller.tell(error);
        reply.end();
        return { ...about(), message: teller.message(), error, delivered: true };
      }
      await teller.tell(named(event as ModelEvent));
    }
    await tools.turns.begins();
    const message = teller.message();
    await recalled.keep(ask.id, message, notes.ledger); // whoever gets the next turn knows of this one
    if (wires[ask.wire].served.kept?.isKept(ask.body))
      await memory.keepConversation(tenant, teller.id, [...transcript.messages, message], ask.id);
    await teller.end();
    return { ...about(), message, delivered: true };
  } catch (error) {
    if (!reply.gone.aborted) throw error;
    return { ...about(), message: teller.message(), error: clientGone };
  } finally {
    teller.stop();
  }
}

type Notes = {
  readonly receipts: readonly Receipt[];
  readonly ledger: Ledger | undefined;
  take: (event: AnswerEvent) => void;
  about: () => Outcome;
};

/** What is told of the requests for an answer. */
function openNotes(before: readonly Receipt[], clock: Clock): Notes {
  let receipts = before;
  let ledger: Ledger | undefined;
  let sentAt: number | undefined;
  let healed = 0;
  const looked: Spent[] = [];
  return {
    get receipts() {
      return receipts;
    },
    get ledger() {
      return ledger;
    },
    take(event) {
      if (event.type === 'request-ready' || event.type === 'request-healed') receipts = [...before, ...event.receipts];
      if (event.type === 'request-ready') sentAt ??= clock.now();
      if (event.type === 'request-unseen') receipts = [...receipts, ...event.receipts];
      if (event.type === 'request-accepted') ({ ledger } = event);
      if (event.type === 'request-healed') healed++;
      if (event.type === 'request-described') looked.push(event);
    },
    about: () => ({ receipts, looked, healed, ...(sentAt !== undefined && { sentAt }) }),
  };
}

/** What was asked, with what may be lost of it told before; or why nobody answers that. */
type Understood = Pick<Accepted, 'transcript'> & {
  accepted: Accepted;
  options: { maxTokens?: number };
  before: Receipt[];
};

async function understood(
  ask: ClientAsk,
  { profile }: AnswerTarget,
  { intake, assets, carry, before, memory, tenant }: ConvertTools & ConvertRules,
): Promise<Understood | MessageError> {
  const author = profile.wire === ask.wire ? { endpoint: profile.endpoint, model: profile.id } : {};
  const read = wires[ask.wire].accept(ask.body, author);
  if (!read.ok) return invalid(refusalText(read.refusal));
  const own = await withMedia(read.value, ask.strings, { intake, assets });
  const accepted = await withKept(ask, own, { memory, tenant }, profile);
  if ('type' in accepted) return accepted;
  const { transcript, receipts: tidy } = withoutHabits(accepted.transcript);
  const nothing = nothingAsked(transcript.messages, ask.wire);
  if (nothing) return nothing;
  const told = uncarried(ask.body, accepted, profile);
  if (told.refused !== undefined) return invalid(told.refused);
  if (carry === 'refuse' && told.lost.length > 0) return invalid(refusedOptions(told.lost, profile));
  const room = roomForWords(accepted.options.maxTokens, profile);
  const receipts = [...before, ...tidy, ...told.receipts, ...room.receipts];
  return { accepted, transcript, options: room.options, before: receipts };
}

type Teller = {
  /** The name that the answer has for the client. */
  readonly id: string;
  /** Whether the client has heard some of the answer. */
  readonly told: boolean;
  tell: (event: ModelEvent) => Promise<void>;
  message: () => AssistantMessage;
  end: () => Promise<void>;
  stop: () => void;
};

/** Tells the events of an answer to the client: each as it comes, or all of them at the end. */
function openTeller(
  ask: ClientAsk,
  reply: ClientReply,
  accepted: Accepted,
  { speaks }: CrowdTurns,
  about: () => Record<string, string>,
): Teller {
  const { emit, framing, scripted, served } = wires[ask.wire];
  const id = `${scripted.idPrefix}${randomLetters()}`;
  const emitter = emit({
    model: ask.name,
    id,
    created: new Date().toISOString(),
    usage: wantsUsage(accepted),
    asked: askedBeside(ask),
    mark: true,
  });
  const list = ask.streamed ? served.listed?.(ask.url) : undefined;
  const contentType = list ? 'application/json' : framing.contentType;
  const head = { 'content-type': contentType, 'cache-control': 'no-cache' };
  const heard = collector();
  let told = false;
  const begin = (): void => {
    if (!reply.begun) reply.begin(200, { ...head, ...about() });
  };
  const silent = ask.streamed && !list && served.heartbeat !== undefined;
  const stop = silent ? reply.keepAlive(served.heartbeat ?? '', begin) : () => undefined;
  const write = async (frames: readonly SentFrame[]): Promise<void> => {
    for (const frame of frames) {
      begin();
      if (list && !told) await reply.write(list.first);
      told = true;
      await reply.write(list && typeof frame === 'string' ? list.item(frame) : frame);
    }
  };
  return {
    id,
    get told() {
      return told;
    },
    stop,
    tell: async (event) => {
      await speaks();
      heard.push(event);
      if (ask.streamed) await write(emitter.push(event));
    },
    message: () => heard.message(),
    end: async () => {
      if (!ask.streamed) {
        const { status, body } = emitter.whole(heard.message());
        return reply.json(status, body, about());
      }
      begin();
      for (const last of list ? [list.last] : emitter.end()) await reply.write(last);
      reply.end();
    },
  };
}

/** The client has chosen what it shows: a message may hold as many pictures as the model takes. */
export function everyPicture({ profile }: AnswerTarget): { maxImagesPerMessage: number } {
  return { maxImagesPerMessage: profile.maxImages };
}

/** A client asks for answers as long as its own vendor's models give; of a small window the conversation needs the most. */
function roomForWords(asked = 0, profile: Profile): { options: { maxTokens?: number }; receipts: Receipt[] } {
  const most = Math.max(profile.maxOutputTokens, Math.floor(profile.contextTokens / 4));
  if (asked <= most) return { options: {}, receipts: [] };
  const why = `${profile.model} has a window of ${profile.contextTokens} tokens; ${most} of them are for the answer`;
  return { options: { maxTokens: most }, receipts: [{ action: 'ignored', subject: 'maxTokens', why }] };
}

/** Who answered, in which way, and how often each decision was taken on it. */
export function wayHeaders(
  { id }: ClientAsk,
  { profile }: AnswerTarget,
  way: 'relay' | 'convert',
  receipts: readonly Receipt[],
): Record<string, string> {
  const counted = receiptWords(receipts);
  return {
    'x-sightline-id': id,
    'x-sightline-model': inHeader(profile.model),
    'x-sightline-way': way,
    'x-sightline-receipts': counted === '' ? `id=${id}` : `${counted}; id=${id}`,
  };
}

/** Headers hold ASCII alone: other letters of a name stand there as they do in an address. */
function inHeader(words: string): string {
  return words.toWellFormed().replaceAll(/[^\x20-\x7e]/gu, (letter) => encodeURIComponent(letter));
}

/** What some dialects say again in their answers: all that was asked but the conversation. */
function askedBeside({ wire, body, strings }: ClientAsk): Record<string, unknown> {
  const { [wires[wire].places.items]: _conversation, ...beside } = body;
  return restored(beside, strings) as Record<string, unknown>;
}

/** An SDK that tries again itself need not be tried for three times. */
function triesFor({ headers }: ClientAsk): { tries?: number } {
  return Number(headers['x-stainless-retry-count'] ?? 0) > 0 ? { tries: 1 } : {};
}

/** Clients take two answers of one id for the same answer. */
export function randomLetters(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(-24);
}
