// A seeing model for one that cannot see: a picture in, what it shows in words out, asked once. It is asked like any other
// model, so that small writing reaches it; whatever goes wrong is a refusal, and the picture goes its usual way.
import { memoOf } from '../asset/memo.ts';
import type { AssetStore } from '../asset/store.ts';
import type { ImageBlock } from '../content/block.ts';
import { refuse } from '../content/refusal.ts';
import { cutText, digest } from '../content/text.ts';
import { textIn } from '../content/block.ts';
import { descriptionRequest, pictureQuestion } from '../content/words.ts';
import { collect } from '../message/collect.ts';
import type { Message, TranscriptInput } from '../message/message.ts';
import type { Spent } from '../tool/tool.ts';
import { costOf } from '../window/prices.ts';
import type { Fact } from '../window/rendition.ts';
import { systemClock } from './http/clock.ts';
import type { Eyes, Prepared, PrepareOptions } from './prepared.ts';
import { send } from './send.ts';
import { describedOnce } from './descriptions.ts';
import type { DescriptionTable } from './descriptions.ts';

/** How the eyes of one conversation, or of a fetch, are doing; after some failures in a row they rest a while. */
export type EyesState = { failures: number; restUntil: number; lanes: Promise<unknown>[]; next: number };

/** Goes up when what they are asked for changes. */
const version = 1;

const mostFailures = 3;
const restMs = 30_000;
const lanes = 2;
const lookMs = 20_000;
const mostTokens = 700;
const mostCharacters = 8000;
const mostQuestion = 500;

export function freshEyes(): EyesState {
  return { failures: 0, restUntil: 0, lanes: Array.from({ length: lanes }, () => Promise.resolve()), next: 0 };
}

export function eyesName(eyes: Eyes): string {
  return typeof eyes === 'string' ? eyes : eyes.model;
}

type Look = {
  eyes: Eyes;
  state: EyesState;
  assets: AssetStore;
  messages: readonly Message[];
  signal?: AbortSignal | undefined;
  descriptions?: DescriptionTable | undefined;
  /** Told what a look took. */
  spent: (spent: Spent) => void;
  prepare: (transcript: TranscriptInput, options: PrepareOptions) => Promise<Prepared>;
};

/** Has a picture described. Two are looked at at a time, none by two at once. */
export function describePicture(picture: ImageBlock, look: Look): Promise<Fact> {
  const { state, assets, eyes } = look;
  const looking = memoOf<Promise<Fact> | undefined>(assets, 'looking');
  const key = `${picture.asset.id} ${eyesName(eyes)}`;
  const already = looking.get(key);
  // Whoever began it may be stopped, and that is nothing to those who wait for the same.
  if (already) return already.then((fact) => (isStopped(fact) && !look.signal?.aborted ? describePicture(picture, look) : fact)); // prettier-ignore
  const lane = state.next++ % lanes;
  const done = (state.lanes[lane] ?? Promise.resolve()).then(async () => {
    if (systemClock.now() < state.restUntil) return failed(look, 'it failed too often, and rests for half a minute');
    const fact = await onlyOnce(picture, look).catch((error: unknown) =>
      look.signal?.aborted ? stopped : failed(look, messageOf(error)),
    );
    if (isStopped(fact)) return fact;
    state.failures = fact.ok ? 0 : state.failures + 1;
    if (state.failures >= mostFailures) state.restUntil = systemClock.now() + restMs;
    return fact;
  });
  state.lanes[lane] = done;
  looking.set(key, done);
  void done.then(() => looking.set(key, undefined));
  return done;
}

const stopped: Fact = refuse('cancelled', 'The look at it was stopped', 'Ask again.');

function isStopped(fact: Fact): boolean {
  return !fact.ok && fact.refusal.code === 'cancelled';
}

/** The same words wherever somebody has asked for them before. */
async function onlyOnce(picture: ImageBlock, look: Look): Promise<Fact> {
  const { descriptions: table, eyes, messages, signal } = look;
  const words = descriptionRequest(cutText(questionIn(messages), mostQuestion));
  if (!table) return await looked(picture, words, look);
  const key = `${picture.asset.id} ${eyesName(eyes)} ${version}`;
  const fact = await describedOnce(table, key, lookMs, () => looked(picture, words, look), signal);
  return fact ?? failed(look, 'another process looks at it, and has said nothing yet');
}

/** The answer of the eyes to a question about a picture; the same question is asked once. */
export async function askEyes(
  picture: ImageBlock,
  question: string,
  look: Omit<Look, 'state' | 'messages'>,
): Promise<Fact> {
  const answers = memoOf<Fact>(look.assets, 'eyes');
  const key = `${picture.asset.id} ${eyesName(look.eyes)} ${digest(question)}`;
  const known = answers.get(key);
  if (known) return known;
  const words = pictureQuestion(cutText(question, mostQuestion));
  const fact = await looked(picture, words, look).catch((error: unknown) => failed(look, messageOf(error)));
  if (fact.ok) answers.set(key, fact);
  return fact;
}

async function looked(picture: ImageBlock, words: string, look: Omit<Look, 'state' | 'messages'>): Promise<Fact> {
  const { eyes, assets, signal, prepare } = look;
  const options = typeof eyes === 'string' ? { model: eyes } : eyes;
  const { fallback: _, ...bare } = picture;
  const transcript: TranscriptInput = { messages: [{ role: 'user', content: [bare, { type: 'text', text: words }] }] };
  const request = await prepare(transcript, { ...options, assets, maxTokens: mostTokens, readPictures: false });
  const seen = request.plan.items.some(
    (item) => item.role === 'user' && item.content.some((block) => block.type === 'image'),
  );
  if (!seen) return failed(look, 'it cannot see', 'Name a model that takes pictures.');
  const sending = { totalMs: lookMs, tries: 1, ...(typeof eyes === 'string' ? {} : eyes), ...(signal && { signal }) };
  const answer = await collect(send(request, sending));
  if (answer.usage) {
    const cost = costOf(request.plan.profile, answer.usage);
    look.spent({ model: request.plan.profile.model, usage: answer.usage, ...(cost !== undefined && { cost }) });
  }
  signal?.throwIfAborted();
  const text = textIn(answer.content).trim();
  if (answer.error) return failed(look, answer.error.message);
  if (text === '' || answer.stop === 'declined') return failed(look, 'it said nothing');
  return { ok: true, value: [{ type: 'text', text: cutText(text, mostCharacters) }] };
}

/** The newest words of the user, so that what matters for them is described. */
function questionIn(messages: readonly Message[]): string {
  const asked = messages.findLast(({ role, content }) => role === 'user' && textIn(content).trim() !== '');
  return asked ? textIn(asked.content, ' ').replaceAll(/\s+/g, ' ').trim() : '';
}

function failed({ eyes }: Pick<Look, 'eyes'>, why: string, next = 'The picture goes in words.'): Fact {
  return refuse('timed-out', `${eyesName(eyes)} could not describe it: ${why}`, next);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
