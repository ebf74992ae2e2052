// One request of a client: which dialect it speaks, what it asks for, and its body as it came.
import type { MessageError } from '../message/error.ts';
import type { WireName } from '../window/profile.ts';
import { wires } from '../wire/registry.ts';
import { invalid } from './errors.ts';
import type { BodyStrings } from './strings.ts';

export type ClientAsk = {
  /** Names this request in logs and in the answer's headers. */
  id: string;
  wire: WireName;
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Its body, as text and parsed: with marks for its long strings. */
  text: string;
  body: Record<string, unknown>;
  strings: BodyStrings;
  /** How many bytes came. */
  bytes: number;
  /** The name of the model as the client wrote it. */
  name: string;
  streamed: boolean;
  /** What follows the address of an ask, where only a model of the same dialect can answer. */
  behind?: string | undefined;
};

/** Why nobody can answer a request that holds no message, in the words of its dialect. */
export function nothingAsked(messages: readonly unknown[], wire: WireName): MessageError | undefined {
  if (messages.length > 0) return undefined;
  return invalid(`There is nothing to answer in "${wires[wire].places.items}". Put into it what the user says.`);
}
