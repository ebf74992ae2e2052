import type { Wire } from '../wire.ts';
import { encode } from './encode.ts';
import type { ResponsesBody } from './types.ts';

export const openaiResponses: Wire<ResponsesBody> = { name: 'openai-responses', encode, sdk: (body) => body };

export type * from './types.ts';
