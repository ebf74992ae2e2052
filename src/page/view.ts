// A request as people look at it: what stood where in its body, block by block, with what was decided about each medium.
// The server makes it from a record; the page and the exported file draw it.
import type { Asset, AssetId } from '../content/block.ts';
import { ageText } from '../content/figures.ts';
import { isRecord } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import { saidPieces, shortId } from '../content/words.ts';
import type { SaidPiece } from '../content/words.ts';
import { plainElements } from '../record/body.ts';
import type { KeptAsset, KeptBody } from '../record/body.ts';
import type { PrefixBreak } from '../record/prefix.ts';
import type { RequestRow } from '../record/table.ts';
import type { Totals } from '../window/budget.ts';
import type { Receipt } from '../window/receipt.ts';
import { fieldsFor } from '../wire/places.ts';
import type { TimelinePart } from './timeline.ts';

/** The longer side of a picture in a list, and of one beside what was sent of it, where there is little room and where there is much. */
export const pictureEdges = { list: 320, beside: 400, wide: 800 } as const;

export type ViewPath = readonly (string | number)[];

/** The smallest thing that a person looks at. */
export type ViewLeaf =
  /** `told`: the receipts of media for which these words stand. */
  | { kind: 'text'; path: ViewPath; text: string; ours?: true; original?: string; told?: readonly Receipt[] }
  /** `byId`: the body names a file at the provider, and this is what was put there. */
  | { kind: 'medium'; path: ViewPath; medium: KeptAsset; receipt?: Receipt; byId?: true }
  | { kind: 'call'; path: ViewPath; name: string; input: string };

/** One element of a list, or one field: the system prompt, the tools, a message. */
export type ViewSection = {
  path: ViewPath;
  title: string;
  leaves: readonly ViewLeaf[];
  same: boolean;
  tokens: number;
  /** How many media are in it, where its leaves were left out because nobody has opened it. */
  folded?: number;
};

/** A medium of the conversation before anything was made of it, and how large a picture is as the conversation holds it. */
export type Original = { asset: Asset; width?: number; height?: number; held?: PictureSize; pages?: number };

export type PictureSize = { width: number; height: number };

/** A form of a medium that was refused on the way to this request. */
export type RefusedForm = { number: number; sent: AssetId };

/** A part of a body in a strip: how much it weighs, and how it stands to the other body. */
export type StripPart = { title: string; tokens: number; state: 'same' | 'differs' | 'behind' | 'new' };

/** A conversation in the list. */
export type ConversationSummary = {
  id: string;
  title: string;
  models: readonly string[];
  requests: number;
  updated: number;
  cost?: number;
  /** Of all input, what was read from the cache. */
  cached?: number;
  breaks: number;
  /** Requests that were refused, or whose answer broke off. */
  failed: number;
  running: number;
  /** Without an end, and nobody knows whether they will get one. */
  silent: number;
  /** Without an end for so long that none will come. */
  endless: number;
  /** The newest one that was sent. */
  picture?: AssetId;
};

/** What another model would get. */
export type PlannedView = {
  model: string;
  sections: readonly ViewSection[];
  receipts: readonly Receipt[];
  totals: Totals;
};

/** A request and its place among those of its conversation. */
export type RequestView = SentView & {
  /** Its place, from 1 on. */
  number: number;
  before?: { id: string; number: number };
  /** The newest request before it that is of a later time by its clock: its number. */
  later?: number;
  /** The newest answered request of its lane when it was recorded, where it does not go on from that one: its number. */
  beside?: number;
};

