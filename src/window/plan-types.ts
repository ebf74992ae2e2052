// A plan: one request with every decision taken. Media are named by asset, placed, sized and labelled; a wire only has
// to write it down in its own syntax.
import type {
  Asset,
  CallBlock,
  Detail,
  Seal,
  SealedBlock,
  TextBlock,
  ThinkingBlock,
  ReferenceBlock,
} from '../content/block.ts';
import type { ToolSpec } from '../tool/tool.ts';
import type { Profile } from './profile.ts';
import type { Effort } from './rules.ts';

/** `whole` is for the planner alone. */
export type SentDetail = Exclude<Detail, 'whole'>;

/** `at`: its bytes lie at the provider already, under this id. The same for the other kinds. */
export type PlannedImage = {
  type: 'image';
  asset: Asset;
  width: number;
  height: number;
  detail?: SentDetail;
  at?: { file: string };
};
export type PlannedDocument = { type: 'document'; asset: Asset; pages?: number; at?: { file: string } };
export type PlannedSound = { type: 'audio' | 'video'; asset: Asset; seconds: number; at?: { file: string } };

export type PlannedMedia = PlannedImage | PlannedDocument | PlannedSound;

/** A place at which the provider itself has a medium, or gets it. */
export type At = { url: string } | { file: string };

/** A medium whose bytes nobody here has. */
export type PlannedRemote = Omit<ReferenceBlock, 'type' | 'at' | 'detail' | 'range' | 'fallback'> & {
  type: 'remote';
  at: At;
  detail?: SentDetail;
};

/** What may stand in a user message or a result. */
export type Shown = TextBlock | PlannedMedia | PlannedRemote;

/** Whether a block of a plan is shown to a model as a picture. */
export function isPicture(block: Shown): boolean {
  return block.type === 'image' || (block.type === 'remote' && block.kind === 'image');
}

/** Whose ids uploaded media get, and those that mean nothing any more. */
export type UploadPolicy = { account: string; stale: ReadonlySet<string> };

/** What is done about addresses of media. `pass`: whether the provider gets them as they are, those of the user or all. */
export type UrlPolicy = { pass: 'never' | 'user' | 'all'; fetch: boolean };

/** A picture that the model itself has made; its bytes stand in its provider's item again. */
export type SaidImage = PlannedImage & { seal: Seal };

/** What may stand in an assistant message; a seal here is one that goes back verbatim. */
export type Said = TextBlock | ThinkingBlock | CallBlock | SealedBlock | SaidImage;

/** `seal`: what the provider itself put around the result of a tool of its own; it goes back so. `approved`: a person let the
 * call run that its provider had doubts about. */
export type PlannedResult = {
  callId: string;
  name: string;
  isError: boolean;
  content: Shown[];
  seal?: Seal['item'];
  approved?: boolean;
};

export type PlanItem =
  | { role: 'user'; content: Shown[] }
  | { role: 'assistant'; content: Said[] }
  /**
   * All results of a turn, then the media that could not stand inside them, each with its label. `bridge`: what the
   * assistant says between the results and whatever a user says next.
   */
  | { role: 'batch'; results: PlannedResult[]; after: Shown[]; bridge?: string };

/** Whether the model may call tools, must, or must call this one. */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { tool: string }
  /** Only these of the tools, one of which must be called if `required`. */
  | { among: readonly string[]; required?: boolean };

/** What a caller may ask for; each is sent only when it is set and the model takes it. */
export type RequestOptions = {
  maxTokens?: number;
  temperature?: number;
  toolChoice?: ToolChoice;
  /** Whether the model may make several calls at once. */
  parallelCalls?: boolean;
  /** Words at which the answer ends. */
  stop?: readonly string[];
  /** Only the likeliest words that make up this share of all are chosen from, from 0 to 1. */
  topP?: number;
  /** Only so many of the likeliest words are chosen from. */
  topK?: number;
  /** The same number gives the same answer, as far as a model can promise that. */
  seed?: number;
  /** How much it says. */
  verbosity?: 'low' | 'medium' | 'high';
  /** Who asks, for the provider's own watch; no name that anybody should not know. */
  user?: string;
  /** The answer is one JSON object, of any form. `output` asks for a form. */
  json?: boolean;
  thinking?: Effort;
  /** Asks the model to name the places in documents that its words come from. Set it from the first turn on. */
  citations?: boolean;
  output?: { name?: string; schema: { readonly [key: string]: unknown }; strict?: boolean };
};

/** The options that are really sent. */
export type SettledOptions = RequestOptions & {
  thinkingTokens?: number;
  /** The provider itself leaves out thinking that is bound to another prefix. */
  dropUnbound?: true;
};

/** A request as it was decided: what goes where, and in which form. A wire only spells it. */
export type Plan = {
  profile: Profile;
  system?: string;
  tools: readonly ToolSpec[];
  items: readonly PlanItem[];
  options: SettledOptions;
  /** Where a wire with cache marks puts them: after the system prompt, and after these items. */
  marks: { system: boolean; items: readonly number[] };
  /** Routes requests of one conversation to the same cache, for wires that know such a key. */
  cacheKey?: string;
};

/** What a caller may ask for about media, beyond what fits. */
export type MediaPolicy = {
  /** So many of the newest pictures stay in sight; older ones go in batches. Off when left out. */
  imagesToKeep?: number;
  /** Exactly `imagesToKeep`, whatever it costs: the prefix then moves on every turn. */
  strict?: boolean;
  /** How many pictures go at once; by default what costs least at the model's prices. */
  batch?: number;
  /** Pictures of one message or result that are shown; words name the rest. 10 when left out. */
  maxImagesPerMessage?: number;
  /** Tokens that one picture may cost by the model's own formula; a dearer one is made smaller, or named in words. */
  maxImageTokens?: number;
  /** `note`: a picture equal to the one before it becomes words that say so. */
  unchanged?: 'send' | 'note';
  /** Where a picture is cut into pieces so that its writing can be read: where it would be below 6 px as the model sees it
   * (`careful`, unless set), below 9 px (`auto`), or nowhere (`off`). */
  tiles?: 'careful' | 'auto' | 'off';
  /** `thrifty`: a picture with writing is no larger than its letters need; icons and thin lines lose a little. */
  legibility?: 'full' | 'thrifty';
  /** How pages of a PDF go to a model that takes pictures but no PDF: as pictures, with their words beside them, or as words.
   * Unless set, words stand beside pages whose letters this model would see below 9 px, and scans go in pieces there. */
  pages?: 'picture' | 'picture+text' | 'text';
};
