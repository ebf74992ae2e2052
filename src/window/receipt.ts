// A receipt is one decision of a plan with its reason, in words for a person. Every block that does not travel as
// itself, and every medium that does, has one.
import type { AssetId } from '../content/block.ts';
import type { Carrier, Placement } from './rules.ts';

/** What was decided. */
export type Action =
  | 'inside' // sent as itself, in its result or message
  | 'after' // sent as itself, after the results of its turn
  | 'fetched' // fetched from its address, then sent as itself
  | 'tiles' // cut into pieces, so that its writing can be read
  | 'reduced' // smaller or of another type than it was
  | 'pages' // a document as page pictures
  | 'text' // a document as its text
  | 'words' // only words are sent in its place
  | 'shortened' // a text of which only the beginning is sent
  | 'left-out' // not sent on purpose, such as the thinking of another model
  | 'repaired' // the conversation was put in order: a call without a result, a late result, a doubled id
  | 'ignored' // an option that this model does not take
  | 'assumed' // the model is unknown and was planned as another
  | 'fallback' // another model of the route answered, and why the first did not
  | 'frozen' // the profile changed, but the conversation keeps the one it began with
  | 'unseen' // sent and answered, but by the provider's own count not looked at
  | 'checkpoint'; // the prefix moves here, and why

/**
 * Why what was sent before is sent in another form from here on: the `subject` of a receipt whose action is `checkpoint`.
 *
 * @example
 * const full: CheckpointReason = 'budget';
 * const isFull = receipts.some(({ action, subject }) => action === 'checkpoint' && subject === full);
 */
export type CheckpointReason =
  | 'budget'
  | 'model-changed'
  | 'system-changed'
  | 'tools-changed'
  | 'history-edited'
  | 'quarantine'
  | 'account-changed'
  | 'reference-expired'
  | 'unseen'
  | 'upgraded';

/** One decision of a plan, with its reason. */
export type Receipt = {
  action: Action;
  subject: string;
  why: string;
  callId?: string;
  /** The medium of the conversation that it is about. */
  asset?: AssetId;
  /** What stands for it in the request; nothing where words do. */
  sent?: AssetId[];
  /** Where what stands for the medium was put. */
  place?: Placement;
  /** How what stands for it travels; nothing where words do. */
  carrier?: Carrier;
  tokens?: number;
  bytes?: number;
  /** How high the smaller letters on a picture are as the model sees them, and whether that is enough to read them. */
  legible?: { textPx: number; ok: boolean };
  /** The same bytes stand in this request before. */
  repeated?: true;
};
