// What clients put into a request for their own vendor alone; another one is not shown it.
import type { TranscriptInput } from '../message/message.ts';
import type { Receipt } from '../window/receipt.ts';

const billing = /^x-anthropic-billing-header:[^\n]*\n*/;

/** The same conversation without it, each with a receipt. */
export function withoutHabits(transcript: TranscriptInput): { transcript: TranscriptInput; receipts: Receipt[] } {
  const { system } = transcript;
  if (system === undefined || !billing.test(system)) return { transcript, receipts: [] };
  const why = 'the line of Claude Code that says who pays means nothing to another vendor';
  return {
    transcript: { ...transcript, system: system.replace(billing, '') },
    receipts: [{ action: 'left-out', subject: 'system', why }],
  };
}
