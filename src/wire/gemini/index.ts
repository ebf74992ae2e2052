import type { Wire } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode, sdk } from './encode.ts';
import type { GeminiBody, GeminiSdkBody } from './types.ts';

export const gemini: Wire<GeminiBody, GeminiSdkBody> = { name: 'gemini', accept, decode, emit, encode, sdk };

export type * from './types.ts';
