// What a chat is opened with, and what is open in it.
import type { AgentOptions } from '../agent/options.ts';
import type { Limits } from '../media/index.ts';
import type { MessageError } from '../message/error.ts';
import type { EntryId } from '../session/entry.ts';
import type { Session } from '../session/session.ts';
import type { Effort } from '../window/rules.ts';
import type { Receipt } from '../window/receipt.ts';
import type { Rights } from './approval.ts';
import type { Choice, Choose } from './picker.ts';
import type { Meter } from './status.ts';
import type { ConversationView } from './view/conversation.ts';

/** What a run needs besides what is said. */
export type Agent = Omit<AgentOptions, 'prompt' | 'messages' | 'session' | 'signal' | 'approve'>;

export type TalkOptions = {
  /** As the person calls it. */
  model: string;
  /** For this model. Rejects with a `SightlineError` for a model nobody knows. */
  agent: (model: string) => Promise<Agent>;
  session: Session;
  /** How hard the model thinks, unless it is left to it. */
  thinking?: Effort;
  /** What calls may do without a question. */
  rights: Rights;
  /** Other sessions, a copy of this one, and pages of it; by the program that opened the chat. */
  sessions: {
    /** The newest. */
    list: () => Promise<Choice[]>;
    open: (id: string) => Promise<Session>;
    create: () => Promise<Session>;
    /** A copy, as a whole or up to an entry. */
    fork: (session: Session, entry?: EntryId) => Promise<Session>;
    export: (session: Session, file: string) => Promise<string>;
  };
  /** The models to choose from. */
  models: () => Promise<Choice[]>;
  /** What to do about a run that failed, where the error does not say it: by the model that was chosen, and the one that was
   * asked last, which may have taken over. */
  advice: (error: MessageError, model: string, asked?: string) => string | undefined;
  /** Ceilings for the files that are attached. */
  limits?: Partial<Limits>;
  folder?: string;
  /** Handed the way to say something to the person as soon as there is one. */
  notices?: (show: (text: string) => void) => void;
  /** How far an upload is. */
  uploads?: (show: (words: string) => void) => void;
};

/** What is open: the model, the session and what is known of them. */
export type OpenChat = {
  model: string;
  /** The one that was asked last, as its endpoint calls it. */
  asked?: string;
  thinking?: Effort | undefined;
  session: Session;
  receipts: readonly Receipt[];
  conversation: ConversationView;
  meter: Meter;
  options: TalkOptions;
  change: (session: Session) => Promise<void>;
  /** Resolves when nothing runs. */
  idle: () => Promise<void>;
  choose: Choose;
  /** Puts words into the line that is being written, before what stands there. */
  handBack: (words: string) => void;
  /** Whether the clipboard took it for sure. */
  copy: (text: string) => Promise<boolean>;
  leave: () => void;
};
