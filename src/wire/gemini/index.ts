import type { Wire } from '../wire.ts';
import { encode, sdk } from './encode.ts';
import type { GeminiBody, GeminiSdkBody } from './types.ts';

export const gemini: Wire<GeminiBody, GeminiSdkBody> = { name: 'gemini', encode, sdk };

export type * from './types.ts';
