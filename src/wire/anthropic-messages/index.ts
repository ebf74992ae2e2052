import type { Wire } from '../wire.ts';
import { encode } from './encode.ts';
import type { AnthropicBody } from './types.ts';

export const anthropicMessages: Wire<AnthropicBody> = { name: 'anthropic-messages', encode, sdk: (body) => body };

export type * from './types.ts';
