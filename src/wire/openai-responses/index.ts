import type { Wire } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode } from './encode.ts';
import type { ResponsesBody } from './types.ts';

export const openaiResponses: Wire<ResponsesBody> = {
  name: 'openai-responses',
  accept,
  decode,
  emit,
  encode,
  sdk: (body) => body,
};

export type * from './types.ts';
