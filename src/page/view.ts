// A request as people look at it: what stood where in its body, block by block, with what was decided about each medium.
// The server makes it from a record; the page and the exported file draw it.
import type { Asset, AssetId, Block } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import { plainElements } from '../record/body.ts';
import type { KeptAsset, KeptBody } from '../record/body.ts';
import type { PrefixBreak } from '../record/prefix.ts';
import type { RequestRow } from '../record/table.ts';
import type { Receipt } from '../window/receipt.ts';

export type ViewPath = readonly (string | number)[];

/** The smallest thing that a person looks at. */
export type ViewLeaf =
  | { kind: 'text'; path: ViewPath; text: string; ours?: true; original?: string }
  | { kind: 'medium'; path: ViewPath; medium: KeptAsset; receipt?: Receipt }
  | { kind: 'call'; path: ViewPath; name: string; input: string };

/** One element of a list, or one field: the system prompt, the tools, a message. */
export type ViewSection = { path: ViewPath; title: string; leaves: readonly ViewLeaf[]; same: boolean; tokens: number };

/** A medium of the conversation before anything was made of it. */
export type Original = { asset: Asset; width?: number; height?: number };

export type RequestView = {
  row: RequestRow;
  /** Its place among the requests of the conversation, from 1 on. */
  number: number;
  before?: { id: string; number: number };
  /** Why its body cannot be shown. */
  problem?: string;
  sections: readonly ViewSection[];
  receipts: readonly Receipt[];
  originals: Readonly<Record<AssetId, Original>>;
  /** Media that are no longer stored. */
  missing: readonly AssetId[];
  healing: readonly { number: number; text: string }[];
  broke?: PrefixBreak & { dollars?: number };
  /** A stable prefix of which little was read: why that may be. */
  miss?: string;
  answer?: { content: readonly Block[]; stop?: string };
  /** The body with a short note where base64 stood. */
  outline?: Json;
};

const silent = new Set(
  'type role id tool_use_id call_id tool_call_id media_type mimeType mime_type detail status filename signature thoughtSignature encrypted_content format cache_control name'.split(
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

const lists = new Set(['messages', 'input', 'contents']);
const systems = new Set(['system', 'instructions', 'systemInstruction', 'system_instruction']);

/** A body in the order in which people look at it: the system prompt, the tools, the conversation. */
export function sectionsOf(
  body: KeptBody,
  before: KeptBody | undefined,
  receipts: readonly Receipt[],
  said?: ReadonlySet<string>,
): ViewSection[] {
  const waiting = [...receipts];
  const section = (path: ViewPath, title: string, value: Json, same: boolean): ViewSection => {
    const leaves = leavesOf(value, path).map((leaf) => joined(leaf, waiting, said));
    return { path, title, leaves, same, tokens: Math.round(JSON.stringify(value).length / 4) };
  };
  const head = body.order.filter((field) => systems.has(field));
  const own = head.map((field) => {
    const value: Json = body.lists[field] ? plainElements(body.lists[field]) : (body.head[field] ?? null);
    const old: Json | undefined = before?.lists[field] ? plainElements(before.lists[field]) : before?.head[field];
    return section([field], 'System prompt', value, JSON.stringify(old) === JSON.stringify(value));
  });
  const tools = body.lists['tools'];
  const toolSection: ViewSection[] = tools
    ? [
        {
          ...section(['tools'], toolTitle(plainElements(tools)), null, isSame(before?.lists['tools'], tools)),
          tokens: 0,
        },
      ]
    : [];
  const items = body.order
    .filter((field) => lists.has(field))
    .flatMap((field) => {
      const [texts, old] = [body.lists[field] ?? [], before?.lists[field] ?? []];
      return plainElements(texts).map((element, at) =>
        section([field, at], titleOf(element), element, texts[at] === old[at]),
      );
    });
  return [...own, ...toolSection, ...items];
}

function isSame(one: readonly string[] | undefined, other: readonly string[]): boolean {
  return one?.length === other.length && other.every((text, at) => text === one[at]);
}

/** What somebody said, where our words only follow it. */
function beginningOf(text: string, said: ReadonlySet<string>): string | undefined {
  for (let end = text.lastIndexOf('\n'); end > 0; end = text.lastIndexOf('\n', end - 1))
    if (said.has(text.slice(0, end))) return text.slice(0, end);
  return undefined;
}

/** A medium gets the first receipt that sent it and has not met its place yet. */
function joined(leaf: ViewLeaf, waiting: Receipt[], said: ReadonlySet<string> | undefined): ViewLeaf {
  if (leaf.kind === 'text' && said && !said.has(leaf.text)) {
    const original = beginningOf(leaf.text, said);
    return { ...leaf, ours: true, ...(original !== undefined && { original }) };
  }
  if (leaf.kind !== 'medium') return leaf;
  const at = waiting.findIndex(({ sent }) => sent?.includes(leaf.medium.$asset));
  const [receipt] = at < 0 ? [] : waiting.splice(at, 1);
  return receipt ? { ...leaf, receipt } : leaf;
}

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

const titles: Record<string, string> = {
  user: 'User',
  assistant: 'Assistant',
  model: 'Assistant',
  tool: 'Result',
  system: 'System prompt',
  developer: 'System prompt',
  function_call: 'Call',
  function_call_output: 'Result',
  reasoning: 'Thinking',
};

function titleOf(element: Json): string {
  if (!isRecord(element)) return 'Item';
  const kind = element['role'] ?? element['type'];
  return typeof kind === 'string' ? (titles[kind] ?? kind) : 'Item';
}

/** `messages[8].content[1]`. */
export function pathText(path: ViewPath): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('');
}
