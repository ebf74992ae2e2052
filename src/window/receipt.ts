// A receipt is one decision of a plan with its reason, in words for a person. Every block that does not travel as
// itself, and every medium that does, has one.
import type { AssetId } from '../content/block.ts';
import type { Carrier, Placement } from './rules.ts';

/** What was decided. */
export type Action =
  | 'inside' // stands in its result or message as itself
  | 'after' // follows the results of its turn as itself
  | 'fetched' // fetched from its address, then sent as itself
  | 'tiles' // cut into pieces, so that its writing can be read
  | 'reduced' // smaller or of another type than it was
  | 'pages' // a document as page pictures
  | 'text' // a document as its text
  | 'words' // only words stand for it
  | 'shortened' // a text of which only the beginning is sent
  | 'left-out' // not sent on purpose, such as the thinking of another model
  | 'repaired' // the conversation was put in order: a call without a result, a late result, a doubled id
  | 'ignored' // an option this model does not take
  | 'assumed' // the model is not known and was planned as another
  | 'fallback' // another model of the route answered, and why the first could not be had
  | 'frozen' // the profile changed, but the conversation goes on with the one it began with
  | 'unseen' // sent and answered, and by the provider's own count not looked at
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