/** A request by itself. */
export type SentView = {
  row: ShownRow;
  /** Why its body cannot be shown. */
  problem?: string;
  sections: readonly ViewSection[];
  /** Whether nothing was left out that is folded at first. */
  whole: boolean;
  originals: Readonly<Record<AssetId, Original>>;
  /** Media that are no longer stored. */
  missing: readonly AssetId[];
  healing: readonly { number: number; what: string; text: string }[];
  /** How large pictures are that were made smaller, and those that were refused. */
  sizes?: Readonly<Record<AssetId, PictureSize>>;
  /** By the medium of the conversation. */
  refusedForms?: Readonly<Record<AssetId, readonly RefusedForm[]>>;
  /** Both bodies as strips, the older one first. */
  strips?: readonly [before: readonly StripPart[], now: readonly StripPart[]];
  broke?: PrefixBreak & { dollars?: number };
  /** A stable prefix of which little was read: why that may be. */
  miss?: string;
  answer?: readonly TimelinePart[];
  /** The body with a short note where base64 stood. */
  outline?: Json;
};

/** A request as lists have it; `unsure`: nobody here knows whether the process that sent it still runs. */
export type ShownRow = RequestRow & { unsure?: true };

/** Longer ago, a request without an end belongs to a process that died, and one of whose process nothing is known is silent. */
const [patienceMs, silentMs] = [15 * 60_000, 60_000];

/** How a request stands, in a word. */
export function stateOf({ ended, time, unsure }: ShownRow, now: number): string {
  if (ended) return ended.state;
  if (now - time >= patienceMs) return 'no end';
  return unsure && now - time >= silentMs ? 'silent' : 'running';
}

/** Whether it may still come to an end. */
export function isOpen(row: ShownRow, now: number): boolean {
  return ['running', 'silent'].includes(stateOf(row, now));
}

/** The same for people. */
export function stateWords(row: ShownRow, now: number): string {
  const state = stateOf(row, now);
  if (state === 'running') return 'under way';
  if (state === 'silent') return `no sign of life for ${ageText(now - row.time)}`;
  return state === 'no end' ? 'no end was recorded' : state;
}

/** What stood in the request before in the same place is one line: so many sections at once, and how many media are in them. */
export function foldsOf(sections: readonly ViewSection[]): { from: number; to: number; media: number }[] {
  const folds: { from: number; to: number; media: number }[] = [];
  for (let from = 0; from < sections.length;) {
    let to = from;
    while (sections[to]?.same) to++;
    const media = sections.slice(from, to).reduce((sum, section) => sum + mediaIn(section), 0);
    if (to - from > 1) folds.push({ from, to, media });
    from = to + 1;
  }
  return folds;
}

function mediaIn({ leaves, folded }: ViewSection): number {
  return folded ?? leaves.filter(({ kind }) => kind === 'medium').length;
}

/** The sections without what is folded. */
export function withoutFolds(sections: readonly ViewSection[]): ViewSection[] {
  const folds = foldsOf(sections);
  return sections.map((section, at) =>
    folds.some(({ from, to }) => from <= at && at < to)
      ? { ...section, leaves: [], folded: mediaIn(section) }
      : section,
  );
}

const silent = new Set(
  'type role id tool_use_id call_id tool_call_id media_type mimeType mime_type detail status filename signature thoughtSignature encrypted_content format cache_control name tool_name'.split(
    ' ',
  ),
);

/** The leaves of a value, in the order they stand in it. */
export function leavesOf(value: Json, path: ViewPath): ViewLeaf[] {
  if (typeof value === 'string') return value === '' ? [] : [{ kind: 'text', path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item: Json, at) => leavesOf(item, [...path, at]));
  if (!isRecord(value)) return [];
  if ('$asset' in value) return [{ kind: 'medium', path, medium: value as unknown as KeptAsset }];
  const input = value['input'] ?? value['arguments'] ?? value['args'];
  if (typeof value['name'] === 'string' && input !== undefined)
    return [
      { kind: 'call', path, name: value['name'], input: typeof input === 'string' ? input : JSON.stringify(input) },
    ];
  return Object.entries(value).flatMap(([key, item]) =>
    silent.has(key) && typeof item !== 'object' ? [] : leavesOf(item, [...path, key]),
  );
}

const lists = new Set(fieldsFor('items'));
const systems = new Set(fieldsFor('system'));

