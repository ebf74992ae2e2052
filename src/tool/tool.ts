// A tool: a name, what it does, what it takes, and a function. What it returns is free; `normalise` sorts it out.
import { zod3Schema } from './zod3.ts';
import type { AssetStore } from '../content/asset-store.ts';
import type { ImageBlock, TileGrid } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { isRecord } from '../content/json.ts';
import type { Json } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Holder } from './known-assets.ts';
import { checkJsonSchema, checkStandard, isStandardSchema, withoutNulls } from './schema.ts';
import type { Checked, JsonSchema, ObjectFromJsonSchema, StandardSchema } from './schema.ts';

/** What a tool gets besides its input. */
export type ToolContext<Context = unknown> = {
  /** Aborted when the run is stopped or the tool's `timeoutMs` are over. */
  signal: AbortSignal;
  callId: string;
  /** The same on every attempt at this call, and no other call's: for services that take such a key. In a session it holds
   * beyond the end of the program; else it is the id of the call. */
  key: string;
  assets: AssetStore;
  /** Where media come in: what the tool may name, and how it is checked. */
  intake: Intake;
  /** The messages so far, where the call belongs to a conversation. */
  conversation?: () => Iterable<Holder>;
  /** How the model that calls is shown a picture in pieces; nothing where it sees the whole. */
  piecesOf?: (picture: ImageBlock) => TileGrid | undefined;
  /** Tells whoever watches how far the tool is. */
  progress: (message: string) => void;
  /** Tells what the call itself took of a model: it counts in the run. */
  spent: (spent: Spent) => void;
  /** What the program gave this run for its tools, such as who is logged in. */
  context: Context;
};

/** Tokens that a model took, and what they cost in US dollars where its prices are known. */
export type Spent = {
  model: string;
  usage: { inputTokens: number; outputTokens: number; cachedTokens?: number; writtenTokens?: number };
  cost?: number;
};

/** A tool as a model is told about it. */
export type ToolSpec = {
  name: string;
  description: string;
  inputSchema: JsonSchema;
  /** How a vendor spells this tool where it has one of its own, by wire; on other wires it is a function like others. */
  hosted?: { readonly [wire: string]: { readonly [field: string]: Json } };
};

/** What a call does to the world: nothing, the same however often it runs, or something new each time. */
export type Effect = 'read' | 'idempotent' | 'once';

/** A tool that can be called; `defineTool` makes one. */
export type Tool<Name extends string = string, Input = unknown, Context = unknown> = ToolSpec & {
  name: Name;
  /** How many calls of it may run at once; any number when left out. */
  concurrency?: number;
  /** A call that takes longer is stopped and answered with an error. */
  timeoutMs?: number;
  /** Whether a person is asked before a call runs; when left out, whoever answers the calls decides. */
  approve?: boolean | ((input: unknown) => boolean | Promise<boolean>);
  /** `once` when left out. */
  effect?: Effect;
  check: (input: unknown) => Promise<Checked<Input>>;
  run: (input: unknown, context: ToolContext<Context>) => unknown;
};

/** Any tool, whatever context it wants. */
export type AnyTool = Tool<string, unknown, never>;

/** What all of these tools together want to be told besides their input. */
export type ContextOf<Tools extends readonly AnyTool[]> =
  Tools[number] extends Tool<string, unknown, infer Context> ? Context : unknown;

/** What says what a tool takes. */
export type InputSchema = StandardSchema | JsonSchema;

/** What `run` gets: the output of a Standard Schema, what plain JSON Schema says, or a record where it says nothing. */
export type InputOf<Schema> = Schema extends StandardSchema<infer Output> ? Output : ObjectFromJsonSchema<Schema>;

/** What `defineTool` takes. */
export type ToolDefinition<
  Schema extends InputSchema = JsonSchema,
  Name extends string = string,
  Context = unknown,
> = Pick<Tool, 'concurrency' | 'timeoutMs' | 'effect' | 'hosted'> & {
  name: Name;
  description: string;
  /** A schema of zod, valibot, arktype and their like, or plain JSON Schema. Without it, the tool takes nothing. */
  input?: Schema;
  /** `true`: a person is asked before each call. A function decides by the input. `false`: nobody is ever asked. */
  approve?: boolean | ((input: InputOf<Schema>) => boolean | Promise<boolean>);
  /** What it returns may be anything. Of a generator, each yield is told as progress, and the last value is the result. */
  run: (input: InputOf<Schema>, context: ToolContext<Context>) => unknown;
};

