import { digest } from '../../content/text.ts';
import { serverSentEvents } from '../wire.ts';
import type { Wire } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode, sdk } from './encode.ts';
import { route } from './route.ts';
import { turns } from './turns.ts';
import type { GeminiBody, GeminiSdkBody } from './types.ts';

export const gemini: Wire<GeminiBody, GeminiSdkBody> = {
  name: 'gemini',
  route,
  streamFields: () => ({}), // it has an address of its own for that
  asksForStream: () => false,
  framing: serverSentEvents,
  encode,
  sdk,
  decode,
  accept,
  emit,
  turns,
  // It signs calls, not thoughts.
  scripted: {
    idPrefix: 'response-',
    call: ({ id, name, input }) => ({
      functionCall: { id, name, args: input },
      thoughtSignature: `scripted-${digest(id)}`,
    }),
  },
};

export type * from './types.ts';
