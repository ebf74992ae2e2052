// The stream vocabulary: what a model's answer is while it arrives. Names are noun-verb, verbs start, delta, end.
import type { Block, Seal } from '../content/block.ts';
import type { Stop, Usage } from './message.ts';

export type Event =
  | { type: 'message-start'; model: string }
  | { type: 'block-start'; index: number; block: Block }
  | { type: 'block-delta'; index: number; text: string }
  | { type: 'block-end'; index: number; block: Block; seal?: Seal }
  | { type: 'message-end'; stop: Stop; usage?: Usage }
  | { type: 'message-error'; code: string; message: string; retryable: boolean };
