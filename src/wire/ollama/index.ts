import type { Wire } from '../wire.ts';
import { encode } from './encode.ts';
import type { OllamaBody } from './types.ts';

export const ollama: Wire<OllamaBody> = { name: 'ollama', encode, sdk: (body) => body };

export type * from './types.ts';
