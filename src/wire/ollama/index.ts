import type { Wire } from '../wire.ts';
import { accept } from './accept.ts';
import { decode } from './decode.ts';
import { emit } from './emit.ts';
import { encode } from './encode.ts';
import { route } from './route.ts';
import { turns } from './turns.ts';
import type { OllamaBody } from './types.ts';

export const ollama: Wire<OllamaBody> = {
  name: 'ollama',
  route,
  streamFields: () => ({ stream: true }),
  asksForStream: ({ stream }) => stream !== false,
  framing: { contentType: 'application/x-ndjson' },
  encode,
  sdk: (body) => body,
  decode,
  accept,
  emit,
  turns,
  scripted: { idPrefix: '', thought: (text) => ({ thinking: text }) },
};

export type * from './types.ts';
