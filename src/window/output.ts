// An answer in a given form: whether its API can be held to the schema or the model is asked in words, and whether what
// came fits. A schema checks whatever was promised; the API only makes it likelier.
import { textIn } from '../content/block.ts';
import type { Block } from '../content/block.ts';
import { isRecord, parsed } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import { jsonRequest, outputRequest } from '../content/words.ts';
import type { Transcript } from '../message/message.ts';
import {
  checkJsonSchema,
  checkStandard,
  eachSchema,
  isStandardSchema,
  namedKeywords,
  schemaAt,
  valueKeywords,
} from '../tool/schema.ts';
import type { FromJsonSchema, JsonSchema, StandardSchema } from '../tool/schema.ts';
import { jsonSchemaOf } from '../tool/tool.ts';
import { outputRule, takesConst, takesOption } from './catalog.ts';
import type { OutputRule } from './catalog.ts';
import type { RequestOptions } from './plan-types.ts';
import type { Profile } from './profile.ts';
import type { Receipt } from './receipt.ts';

/** The form that an answer shall have: a schema of zod, valibot, arktype and their like, or plain JSON Schema. */
export type OutputSchema = StandardSchema | JsonSchema;

/** What an answer in this form is. */
export type OutputOf<Schema> =
  Schema extends StandardSchema<infer Output> ? Output : Schema extends undefined ? undefined : FromJsonSchema<Schema>;

/** An answer in the form that was asked for, or what does not fit. */
export type OutputRead<Output> = { ok: true; value: Output } | { ok: false; errors: string[] };

/** A schema in its frame, as a request that was read holds it. */
type FramedSchema = NonNullable<RequestOptions['output']>;

/** A schema as requests carry it. Throws for what is none. */
export function outputForm(output: OutputSchema | FramedSchema): FramedSchema {
  const given: unknown = isStandardSchema(output) ? jsonSchemaOf('The schema of "output"', output) : output;
  if (!isRecord(given))
    throw new SightlineError(
      'input',
      'The "output" is no schema. Give one of zod, valibot or arktype, or JSON Schema.',
    );
  if (isFramed(given)) return given;
  const { $schema: _dialect, ...schema } = given;
  const title =
    typeof schema['title'] === 'string' ? schema['title'].replaceAll(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64) : '';
  return { ...(title !== '' && { name: title }), schema };
}

/** Throws for a schema in its frame: a run that checked its answer by the frame would take anything. */
export function checkOutput(output: unknown): void {
  if (isRecord(output) && isFramed(output))
    throw new SightlineError(
      'input',
      'The "output" is the schema itself: write output: schema, not output: { schema }.',
    );
}

function isFramed(given: Record<string, unknown>): given is FramedSchema {
  const { schema, type, name } = given;
  return isRecord(schema) && type === undefined && (name === undefined || typeof name === 'string');
}

/**
 * Reads the answer out of a message: its words as JSON, checked by the schema, which may also transform it.
 *
 * @example
 * const schema = z.object({ total: z.number() });
 * const request = await prepare({ messages }, { model, output: schema });
 * const output = await readOutput(await request.decode(response), schema);
 */
export async function readOutput<const Schema extends OutputSchema>(
  message: { readonly content: readonly Block[] },
  output: Schema,
): Promise<OutputRead<OutputOf<Schema>>> {
  const value = jsonIn(textIn(message.content));
  if (value === undefined) return { ok: false, errors: ['the answer is not one JSON value'] };
  const schema: OutputSchema = output;
  const read = isStandardSchema(schema) ? await checkStandard(schema, value) : checkJsonSchema(schema, value);
  return read as OutputRead<OutputOf<Schema>>;
}

/** Models that are only asked in words like to put a fence, or a sentence, around their JSON. */
function jsonIn(text: string): unknown {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1];
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const candidates = [text, fenced, from >= 0 && to > from ? text.slice(from, to + 1) : undefined];
  for (const candidate of candidates) {
    const value = candidate === undefined ? undefined : parsed(candidate);
    if (value !== undefined) return value;
  }
  return undefined;
}

