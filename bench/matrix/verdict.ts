// What became of the media of a probe in the body that was sent. Whether a provider would take the body is decided by the
// judges, which are made from the vendors' own documents; here it is only looked up where the bytes and the words are.
import { base64InText, schemaErrors } from '../../test/judge/judge.ts';
import type { WireName } from '../../test/judge/judge.ts';
import { isObject, items as listOf } from '../../test/judge/json.ts';
import type { Json, JsonObject } from '../../test/judge/json.ts';
import type { Captured, Column } from './peer.ts';
import { mediaOf } from './probes.ts';
import type { Medium, Probe } from './probes.ts';

export type Outcome =
  | 'OK'
  | 'moved'
  | 'pages'
  | 'words'
  | 'said'
  | 'unowned'
  | 'text'
  | 'leaks'
  | 'dropped'
  | 'twice'
  | 'bad'
  | 'throws'
  | '–';

export type Verdict = { outcome: Outcome; why: string[] };

/** From the best to the worst: a cell is as good as the worst thing in it. */
const order: Outcome[] = [
  '–',
  'OK',
  'moved',
  'pages',
  'words',
  'said',
  'unowned',
  'dropped',
  'text',
  'twice',
  'bad',
  'leaks',
  'throws',
];

/** The medium arrives, or the model is told of it. */
export function isGood(outcome: Outcome): boolean {
  return ['OK', 'moved', 'pages', 'words', 'said'].includes(outcome);
}

const wireOf: Record<Column, WireName> = {
  anthropic: 'anthropic-messages',
  chat: 'openai-chat',
  responses: 'openai-responses',
  'gemini-2.5': 'gemini',
  'gemini-3': 'gemini',
  ollama: 'ollama',
};

type Kinds = readonly Medium['kind'][];

/** What each provider documents, inside a result and in a message after it. Schemas leave some of this open. */
const documented: Record<Column, { inside: Kinds; after: Kinds }> = {
  anthropic: { inside: ['image', 'pdf'], after: ['image', 'pdf'] },
  chat: { inside: [], after: ['image', 'pdf', 'audio'] },
  responses: { inside: ['image', 'pdf', 'office'], after: ['image', 'pdf', 'office'] },
  'gemini-2.5': { inside: [], after: ['image', 'pdf', 'audio'] },
  'gemini-3': { inside: ['image', 'pdf'], after: ['image', 'pdf', 'audio'] },
  ollama: { inside: ['image'], after: ['image'] },
};

/** `excused` are the complaints that the same library earns on the same wire without any media. */
export async function judgeCell(probe: Probe, captured: Captured, excused: ReadonlySet<string>): Promise<Verdict> {
  if (captured.notOffered) return { outcome: '–', why: [] };
  if (captured.error !== undefined) return { outcome: 'throws', why: [captured.error] };
  const wire = wireOf[captured.column];
  const body = captured.body as JsonObject;
  const complaints = (await complaintsAbout(wire, body)).filter((one) => !excused.has(withoutPlaces(one)));
  const findings: Verdict[] = [
    ...(complaints.length > 0 ? [{ outcome: 'bad' as const, why: complaints.slice(0, 2) }] : []),
    ...mediaOf(probe).map(({ medium, owner }) => mediumIn(body, captured.column, medium, owner, probe)),
    ...wordsIn(body, probe),
    ...(probe.thinking ? [thoughtIn(body, wire, probe.thinking)] : []),
    ...errorMark(body, wire, probe),
  ];
  const outcome = findings.reduce<Outcome>((worst, one) => worse(worst, one.outcome), 'OK');
  return { outcome, why: findings.filter((one) => one.outcome !== 'OK').flatMap(({ why }) => why) };
}

/** What the judges say, but for base64 among words: that has a verdict of its own. */
async function complaintsAbout(wire: WireName, body: unknown): Promise<string[]> {
  const all = await schemaErrors(wire, body);
  return all.filter((one) => !one.includes('characters of base64 in a text'));
}

