import { digest } from '../../content/text.ts';
import { serverSentEvents } from '../wire.ts';
import type { Wire } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode } from './encode.ts';
import { route } from './route.ts';
import { turns } from './turns.ts';
import type { AnthropicBody } from './types.ts';

export const anthropicMessages: Wire<AnthropicBody> = {
  name: 'anthropic-messages',
  route,
  streamFields: () => ({ stream: true }),
  asksForStream: ({ stream }) => stream === true,
  framing: serverSentEvents,
  encode,
  sdk: (body) => body,
  decode,
  accept,
  emit,
  turns,
  scripted: {
    idPrefix: 'msg_',
    thought: (text) => ({ type: 'thinking', thinking: text, signature: `scripted-${digest(text)}` }),
  },
};

export type * from './types.ts';
