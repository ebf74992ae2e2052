// A seeing model for one that cannot see: a picture in, what it shows in words out, asked once. It is asked like any other
// model, so that small writing reaches it; whatever goes wrong is a refusal, and the picture goes its usual way.
import type { AssetStore } from '../asset/store.ts';
import type { ImageBlock } from '../content/block.ts';
import { refuse } from '../content/refusal.ts';
import { cutText } from '../content/text.ts';
import { textIn } from '../content/block.ts';
import { descriptionRequest } from '../content/words.ts';
import { collect } from '../message/collect.ts';
import type { Message, TranscriptInput } from '../message/message.ts';
import type { Fact } from '../window/rendition.ts';
import type { Eyes, Prepared, PrepareOptions } from './prepared.ts';
import { send } from './send.ts';

/** How the eyes of one conversation are doing; after some failures in a row they rest. */
export type EyesState = { failures: number; lanes: Promise<unknown>[]; next: number };

const mostFailures = 3;
const lanes = 2;
const lookMs = 20_000;
const mostTokens = 700;
const mostCharacters = 8000;
const mostQuestion = 500;

export function freshEyes(): EyesState {
  return { failures: 0, lanes: Array.from({ length: lanes }, () => Promise.resolve()), next: 0 };
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
  prepare: (transcript: TranscriptInput, options: PrepareOptions) => Promise<Prepared>;
};

/** Has a picture described. Two are looked at at a time. */
export function describePicture(picture: ImageBlock, look: Look): Promise<Fact> {
  const { state } = look;
  const lane = state.next++ % lanes;
  const done = (state.lanes[lane] ?? Promise.resolve()).then(async () => {
    if (state.failures >= mostFailures) return failed(look, 'it failed too often', 'Try again in a new conversation.');
    const fact = await looked(picture, look).catch((error: unknown) => failed(look, messageOf(error)));
    state.failures = fact.ok ? 0 : state.failures + 1;
    return fact;
  });
  state.lanes[lane] = done;
  return done;
}

async function looked(picture: ImageBlock, look: Look): Promise<Fact> {
  const { eyes, assets, messages, signal, prepare } = look;
  const options = typeof eyes === 'string' ? { model: eyes } : eyes;
  const { fallback: _, ...bare } = picture;
  const words = descriptionRequest(cutText(questionIn(messages), mostQuestion));
  const transcript: TranscriptInput = { messages: [{ role: 'user', content: [bare, { type: 'text', text: words }] }] };
  const request = await prepare(transcript, { ...options, assets, maxTokens: mostTokens, readPictures: false });
  const seen = request.plan.items.some(
    (item) => item.role === 'user' && item.content.some((block) => block.type === 'image'),
  );
  if (!seen) return failed(look, 'it cannot see', 'Name a model that takes pictures.');
  const sending = { totalMs: lookMs, tries: 1, ...(typeof eyes === 'string' ? {} : eyes), ...(signal && { signal }) };
  const answer = await collect(send(request, sending));
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

function failed({ eyes }: Look, why: string, next = 'The picture goes in words.'): Fact {
  return refuse('timed-out', `${eyesName(eyes)} could not describe it: ${why}`, next);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