/** Whether somebody said this in the conversation. */
export type SaidWords = { has: (text: string) => boolean };

/** A section without what a person looks at in it. */
export type ViewPart = Omit<ViewSection, 'leaves'>;

/** A body in the order in which people look at it: the system prompt, the tools, the conversation. */
export function sectionsOf(
  body: KeptBody,
  before: KeptBody | undefined,
  receipts: readonly Receipt[],
  said?: SaidWords,
): ViewSection[] {
  const waiting = waitingReceipts(receipts);
  const behind = filesBehind(body, receipts);
  return valuesIn(body, before).map(({ value, ...part }) => ({
    ...part,
    leaves: leavesOf(value, part.path).flatMap((leaf) =>
      joined((behind.size > 0 && behind.get(pathText(leaf.path))) || leaf, waiting, said),
    ),
  }));
}

/** The same by their names and how much each weighs. */
export function viewParts(body: KeptBody): ViewPart[] {
  return valuesIn(body);
}

function valuesIn(body: KeptBody, before?: KeptBody): (ViewPart & { value: Json })[] {
  const own = body.order
    .filter((field) => systems.has(field))
    .map((field) => {
      const value: Json = body.lists[field] ? plainElements(body.lists[field]) : (body.head[field] ?? null);
      const old: Json | undefined = before?.lists[field] ? plainElements(before.lists[field]) : before?.head[field];
      const text = JSON.stringify(value);
      return { path: [field], title: 'System prompt', value, same: JSON.stringify(old) === text, ...weight(text) };
    });
  const tools = body.lists['tools'];
  const same = tools !== undefined && isSame(before?.lists['tools'], tools);
  const toolPart = tools
    ? [{ path: ['tools'], title: toolTitle(plainElements(tools)), value: null, same, tokens: 0 }]
    : [];
  const items = body.order
    .filter((field) => lists.has(field))
    .flatMap((field) => {
      const [texts, old] = [body.lists[field] ?? [], before?.lists[field] ?? []];
      const elements = plainElements(texts);
      const names = new Map(elements.flatMap(callsIn));
      return elements.map((value, at) => {
        const text = texts[at] ?? '';
        return { path: [field, at], title: titleOf(value, names), value, same: text === old[at], ...weight(text) };
      });
    });
  return [...own, ...toolPart, ...items];
}

/** About how many tokens a text is. */
function weight(text: string): Pick<ViewPart, 'tokens'> {
  return { tokens: Math.round(text.length / 4) };
}

/** Items and blocks that are results. */
const resultTypes: ReadonlySet<unknown> = new Set(['tool_result', 'function_call_output', 'computer_call_output']);

const idKeys = new Set(['file_id', 'fileUri', 'file_uri']);

/** The media behind the ids of files that stand in a body, by where they stand. Ids and receipts have one order, those in
 * results and the others by themselves; where they do not match in number, nobody knows which is which. */
function filesBehind(body: KeptBody, receipts: readonly Receipt[]): Map<string, ViewLeaf> {
  const sent = receipts.filter(({ carrier }) => carrier === 'file');
  if (sent.length === 0) return new Map();
  const named = body.order
    .filter((field) => lists.has(field))
    .flatMap((field) => plainElements(body.lists[field] ?? []).flatMap((element, at) => idsIn(element, [field, at])));
  const known = new Map<string, ViewLeaf>();
  for (const inResult of [true, false]) {
    const places = named.filter((one) => one.inResult === inResult);
    const isThere = ({ callId, place }: Receipt): boolean => (callId !== undefined && place === 'inside') === inResult;
    const media = sent.filter(isThere).flatMap(({ sent: assets = [] }) => (assets.length > 0 ? assets : [undefined]));
    if (places.length !== media.length) continue;
    for (const [at, { path }] of places.entries()) {
      const $asset = media[at];
      const medium = $asset && { $asset, size: 0, mediaType: '' };
      if (medium) known.set(pathText(path), { kind: 'medium', path, medium, byId: true });
    }
  }
  return known;
}

