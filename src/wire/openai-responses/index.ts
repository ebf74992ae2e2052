import { digest } from '../../content/text.ts';
import { serverSentEvents } from '../wire.ts';
import type { Wire } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode } from './encode.ts';
import { route } from './route.ts';
import { turns } from './turns.ts';
import type { ResponsesBody } from './types.ts';

export const openaiResponses: Wire<ResponsesBody> = {
  name: 'openai-responses',
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
    idPrefix: 'resp_',
    thought: (text) => ({
      type: 'reasoning',
      id: `rs_${digest(text)}`,
      summary: [{ type: 'summary_text', text }],
      encrypted_content: `scripted-${digest(text)}`,
    }),
  },
};

export type * from './types.ts';
