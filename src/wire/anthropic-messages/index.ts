import { digest } from '../../content/text.ts';
import { bothSides, serverSentEvents } from '../wire.ts';
import type { Wire, WireClient } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode } from './encode.ts';
import { places } from './places.ts';
import { route } from './route.ts';
import { served } from './served.ts';
import { turns } from './turns.ts';
import type { AnthropicBody } from './types.ts';

/**
 * What it takes to ask.
 *
 * @example
 * for await (const event of anthropicMessagesClient.decode(await fetch(address, request))) console.log(event);
 */
export const anthropicMessagesClient: WireClient<AnthropicBody> = {
  name: 'anthropic-messages',
  route,
  streamFields: () => ({ stream: true }),
  asksForStream: ({ stream }) => stream === true,
  framing: serverSentEvents,
  encode,
  sdk: (body) => body,
  decode,
};

/**
 * What it takes to ask, to answer, and to stand between.
 *
 * @example
 * const asked = anthropicMessages.accept(await request.json());
 */
export const anthropicMessages: Wire<AnthropicBody> = /* @__PURE__ */ bothSides(anthropicMessagesClient, {
  accept,
  emit,
  turns,
  places,
  served,
  scripted: {
    idPrefix: 'msg_',
    thought: (text) => ({ type: 'thinking', thinking: text, signature: `scripted-${digest(text)}` }),
  },
});

export type * from './types.ts';