/** The complaints of a cell as the excuse for others of its column. */
export async function excuses(captured: Captured): Promise<Set<string>> {
  if (captured.body === undefined) return new Set();
  return new Set((await complaintsAbout(wireOf[captured.column], captured.body)).map(withoutPlaces));
}

function withoutPlaces(complaint: string): string {
  return complaint.replaceAll(/\/\d+/g, '/#');
}

function worse(one: Outcome, other: Outcome): Outcome {
  return order.indexOf(other) > order.indexOf(one) ? other : one;
}

/** A string of the body, and the objects around it, the outermost first. */
type Found = { pointer: string; text: string; around: JsonObject[] };

function strings(node: Json | undefined, pointer = '', around: JsonObject[] = []): Found[] {
  if (typeof node === 'string') return [{ pointer, text: node, around }];
  if (Array.isArray(node)) return node.flatMap((item, at) => strings(item, `${pointer}/${at}`, around));
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, item]) => strings(item, `${pointer}/${key}`, [...around, node]));
}

function mediumIn(body: JsonObject, column: Column, medium: Medium, owner: string, probe: Probe): Verdict {
  const wire = wireOf[column];
  const all = strings(conversation(body));
  const found = all.filter(({ text }) => text.includes(medium.base64));
  const prose = new Set(base64InText(wire, body).map((line) => line.slice(0, line.indexOf(':'))));
  const { name, kind } = medium;
  if (found.length > 1) return { outcome: 'twice', why: [`${name} is there ${found.length} times`] };
  const [one] = found;
  if (!one) return standIn(all, medium, probe);
  if (readAsText(one.pointer))
    return { outcome: 'text', why: [`${name} is ${medium.base64.length} characters of base64 at ${one.pointer}`] };
  const holder = ownerOf(body, wire, one);
  const taken = documented[column][holder === undefined ? 'after' : 'inside'].includes(kind);
  if (prose.has(one.pointer) || !taken)
    return { outcome: 'bad', why: [`${name} stands at ${one.pointer}, where this API documents no such medium`] };
  if (holder === owner) return { outcome: 'OK', why: [] };
  if (holder !== undefined) return { outcome: 'bad', why: [`${name} of ${owner} stands in the result of ${holder}`] };
  const message = one.pointer.split('/').slice(0, 3).join('/');
  const isLabel = ({ pointer, text }: Found): boolean =>
    pointer.startsWith(`${message}/`) && readAsText(pointer) && text.includes(owner);
  const labelled = all.some(isLabel);
  return labelled || probe.results.length === 1
    ? { outcome: 'moved', why: [] }
    : { outcome: 'unowned', why: [`nothing says that ${name} belongs to ${owner}`] };
}

/** Whether the place is one whose strings a model reads as words, and not a field that the API would refuse. */
function readAsText(pointer: string): boolean {
  const last = pointer.split('/').at(-1) ?? '';
  return ['text', 'content', 'output'].includes(last) || pointer.includes('/functionResponse/response/');
}

/** The medium itself is not there: what is there instead? */
function standIn(all: readonly Found[], medium: Medium, probe: Probe): Verdict {
  const { name, words } = medium;
  if (words !== undefined && all.some(({ text }) => text.includes(words)))
    return { outcome: 'words', why: [`${name} goes as its words`] };
  const drawn = all.filter(({ text }) => /^(data:image\/\w+;base64,)?(iVBORw0KGgo|\/9j\/)/.test(text));
  const given = mediaOf(probe).filter(({ medium: { kind } }) => kind === 'image').length;
  if (medium.kind === 'pdf' && drawn.length > given)
    return { outcome: 'pages', why: [`${name} goes as pictures of its pages`] };
  const own = new Set(
    probe.results.flatMap(({ items }) => items.flatMap((item) => ('text' in item ? [item.text] : []))),
  );
  const note = all.find(
    ({ text }) =>
      !own.has(text) &&
      text.length < 2000 &&
      (text.includes(name) || /omitted|not shown|not supported|unsupported/i.test(text)),
  );
  if (note) return { outcome: 'said', why: [`${name} is not sent, and the model reads: ${note.text.slice(0, 160)}`] };
  return { outcome: 'dropped', why: [`${name} is gone without a word`] };
}