/** Where ids of files stand in an element, and whether inside a result. */
function idsIn(value: Json, path: ViewPath, inResult = false): { path: ViewPath; inResult: boolean }[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, at) => idsIn(item, [...path, at], inResult));
  if (!isRecord(value)) return [];
  const isResult = inResult || resultTypes.has(value['type']);
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string'
      ? idKeys.has(key)
        ? [{ path: [...path, key], inResult: isResult }]
        : []
      : idsIn(item as Json, [...path, key], isResult || key === 'functionResponse'),
  );
}

function isSame(one: readonly string[] | undefined, other: readonly string[]): boolean {
  return one?.length === other.length && other.every((text, at) => text === one[at]);
}

/** What somebody said, where our words only follow it. */
function beginningOf(text: string, said: SaidWords): string | undefined {
  for (let end = text.lastIndexOf('\n'); end > 0; end = text.lastIndexOf('\n', end - 1))
    if (said.has(text.slice(0, end))) return text.slice(0, end);
  return undefined;
}

/** Receipts that have not met their place yet. */
type Waiting = { naming: (text: string) => Receipt[]; sending: (asset: AssetId) => Receipt | undefined };

function waitingReceipts(receipts: readonly Receipt[]): Waiting {
  const met = new Set<Receipt>();
  const [named, sent]: [Map<string, Receipt[]>, Map<string, Receipt[]>] = [new Map(), new Map()];
  for (const receipt of receipts) {
    const { asset, sent: ids = [] } = receipt;
    if (asset && ids.length === 0) collect(named, shortId(asset), receipt);
    for (const id of ids) collect(sent, id, receipt);
  }
  const take = (found: readonly Receipt[]): Receipt[] => {
    for (const receipt of found) met.add(receipt);
    return [...found];
  };
  const isWaiting = (receipt: Receipt): boolean => !met.has(receipt);
  return {
    /** Those of media that words of ours speak of. */
    naming: (text) => {
      const names = new Set(Array.from(text.matchAll(/asset ([0-9a-f]{8})/g), ([, name = '']) => name));
      return take([...names].flatMap((name) => (named.get(name) ?? []).filter(isWaiting)));
    },
    sending: (asset) => take((sent.get(asset) ?? []).filter(isWaiting).slice(0, 1))[0],
  };
}

function collect(map: Map<string, Receipt[]>, key: string, receipt: Receipt): void {
  const known = map.get(key);
  if (known) known.push(receipt);
  else map.set(key, [receipt]);
}

/** A medium gets the first receipt that sent it and has not met its place yet; so do words that stand for one. */
function joined(leaf: ViewLeaf, waiting: Waiting, said: SaidWords | undefined): ViewLeaf[] {
  if (leaf.kind === 'call') return [leaf];
  if (leaf.kind === 'text') return piecesOf(leaf.text, said).map((piece) => ofPiece(leaf, piece, waiting, said));
  const receipt = waiting.sending(leaf.medium.$asset);
  return [receipt ? { ...leaf, receipt } : leaf];
}

/** Of a session only what was said by itself is a piece; of strangers, whatever stands between our lines. */
function piecesOf(text: string, said: SaidWords | undefined): SaidPiece[] {
  if (said?.has(text)) return [{ said: text, ours: '' }];
  const pieces = saidPieces(text);
  if (!said || pieces.every((piece) => piece.said === '' || said.has(piece.said))) return pieces;
  const known = beginningOf(text, said) ?? '';
  return [{ said: known, ours: known === '' ? text : text.slice(known.length + 1) }];
}

