import type { Wire } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode } from './encode.ts';
import type { ChatBody } from './types.ts';

export const openaiChat: Wire<ChatBody> = { name: 'openai-chat', accept, decode, emit, encode, sdk: (body) => body };

export type * from './types.ts';