/** Every sentence of a tool stands somewhere in the conversation. */
function wordsIn(body: JsonObject, probe: Probe): Verdict[] {
  const all = strings(conversation(body));
  return probe.results.flatMap(({ items }) =>
    items.flatMap((item): Verdict[] => {
      if (!('text' in item) || all.some(({ text }) => text.includes(item.text))) return [];
      return [{ outcome: 'dropped', why: [`the words “${item.text}” are gone`] }];
    }),
  );
}

function thoughtIn(
  body: JsonObject,
  wire: WireName,
  { text, signature }: { text: string; signature: string },
): Verdict {
  const all = strings(conversation(body));
  const thought = all.find((one) => one.text.includes(text));
  if (wire !== 'anthropic-messages')
    return thought
      ? { outcome: 'leaks', why: [`what Claude thought stands at ${thought.pointer}`] }
      : { outcome: 'OK', why: [] };
  const whole = thought?.around.at(-1)?.['signature'] === signature && thought.text === text;
  return whole ? { outcome: 'OK', why: [] } : { outcome: 'dropped', why: ['the thought does not go back as it came'] };
}

/** Only one API has a mark for failed calls. */
function errorMark(body: JsonObject, wire: WireName, probe: Probe): Verdict[] {
  if (wire !== 'anthropic-messages' || !probe.results.some(({ isError }) => isError)) return [];
  const marked = JSON.stringify(body).includes('"is_error":true');
  return marked ? [] : [{ outcome: 'dropped', why: ['nothing says that the call failed'] }];
}

/** The messages, without tools and settings. */
function conversation(body: JsonObject): Json {
  const { messages, contents, input } = body;
  return { ...(messages && { messages }), ...(contents && { contents }), ...(input && { input }) };
}

/** The id of the call in whose result a string stands. Where results have no ids, they answer the calls in their order. */
function ownerOf(body: JsonObject, wire: WireName, { around, pointer }: Found): string | undefined {
  const inside = (field: string, value: string): JsonObject | undefined => around.find((node) => node[field] === value);
  const [, , first = '', , second = ''] = pointer.split('/');
  switch (wire) {
    case 'anthropic-messages':
      return idIn(inside('type', 'tool_result'), 'tool_use_id');
    case 'openai-chat':
      return idIn(inside('role', 'tool'), 'tool_call_id');
    case 'openai-responses':
      return idIn(inside('type', 'function_call_output'), 'call_id');
    case 'bedrock-converse':
      return idIn(
        around.find((node) => 'toolUseId' in node && 'content' in node),
        'toolUseId',
      );
    case 'ollama': {
      const message = inside('role', 'tool');
      const before = listOf(body['messages']).slice(0, Number(first) + 1);
      const results = before.filter((one) => isObject(one) && one['role'] === 'tool');
      return message && (idIn(message, 'tool_call_id') ?? `call_${results.length}`);
    }
    case 'gemini': {
      if (!pointer.includes('/functionResponse/')) return undefined;
      const content = listOf(body['contents'])[Number(first)];
      const parts = isObject(content) ? listOf(content['parts']).slice(0, Number(second) + 1) : [];
      const results = parts.flatMap((part) => (isObject(part) && part['functionResponse']) || []);
      const last = results.at(-1);
      return (isObject(last) ? idIn(last, 'id') : undefined) ?? `call_${results.length}`;
    }
  }
}

function idIn(node: JsonObject | undefined, key: string): string | undefined {
  const value = node?.[key];
  return typeof value === 'string' ? value : undefined;
}
