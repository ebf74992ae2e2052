// How one target dealt with a request: with an answer, or with the trouble that kept it from one.
import type { MessageError } from '../message/error.ts';
import type { AssistantMessage } from '../message/message.ts';
import type { Spent } from '../tool/tool.ts';
import type { Receipt } from '../window/receipt.ts';

export type Outcome = {
  receipts?: readonly Receipt[];
  /** What those took that described pictures for it. */
  looked?: readonly Spent[];
  /** When the request was on its way to the provider, as the clock has it. */
  sentAt?: number;
  /** The answer, as far as it came. */
  message?: AssistantMessage;
  /** How often it was sent again in another form, because the provider complained. */
  healed?: number;
  error?: MessageError;
  /** The client has heard some of it, so nobody else can answer any more. */
  delivered?: boolean;
};
