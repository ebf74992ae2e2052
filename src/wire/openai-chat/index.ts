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
import type { ChatBody } from './types.ts';

/**
 * What it takes to ask.
 *
 * @example
 * for await (const event of openaiChatClient.decode(await fetch(address, request))) console.log(event);
 */
export const openaiChatClient: WireClient<ChatBody> = {
  name: 'openai-chat',
  route,
  streamFields: ({ dialect }) =>
    dialect.unstreamed ? {} : { stream: true, ...(dialect.streamUsage && { stream_options: { include_usage: true } }) },
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
 * const asked = openaiChat.accept(await request.json());
 */
export const openaiChat: Wire<ChatBody> = /* @__PURE__ */ bothSides(openaiChatClient, {
  accept,
  emit,
  turns,
  places,
  served,
  scripted: { idPrefix: 'chatcmpl-', thought: (text) => ({ reasoning_content: text }) },
});

export type * from './types.ts';
