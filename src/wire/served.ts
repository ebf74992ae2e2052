// What a server of a dialect answers beside the answers of models: lists of them, counts of tokens, signs of life.
import type { Block } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import type { Fields } from './fields.ts';
import { unescaped } from '../content/text.ts';
import { records } from './turns.ts';

/** A model as a server lists it. */
export type ServedModel = {
  id: string;
  contextTokens: number;
  maxOutputTokens: number;
  sees: boolean;
  thinks: boolean;
};

/** What else is asked at an address of a dialect, and how it is answered. */
export type Served = {
  /** What a silent stream may say that means nothing; absent where readers take nothing but answers. */
  heartbeat?: string;
  /** Frames of a stream whose reader did not ask for events but for one JSON list, written item by item. */
  listed?: (url: URL) => { first: string; item: (frame: string) => string; last: string } | undefined;
  count?: {
    match: (url: URL) => { model?: string } | undefined;
    /** The request that shall be counted. */
    asked: (body: Fields) => Fields;
    answer: (tokens: number) => Fields;
  };
  /** `id` when one model is asked about. */
  models?: {
    match: (asked: Inquiry) => { id?: string } | undefined;
    /** The name under which clients of this dialect find a model. */
    named?: (id: string) => string;
    list: (models: readonly ServedModel[]) => Fields;
    one: (model: ServedModel) => Fields;
  };
  /** A request without the marks of ours in it; undefined where it has none. */
  unmarked?: (body: Fields) => Fields | undefined;
  /** Answers of a dialect whose server keeps conversations. */
  kept?: {
    /** Which one a request goes on with, and the field that says so. */
    from: (body: Fields) => string | undefined;
    field: string;
    /** Whether the answer to a request is kept. */
    isKept: (body: Fields) => boolean;
    /** What an item names instead of saying it: its id, and whose part it is where the answer came from us. */
    named: (item: unknown) => NamedItem | undefined;
    /** The parts of an answer that have ids, in the order of their places. */
    parts: (content: readonly Block[]) => Block[];
  };
  /** What only the vendor itself has, such as files and batches: where that is, from where the vendor's API begins. */
  beside?: (asked: Inquiry) => ((base: string) => string) | undefined;
  /** Whether only clients of this dialect ask there, though nothing is served: they are answered in it. */
  isMeant?: (asked: Pick<Inquiry, 'url' | 'headers'>) => boolean;
  /** Whatever else clients look at before they ask. */
  probe?: (asked: Inquiry) => Fields | undefined;
};

export type NamedItem = { id: string; answer?: string; place?: number; isThinking: boolean };

export type Inquiry = { method: string; url: URL; headers: Readonly<Record<string, string>>; body?: Fields };

/** The part of a path behind `/models`: nothing for the list, else the name of one. */
export function modelPath({ pathname }: URL, base: string): { id?: string } | undefined {
  const path = pathname.replace(/\/+$/, '');
  const at = path.lastIndexOf(`${base}/models`);
  if (at < 0) return undefined;
  const rest = path.slice(at + base.length + '/models'.length);
  if (rest === '') return {};
  return rest.startsWith('/') ? { id: unescaped(rest.slice(1)) } : undefined;
}

/** A body whose messages are without such blocks, and without those that held nothing else; undefined where there are none. */
export function withoutBlocks(body: Fields, isOurs: (block: Fields) => boolean): Fields | undefined {
  let cut = false;
  const messages = records(body['messages']).flatMap((message) => {
    if (!Array.isArray(message['content'])) return [message];
    const before = message['content'] as unknown[];
    const content = before.filter((block) => !isRecord(block) || !isOurs(block));
    if (content.length === before.length) return [message];
    cut = true;
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return cut ? { ...body, messages } : undefined;
}

/** Such an address behind one of these parts of a path, such as `/v1/files`. */
export function besideAt(
  { url: { pathname, search } }: Inquiry,
  parts: RegExp,
): ((base: string) => string) | undefined {
  const found = parts.exec(pathname);
  return found ? (base) => `${base}${found[1] ?? ''}${search}` : undefined;
}

/** When a model was made is known to nobody here; some readers want a date. */
export const someDay = { seconds: 1_735_689_600, date: '2025-01-01T00:00:00Z' };
