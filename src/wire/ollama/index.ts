import { bothSides } from '../wire.ts';
import type { Wire, WireClient } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode } from './encode.ts';
import { places } from './places.ts';
import { route } from './route.ts';
import { served } from './served.ts';
import { turns } from './turns.ts';
import type { OllamaBody } from './types.ts';

/**
 * What it takes to ask.
 *
 * @example
 * for await (const event of ollamaClient.decode(await fetch(address, request))) console.log(event);
 */
export const ollamaClient: WireClient<OllamaBody> = {
  name: 'ollama',
  route,
  streamFields: () => ({ stream: true }),
  asksForStream: ({ stream }) => stream !== false,
  framing: { contentType: 'application/x-ndjson' },
  encode,
  sdk: (body) => body,
  decode,
};

/**
 * What it takes to ask, to answer, and to stand between.
 *
 * @example
 * const asked = ollama.accept(await request.json());
 */
export const ollama: Wire<OllamaBody> = /* @__PURE__ */ bothSides(ollamaClient, {
  accept,
  emit,
  turns,
  places,
  served,
  scripted: { idPrefix: '', thought: (text) => ({ thinking: text }) },
});

export type * from './types.ts';
