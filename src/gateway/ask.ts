// One request of a client: which dialect it speaks, what it asks for, and its body as it came.
import type { WireName } from '../window/profile.ts';

export type ClientAsk = {
  /** Names this request in logs and in the answer's headers. */
  id: string;
  wire: WireName;
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Its body, as text and parsed. */
  text: string;
  body: Record<string, unknown>;
  /** The name of the model as the client wrote it. */
  name: string;
  streamed: boolean;
};