type Settled = { transcript: Transcript; options: RequestOptions; receipts: Receipt[] };

/** Decides how the form of an answer is asked for. In words it stands in the system prompt, where it moves nothing. */
export function settleOutput(transcript: Transcript, options: RequestOptions, profile: Profile): Settled {
  if (!options.output) return settleJson(transcript, options, profile);
  const { output, json: _, ...rest } = options;
  const rule = outputRule(profile.endpoint, profile.id);
  const beside = (transcript.tools?.length ?? 0) > 0;
  const native = nativeForm(output.schema, rule, beside, profile);
  if (native) return { transcript, options: { ...rest, output: { ...output, schema: native } }, receipts: [] };
  const words = outputRequest(JSON.stringify(output.schema));
  const system = transcript.system?.trim() ? `${transcript.system}\n\n${words}` : words;
  const whose = `${profile.id} on ${profile.endpoint}`;
  const why =
    rule === 'alone'
      ? `${whose} is held to a schema only without tools; the system prompt asks for it`
      : `${whose} cannot be held to this schema; the system prompt asks for it`;
  return {
    transcript: { ...transcript, system },
    options: rest,
    receipts: [{ action: 'words', subject: 'output', why }],
  };
}

/** Any JSON object: where the API can be held to it, that is all; some want the word in the conversation, too. */
function settleJson(transcript: Transcript, options: RequestOptions, profile: Profile): Settled {
  const { json, ...rest } = options;
  if (json !== true) return { transcript, options: rest, receipts: [] };
  const { endpoint, wire, id } = profile;
  const beside = (transcript.tools?.length ?? 0) > 0 && outputRule(endpoint, id) === 'alone';
  const native = takesOption('json', endpoint, wire) && !beside;
  const said = /json/i.test(transcript.system ?? '');
  if (native && said) return { transcript, options, receipts: [] };
  const system = transcript.system?.trim() ? `${transcript.system}\n\n${jsonRequest}` : jsonRequest;
  const why = `${id} on ${endpoint} ${native ? 'is asked for it in the system prompt, too' : 'cannot be held to JSON; the system prompt asks for it'}`;
  return {
    transcript: { ...transcript, system },
    options: native ? options : rest,
    receipts: [{ action: 'words', subject: 'json', why }],
  };
}

/** Some tools of many: where the API cannot be told so, only these are offered. */
export function settleTools(transcript: Transcript, options: RequestOptions, profile: Profile): Settled {
  const { toolChoice } = options;
  if (typeof toolChoice !== 'object' || !('among' in toolChoice)) return { transcript, options, receipts: [] };
  const { among, required = false } = toolChoice;
  if (takesOption(required ? 'mustAmong' : 'among', profile.endpoint, profile.wire))
    return { transcript, options, receipts: [] };
  const tools = (transcript.tools ?? []).filter(({ name }) => among.includes(name));
  const why = `${profile.endpoint} has no choice among some tools; only these are offered`;
  return {
    transcript: { ...transcript, tools },
    options: { ...options, toolChoice: required ? 'required' : 'auto' },
    receipts: [{ action: 'repaired', subject: 'toolChoice', why }],
  };
}

/** The schema as an API is given it; undefined where it takes none, or not this one. All take an object, few anything else. */
function nativeForm(
  schema: JsonSchema,
  rule: OutputRule,
  beside: boolean,
  { endpoint }: Profile,
): JsonSchema | undefined {
  if (rule === 'words' || (rule === 'alone' && beside) || schema['type'] !== 'object') return undefined;
  if (rule !== 'closed') return takesConst(endpoint) ? schema : constAsEnum(schema);
  return holdsItself(schema) || optionalIn(schema) > mostOptional ? undefined : closed(schema);
}

/** What no decoder that follows a schema is held to; it is told in words, and the schema checks it afterwards. */
const bounds: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'not',
]);

