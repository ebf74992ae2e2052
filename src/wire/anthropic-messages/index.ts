import { digest } from '../../content/text.ts';
import { bothSides, serverSentEvents } from '../wire.ts';
import type { Wire, WireClient } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode } from './encode.ts';
import { route } from './route.ts';
import { served } from './served.ts';
import { turns } from './turns.ts';
import type { AnthropicBody } from './types.ts';

/** What it takes to ask. */
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

/** What it takes to ask, to answer, and to stand between. */
export const anthropicMessages: Wire<AnthropicBody> = /* @__PURE__ */ bothSides(anthropicMessagesClient, {
  accept,
  emit,
  turns,
  served,
  scripted: {
    idPrefix: 'msg_',
    thought: (text) => ({ type: 'thinking', thinking: text, signature: `scripted-${digest(text)}` }),
  },
});

export type * from './types.ts';
