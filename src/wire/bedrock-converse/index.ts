import { digest } from '../../content/text.ts';
import { isMark } from '../emitter.ts';
import { at } from '../fields.ts';
import { eventStream } from '../framing/event-stream.ts';
import { withoutBlocks } from '../served.ts';
import { bothSides } from '../wire.ts';
import type { Wire, WireClient } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode, sdk } from './encode.ts';
import { places } from './places.ts';
import { route } from './route.ts';
import { turns } from './turns.ts';
import type { ConverseBody, ConverseSdkBody } from './types.ts';

/**
 * What it takes to ask.
 *
 * @example
 * for await (const event of bedrockConverseClient.decode(await fetch(address, request))) console.log(event);
 */
export const bedrockConverseClient: WireClient<ConverseBody, ConverseSdkBody> = {
  name: 'bedrock-converse',
  route,
  streamFields: () => ({}), // it has an address of its own for that
  asksForStream: () => false,
  framing: { contentType: 'application/vnd.amazon.eventstream', split: eventStream },
  encode,
  sdk,
  decode,
};

const signaturePath = ['reasoningContent', 'reasoningText', 'signature'];

/**
 * What it takes to ask, to answer, and to stand between.
 *
 * @example
 * const asked = bedrockConverse.accept(await request.json());
 */
export const bedrockConverse: Wire<ConverseBody, ConverseSdkBody> = /* @__PURE__ */ bothSides(bedrockConverseClient, {
  accept,
  emit,
  turns,
  places,
  served: { unmarked: (body) => withoutBlocks(body, (block) => isMark(at(block, signaturePath))) },
  scripted: {
    idPrefix: '',
    thought: (text) => ({
      reasoningContent: { reasoningText: { text, signature: `scripted-${digest(text)}` } },
    }),
  },
});

export type * from './types.ts';