/** The strictest of the name patterns of all APIs, so that a tool works everywhere. */
export const namePattern: RegExp = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/** Throws for two tools of one name: a call could not say which of them it means, and providers refuse both. */
export function checkNames(tools: unknown): void {
  if (!Array.isArray(tools) || !tools.every(isRecord))
    throw new SightlineError('input', 'The tools are not a list of tools. Give a list: tools: [chart].');
  const names = new Set<unknown>();
  for (const { name } of tools) {
    if (names.has(name))
      throw new SightlineError('input', `Two tools are called "${String(name)}". Give each tool a name of its own.`);
    names.add(name);
  }
}

/**
 * Makes a tool. A definition that could not work on some API throws here, not in the middle of a run.
 *
 * @example
 * const chart = defineTool({
 *   name: 'chart',
 *   description: 'Draws a chart.',
 *   input: z.object({ title: z.string() }),
 *   run: async ({ title }) => drawPng(title),
 * });
 */
export function defineTool<
  const Name extends string,
  const Schema extends InputSchema = { readonly type: 'object' },
  Context = unknown,
>(definition: ToolDefinition<Schema, Name, Context>): Tool<Name, InputOf<Schema>, Context> {
  if (!isRecord(definition))
    throw new SightlineError('input', 'defineTool takes one object: { name, description, input, run }.');
  const { name, description, input, concurrency, timeoutMs, approve, effect, hosted, run } = definition;
  checkName(name);
  checkWords(name, definition);
  if (typeof description !== 'string')
    throw new SightlineError('input', `The tool "${name}" has no description. Say in a sentence when to call it.`);
  if (typeof run !== 'function')
    throw new SightlineError('input', `The tool "${name}" has no function "run". Write run: (input) => …`);
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new SightlineError('input', `The timeoutMs of tool "${name}" must be a number of milliseconds above 0.`);
  if (concurrency !== undefined && !(concurrency > 0))
    throw new SightlineError('input', `The concurrency of tool "${name}" must be a number of calls above 0.`);
  checkHosted(name, hosted);
  const inputSchema = inputSchemaOf(name, input ?? { type: 'object' });
  return {
    name,
    description,
    inputSchema,
    ...(concurrency !== undefined && { concurrency: Math.max(1, concurrency) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(approve !== undefined && { approve: approve as boolean | ((input: unknown) => boolean) }),
    ...(effect !== undefined && { effect }),
    ...(hosted !== undefined && { hosted }),
    check: async (given) => {
      const value = withoutNulls(inputSchema, given);
      const checked = isStandardSchema(input) ? await checkStandard(input, value) : checkJsonSchema(inputSchema, value);
      return checked as Checked<InputOf<Schema>>;
    },
    run: (value, context) => run(value as InputOf<Schema>, context),
  };
}

function checkName(name: unknown): void {
  if (typeof name !== 'string' || name === '')
    throw new SightlineError('input', "The tool has no name. Give it one that says what it does: name: 'draw_chart'.");
  if (namePattern.test(name)) return;
  const fitting = name
    .replaceAll(/[^\w-]+/g, '_')
    .replace(/^(?=[\d-])/, '_')
    .slice(0, 64);
  throw new SightlineError(
    'input',
    `The tool name "${name}" is not one that every API takes: up to 64 letters, digits, "_" and "-", the first a letter or "_". Write "${fitting}".`,
  );
}

/** Throws for what is no spelling, or one under whose name no call would find this tool. */
function checkHosted(name: string, hosted: unknown): void {
  const isSpelling = (one: unknown): boolean => isRecord(one) && (one['name'] ?? name) === name;
  if (hosted === undefined || (isRecord(hosted) && Object.values(hosted).every(isSpelling))) return;
  throw new SightlineError(
    'input',
    `"hosted" of tool "${name}" is an object for each wire, as { 'openai-responses': { type: 'computer' } }; a "name" in it is the tool's.`,
  );
}

/** What other libraries call the same thing. */
const otherWords = {
  input: ['inputSchema', 'input_schema', 'parameters', 'schema', 'args'],
  run: ['execute', 'handler', 'invoke', 'func', 'call'],
  approve: ['needsApproval'],
  timeoutMs: ['timeout'],
} as const;

/** Throws for a word of another library in the place of ours: its schema would be lost without a sound. */
function checkWords(name: string, definition: object): void {
  for (const [ours, theirs] of Object.entries(otherWords)) {
    const wrong = theirs.find((word) => word in definition);
    if (wrong === undefined || ours in definition) continue;
    throw new SightlineError('input', `The tool "${name}" has "${wrong}". Did you mean "${ours}"?`);
  }
}

function inputSchemaOf(name: string, input: InputSchema): JsonSchema {
  const schema = isStandardSchema(input) ? jsonSchemaOf(`The input schema of tool "${name}"`, input) : input;
  if (schema === input) checkNoShape(name, input);
  if (!isRecord(schema) || (schema['type'] !== undefined && schema['type'] !== 'object')) {
    throw new SightlineError(
      'input',
      `The input of tool "${name}" must be an object schema: z.object({}), or { "type": "object" }.`,
    );
  }
  const union = ['oneOf', 'anyOf', 'allOf'].find((word) => word in schema);
  if (union !== undefined) {
    throw new SightlineError(
      'input',
      `The input of tool "${name}" must not be a union (${union}) at its top, which some APIs refuse. Put it into a field.`,
    );
  }
  const trouble = jsonTrouble(schema);
  if (trouble !== undefined) {
    throw new SightlineError(
      'input',
      `The input schema of tool "${name}" cannot be written as JSON: ${trouble}. A schema that holds itself says so by "$ref".`,
    );
  }
  const { $schema: _dialect, ...rest } = schema;
  return { ...rest, type: 'object', properties: isRecord(rest['properties']) ? rest['properties'] : {} };
}

const objectOf = new Map([
  ['zod', 'z.object'],
  ['valibot', 'v.object'],
  ['arktype', 'type'],
]);

/** Words of JSON Schema that have an object behind them, as every field has. */
const schemaWords = /^(?:[$~]|x-|definitions$|(?:pattern|additional)?properties$)/i;

/** Throws for fields without the object around them, as MCP servers are told their input. */
function checkNoShape(name: string, input: unknown): void {
  const fields = Object.entries(isRecord(input) ? input : {});
  const [key, field] = fields.find(([, value]) => isStandardSchema(value)) ?? [];
  const [plain] = fields[0] ?? [];
  const isPlain = fields.every(([word, value]) => isRecord(value) && !schemaWords.test(word));
  if (key === undefined && plain !== undefined && isPlain)
    throw new SightlineError(
      'input',
      `The input of tool "${name}" is fields, not a schema. Write input: { type: 'object', properties: { ${plain}: … } }.`,
    );
  if (key === undefined || !isStandardSchema(field)) return;
  const { vendor } = field['~standard'];
  throw new SightlineError(
    'input',
    `The input of tool "${name}" is fields, not a schema: "${key}" is one of ${vendor}. Write input: ${objectOf.get(vendor) ?? 'an object schema of'}({ ${key}: … }).`,
  );
}

function jsonTrouble(schema: JsonSchema): string | undefined {
  try {
    JSON.stringify(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  }
}

const converters = new Map([
  ['valibot', '@valibot/to-json-schema (toStandardJsonSchema)'],
  ['zod', 'zod 4.2 or newer, which has it built in'],
  ['arktype', 'arktype 2.1.28 or newer, which has it built in'],
]);

/** Dates and their like have no JSON, which the library says in its own words. */
function written(what: string, vendor: string, write: () => Record<string, unknown>): Record<string, unknown> {
  try {
    return write();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SightlineError(
      'input',
      `${what} (${vendor}) cannot be told to a model: ${why.replace(/\.$/, '')}. Use what JSON has, such as a string for a date.`,
    );
  }
}

/** A Standard Schema as JSON Schema. Throws a sentence about `what` that names the converter it lacks. */
export function jsonSchemaOf(what: string, input: StandardSchema): Record<string, unknown> {
  const { jsonSchema, vendor } = input['~standard'];
  if (jsonSchema) return written(what, vendor, () => jsonSchema.input({ target: 'draft-2020-12' }));
  const older = zod3Schema(input);
  if (older) return older;
  const converter = converters.get(vendor) ?? `the JSON Schema converter of ${vendor}`;
  throw new SightlineError(
    'input',
    `${what} (${vendor}) offers no JSON Schema. Use ${converter}, or give plain JSON Schema.`,
  );
}