/** The formats of a text that such an API knows; others are told as bounds are. */
const formats: ReadonlySet<unknown> = new Set(
  'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '),
);

/** The schema with one value alone as a list of one. */
function constAsEnum(schema: JsonSchema): JsonSchema {
  return eachSchema(schema, ({ const: only, ...rest }) =>
    only === undefined ? rest : { ...rest, enum: [only] },
  ) as JsonSchema;
}

/** Whether a schema leads back to itself, or to one that is not in it. */
function holdsItself(schema: JsonSchema): boolean {
  const [open, done] = [new Set<string>(), new Set<string>()];
  const leadsBack = (place: string): boolean => {
    if (open.has(place) || !place.startsWith('#')) return true;
    if (done.has(place)) return false;
    open.add(place);
    const found = refsIn(schemaAt(place, schema)).some(leadsBack);
    open.delete(place);
    done.add(place);
    return found;
  };
  return leadsBack('#');
}

/** The places that a schema points to. Its definitions count where something points to them. */
function refsIn(schema: unknown, byName = false): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => refsIn(one));
  return Object.entries(isRecord(schema) ? schema : {}).flatMap(([key, value]) => {
    if (byName) return refsIn(value);
    if (key === '$ref') return typeof value === 'string' ? [value] : [];
    return valueKeywords.has(key) || key === '$defs' || key === 'definitions'
      ? []
      : refsIn(value, key === 'properties');
  });
}

/** Anthropic's grammars fail from one more on ("too many optional parameters", or no answer in time). */
const mostOptional = 12;

/** How many fields of all its objects may be left out. */
function optionalIn(schema: unknown, byName = false): number {
  if (Array.isArray(schema)) return schema.reduce((sum: number, one) => sum + optionalIn(one), 0);
  if (!isRecord(schema)) return 0;
  const { properties, required } = schema;
  const needed = Array.isArray(required) ? required : [];
  const own = isRecord(properties) && !byName ? Object.keys(properties).filter((name) => !needed.includes(name)) : [];
  const inner = Object.entries(schema).filter(([key]) => byName || !valueKeywords.has(key));
  return inner.reduce((sum, [key, value]) => sum + optionalIn(value, !byName && namedKeywords.has(key)), own.length);
}

/** The schema for APIs that take closed objects alone; undefined where an object must stay open. */
function closed(schema: JsonSchema): JsonSchema | undefined {
  if (!isRecord(schema)) return schema;
  const made: Record<string, unknown> = {};
  const told: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (bounds.has(key) || (key === 'format' && !formats.has(value))) {
      told.push(`${key}: ${JSON.stringify(value)}`);
      continue;
    }
    const spelt = key === 'oneOf' && !('anyOf' in schema) ? 'anyOf' : key; // which is all that it knows
    made[spelt] = valueKeywords.has(key) ? value : closedIn(value, namedKeywords.has(key));
    if (made[spelt] === undefined) return undefined;
  }
  if (told.length > 0) made['description'] = [made['description'], `(${told.join(', ')})`].filter(Boolean).join(' ');
  if (schema['type'] !== 'object' && !isRecord(schema['properties'])) return made;
  const rest = schema['additionalProperties'];
  if (!isRecord(schema['properties']) || isRecord(rest) || rest === true) return undefined;
  return { ...made, additionalProperties: false };
}

/** The same for what a keyword holds: one schema, a list of them, or some by name. */
function closedIn(value: unknown, byName: boolean): unknown {
  if (Array.isArray(value)) {
    const list = value.map((item: unknown) => closedIn(item, false));
    return list.includes(undefined) ? undefined : list;
  }
  if (!isRecord(value)) return value;
  if (!byName) return closed(value);
  const entries = Object.entries(value).map(([name, item]) => [name, closedIn(item, false)] as const);
  return entries.some(([, item]) => item === undefined) ? undefined : Object.fromEntries(entries);
}
