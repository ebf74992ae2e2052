// What a request asks for beyond what was read out of it: told, or refused. Nothing is lost silently.
import { isRecord } from '../content/json.ts';
import type { Profile } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import type { Accepted } from '../wire/accepted.ts';

/** `lost` are options that would have changed the answer; `refused` is why nobody else can answer this at all. */
export type Uncarried = { receipts: Receipt[]; lost: string[]; refused?: string };

/** Understood in another way, where they are what they should be, so nothing of them is lost. */
const understood = new Map<string, (value: unknown) => boolean>([
  ['stream_options', isRecord],
  ['prompt_cache_key', (value) => typeof value === 'string'],
  ['anthropic_version', (value) => typeof value === 'string'],
  ['tools', Array.isArray],
  [
    'system',
    (value) => Array.isArray(value) && value.every((block) => isRecord(block) && typeof block['text'] === 'string'),
  ],
]);

/** Vendors have more words for how much is thought than there are here: the nearest is asked for. */
const efforts = new Set(['reasoning_effort', 'reasoning.effort', 'output_config.effort']);

/** What only its own vendor can do anything with; the answer is the same without it. */
const harmless = new Set([
  'store', 'include', 'client_metadata', 'betas', 'metadata', 'context_management', 'cache_control', 'keep_alive',
  'prompt_cache_retention', 'service_tier', 'safety_identifier', 'truncation', 'labels', 'reasoning.summary',
]); // prettier-ignore

/** What of a request the model that answers has no place for. */
export function uncarried(
  body: Record<string, unknown>,
  { extra, transcript, options }: Accepted,
  profile: Profile,
): Uncarried {
  const settings = isRecord(body['generationConfig']) ? body['generationConfig'] : {};
  const several = [body['n'], settings['candidateCount']].some((count) => typeof count === 'number' && count > 1);
  if (several) return refused(`Several answers at once cannot be had from ${profile.model}. Ask once for each.`);
  const modalities = body['modalities'] ?? settings['responseModalities'];
  if (Array.isArray(modalities) && modalities.some((kind) => !/^text$/i.test(String(kind))))
    return refused(`${profile.model} answers in words here. Leave "modalities" out.`);
  const kept = keptElsewhere.find((field) => namesWords(field, extra[field]));
  if (kept !== undefined)
    return refused(`"${kept}" names what another server keeps; ${profile.model} does not have it. Send all messages.`);
  const fields = Object.entries(extra).flatMap(([name, value]) => pathsIn(name, value));
  const { tools: given } = body;
  const unread = Array.isArray(given) && given.some(isNameless) ? ['tool of no name'] : [];
  const isRead = (name: string): boolean => options.thinking !== undefined && efforts.has(name);
  const unknown = fields.filter((name) => !understood.get(name)?.(extra[name]) && !isRead(name));
  const left = [...unknown, ...unread, ...lostInside(body)];
  const files = filesIn(body).map((id) => `file ${id}`);
  const offered = new Set((transcript.tools ?? []).map(({ name }) => name));
  const tools = serverTools(given, offered).map((name) => `tool ${name}`);
  return {
    receipts: [...left, ...files, ...tools].map((subject) => ({
      action: 'ignored',
      subject,
      why: `${profile.model} has no place for it; sent without`,
    })),
    // Codex offers its search to every model: to refuse it would be to shut Codex out.
    lost: [...left.filter((name) => !harmless.has(name) && !harmless.has(name.split('.')[0] ?? '')), ...files],
  };
}

/** Fields that stand for words which the vendor of a dialect keeps: without them the question would be another one. */
const keptElsewhere = ['previous_response_id', 'conversation', 'prompt', 'cachedContent', 'cached_content'];

/** Whether a request names words that do not stand in it. */
export function namesKept(body: Record<string, unknown>): boolean {
  return keptElsewhere.some((field) => namesWords(field, body[field]));
}

function namesWords(field: string, value: unknown): boolean {
  return isRecord(value) ? typeof value['id'] === 'string' : typeof value === 'string' && field !== 'prompt';
}

export function refusedOptions(lost: readonly string[], { model }: Profile): string {
  return `${model} has no place for ${lost.join(', ')}. Leave it out, or set carry = "tell" to have it sent without.`;
}

function refused(why: string): Uncarried {
  return { receipts: [], lost: [], refused: why };
}

/** The fields that are left inside a field, by their path. */
function pathsIn(name: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  return isRecord(value) && grouping.has(name) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name];
}

const grouping = new Set(['generationConfig', 'options', 'output_config', 'reasoning', 'text', 'tool_choice']);

/** What is asked for on tools and messages, where only their words and media are read. */
function lostInside(body: Record<string, unknown>): string[] {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isRecord) : [];
  return [
    ...(isStrict(body['tools']) ? ['tools.strict'] : []),
    ...(messages.some(isNamed) ? ['messages.name'] : []),
    ...(isCited(messages.map(({ content }) => content)) ? ['citations'] : []),
  ];
}

/** Whether a message says who of several speaks; that of a tool says which one it is. */
function isNamed({ role, name }: Record<string, unknown>): boolean {
  return role !== 'tool' && role !== 'function' && typeof name === 'string' && name !== '';
}

/** Whether calls of one of these tools shall fit its schema without exception. */
function isStrict(tools: unknown): boolean {
  if (!Array.isArray(tools)) return false;
  return tools.filter(isRecord).some((tool) => {
    const { strict, function: called, tools: inner } = tool;
    return strict === true || (isRecord(called) && called['strict'] === true) || isStrict(inner);
  });
}

/** Whether the sources of an answer are asked for on a document, wherever it stands. */
function isCited(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isCited);
  if (!isRecord(value)) return false;
  const { source, citations } = value;
  if (source !== undefined && isRecord(citations) && citations['enabled'] === true) return true;
  return [value['content'], value['document'], value['toolResult']].some(isCited);
}

/** Files that another vendor keeps under an id. */
function filesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(filesIn);
  if (!isRecord(value)) return [];
  const { file_id: id } = value;
  return [...(typeof id === 'string' ? [id] : []), ...Object.values(value).flatMap(filesIn)];
}

/** A tool of the client's own that nobody could call. */
function isNameless(tool: unknown): boolean {
  if (!isRecord(tool)) return true;
  const { type, name, function: called, custom } = tool;
  if (type !== 'function' && type !== 'custom' && type !== 'namespace') return false;
  const inside = [called, custom].filter(isRecord).map((one) => one['name']);
  return ![name, ...inside].some((word) => typeof word === 'string' && word !== '');
}

/** Tools that a vendor runs itself. */
function serverTools(tools: unknown, offered: ReadonlySet<string>): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.filter(isRecord).flatMap((tool) => {
    const { type, name } = tool;
    if (Object.keys(tool).some((key) => /^function_?declarations$/i.test(key))) return [];
    if (type === 'function' || type === 'custom' || type === 'namespace') return [];
    if (typeof name === 'string' && offered.has(name)) return [];
    return [[name, type].find((word) => typeof word === 'string') ?? Object.keys(tool)[0] ?? 'of no name'];
  });
}
