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
import type { ResponsesBody } from './types.ts';

/**
 * What it takes to ask.
 *
 * @example
 * for await (const event of openaiResponsesClient.decode(await fetch(address, request))) console.log(event);
 */
export const openaiResponsesClient: WireClient<ResponsesBody> = {
  name: 'openai-responses',
  route,
  streamFields: ({ dialect }) => (dialect.unstreamed ? {} : { stream: true }),
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
 * const asked = openaiResponses.accept(await request.json());
 */
export const openaiResponses: Wire<ResponsesBody> = /* @__PURE__ */ bothSides(openaiResponsesClient, {
  accept,
  emit,
  turns,
  places,
  served,
  scripted: {
    idPrefix: 'resp_',
    thought: (text) => ({
      type: 'reasoning',
      id: `rs_${digest(text)}`,
      summary: [{ type: 'summary_text', text }],
      encrypted_content: `scripted-${digest(text)}`,
    }),
  },
});

export type * from './types.ts';
