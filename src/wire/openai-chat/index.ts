import type { Wire } from '../wire.ts';
import { encode } from './encode.ts';
import type { ChatBody } from './types.ts';

export const openaiChat: Wire<ChatBody> = { name: 'openai-chat', encode, sdk: (body) => body };

export type * from './types.ts';
