// A complaint that names no medium, while several may be to blame → the guilty ones, by halves: small requests with some
// of the suspects and hardly room for an answer, on the same way as the real one. Four at most, each of them told.
import { probeQuestion } from '../../content/words.ts';
import type { MediumId } from '../../content/block.ts';
import { isCarried, mediumId } from '../../content/block.ts';
import type { MessageError } from '../../message/error.ts';
import type { ModelEvent } from '../../message/event.ts';
import type { Message, Usage } from '../../message/message.ts';
import type { Prepared, PrepareOptions } from '../prepared.ts';
import type { Narrowed } from './repair-types.ts';

/** A small request with some of the suspects was sent. */
export type Probed = { type: 'request-probed'; media: number; suspects: number; taken: boolean; usage?: Usage };

const maxProbes = 4;
/** The fewest tokens that every API takes as a limit of the answer. */
const fewTokens = 16;

/** How a small request is asked: of the same model at the same place, with nothing that concerns the answer. */
export function probeOptions({ model, baseUrl, apiVersion, profile, signal }: PrepareOptions): PrepareOptions {
  return {
    model,
    maxTokens: fewTokens,
    cache: 'off',
    readPictures: false,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiVersion !== undefined && { apiVersion }),
    ...(profile && { profile }),
    ...(signal && { signal }),
  };
}

/** Some media of a conversation and nothing else, each in a message of its own: one message shows only so many. */
export function probeMessages(messages: readonly Message[], some: readonly MediumId[]): Message[] {
  const blocks = messages.flatMap(({ content }) => content.filter(isCarried));
  const shown = some.flatMap((id) => blocks.find((block) => mediumId(block) === id) ?? []);
  const asked: Message = { role: 'user', content: [{ type: 'text', text: probeQuestion }] };
  return [...shown.map((block): Message => ({ role: 'user', content: [block] })), asked];
}

/** Searches where it is worth it; undefined when there is nobody to choose between, or nothing came of it. */
export async function* narrow(
  request: Prepared,
  error: MessageError,
  send: (probe: Prepared) => AsyncIterable<ModelEvent>,
): AsyncGenerator<Probed, Narrowed | undefined> {
  const all = request.suspects(error);
  const cleared = new Set<MediumId>();
  let guilty = all;
  let sure = false;
  let probes = 0;
  while (guilty.length > 1 && probes < maxProbes) {
    const half = guilty.slice(0, Math.ceil(guilty.length / 2));
    // A request that cannot be made, because it does not fit, tells nothing.
    const probe = await request.probe(half).catch(() => undefined);
    const { taken, usage }: Verdict = probe ? await verdict(send(probe)) : {};
    if (taken === undefined) break;
    probes++;
    yield { type: 'request-probed', media: half.length, suspects: all.length, taken, ...(usage && { usage }) };
    if (taken) for (const id of half) cleared.add(id);
    else sure = true;
    guilty = taken ? guilty.slice(half.length) : half;
  }
  return probes === 0 ? undefined : { guilty, cleared, sure, suspects: all.length, probes };
}

type Verdict = { taken?: boolean | undefined; usage?: Usage };

/** Whether the provider took it; undefined when it said neither. */
async function verdict(events: AsyncIterable<ModelEvent>): Promise<Verdict> {
  for await (const event of events) {
    if (event.type === 'message-error') return { taken: event.code === 'media' ? false : undefined };
    if (event.type === 'message-end') return { taken: true, ...(event.usage && { usage: event.usage }) };
  }
  return { taken: undefined };
}