function ofPiece(leaf: TextLeaf, piece: SaidPiece, waiting: Waiting, said: SaidWords | undefined): TextLeaf {
  const text = [piece.said, piece.ours].filter((part) => part !== '').join('\n');
  if (said?.has(text)) return { ...leaf, text };
  const told = waiting.naming(text);
  return {
    ...leaf,
    text,
    ...((piece.ours !== '' || told.length > 0) && { ours: true }),
    ...(piece.ours !== '' && piece.said !== '' && { original: piece.said }),
    ...(told.length > 0 && { told }),
  };
}

type TextLeaf = ViewLeaf & { kind: 'text' };

function toolTitle(tools: readonly Json[]): string {
  const names = tools.flatMap((tool) => namesIn(tool));
  return `${names.length} ${names.length === 1 ? 'tool' : 'tools'}: ${names.join(', ')}`;
}

function namesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => namesIn(item));
  if (!isRecord(value)) return [];
  if (typeof value['name'] === 'string') return [value['name']];
  return [value['function'], value['functionDeclarations']].flatMap((item) => (item ? namesIn(item as Json) : []));
}

const titles = new Map(
  Object.entries({
    user: 'User',
    assistant: 'Assistant',
    model: 'Assistant',
    tool: 'Result',
    system: 'System prompt',
    developer: 'System prompt',
    function_call: 'Call',
    function_call_output: 'Result',
    computer_call: 'Call',
    computer_call_output: 'Result',
    reasoning: 'Thinking',
  }),
);

function titleOf(element: Json, names: ReadonlyMap<string, string>): string {
  if (!isRecord(element)) return 'Item';
  const kind = element['role'] ?? element['type'];
  const answered = [...new Set(answersIn(element).map((id) => names.get(id) ?? id))];
  if (answered.length > 0) return `${answered.length === 1 ? 'Result' : 'Results'} of ${answered.join(', ')}`;
  return typeof kind === 'string' ? (titles.get(kind) ?? kind) : 'Item';
}

/** The ids of calls, with the names of their tools. */
function callsIn(value: unknown): [id: string, name: string][] {
  if (Array.isArray(value)) return value.flatMap(callsIn);
  if (!isRecord(value)) return [];
  const own = isRecord(value['function']) ? value['function'] : value;
  const id = value['call_id'] ?? value['id'];
  if (typeof own['name'] === 'string' && typeof id === 'string') return [[id, own['name']]];
  return Object.values(value).flatMap(callsIn);
}

/** The ids of the calls that a value answers, or the tool itself where the dialect has no ids. */
function answersIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(answersIn);
  if (!isRecord(value)) return [];
  const id = value['tool_use_id'] ?? value['tool_call_id'] ?? value['tool_name'];
  if (typeof id === 'string') return [id];
  if (value['type'] !== 'tool_result' && resultTypes.has(value['type'])) return [String(value['call_id'])];
  if (isRecord(value['functionResponse'])) return [String(value['functionResponse']['name'])];
  return ['content', 'parts'].flatMap((key) => answersIn(value[key]));
}

/** Both bodies as strips. What stands behind the break is the same words, and nobody reads them from a cache. */
export function stripsOf(
  before: readonly ViewPart[],
  now: readonly ViewPart[],
  broke: Pick<PrefixBreak, 'path'> | undefined,
): [StripPart[], StripPart[]] {
  const holds = ({ path }: ViewPart): boolean => path.every((key, at) => broke?.path[at] === key);
  const guilty = broke ? now.findIndex(holds) : -1;
  const at = broke && guilty < 0 ? 0 : guilty;
  const older = new Set(before.map(({ path }) => pathText(path)));
  const part = ({ title, tokens, path }: ViewPart, index: number, isNew: boolean): StripPart => ({
    title: `${title}, ${pathText(path)}`,
    tokens: tokens + 20,
    state: index === guilty ? 'differs' : isNew ? 'new' : at >= 0 && index > at ? 'behind' : 'same',
  });
  return [
    before.map((section, index) => part(section, index, false)),
    now.map((section, index) => part(section, index, !older.has(pathText(section.path)))),
  ];
}

/** `messages[8].content[1]`. */
export function pathText(path: ViewPath): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('');
}
