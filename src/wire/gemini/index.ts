import { digest } from '../../content/text.ts';
import { bothSides, serverSentEvents } from '../wire.ts';
import type { Wire, WireClient } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode, sdk } from './encode.ts';
import { places } from './places.ts';
import { route } from './route.ts';
import { served } from './served.ts';
import { turns } from './turns.ts';
import type { GeminiBody, GeminiSdkBody } from './types.ts';

/**
 * What it takes to ask.
 *
 * @example
 * for await (const event of geminiClient.decode(await fetch(address, request))) console.log(event);
 */
export const geminiClient: WireClient<GeminiBody, GeminiSdkBody> = {
  name: 'gemini',
  route,
  streamFields: () => ({}), // it has an address of its own for that
  asksForStream: () => false,
  framing: serverSentEvents,
  encode,
  sdk,
  decode,
};

/**
 * What it takes to ask, to answer, and to stand between.
 *
 * @example
 * const asked = gemini.accept(await request.json());
 */
export const gemini: Wire<GeminiBody, GeminiSdkBody> = /* @__PURE__ */ bothSides(geminiClient, {
  accept,
  emit,
  turns,
  places,
  served,
  // It signs calls, not thoughts.
  scripted: {
    idPrefix: 'response-',
    call: ({ id, name, input }) => ({
      functionCall: { id, name, args: input },
      thoughtSignature: `scripted-${digest(id)}`,
    }),
  },
});

export type * from './types.ts';
