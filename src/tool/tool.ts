// A tool: a name, what it does, what it takes, and a function. What it returns is free; `normalise` sorts it out.
import { zod3Schema } from './zod3.ts';
import type { AssetStore } from '../content/asset-store.ts';
import type { Intake } from '../content/intake.ts';
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Holder } from './known-assets.ts';
import { checkJsonSchema, checkStandard, isStandardSchema } from './schema.ts';
import type { Checked, JsonSchema, StandardSchema } from './schema.ts';

/** What a tool gets besides its input. */
export type ToolContext = {
  signal: AbortSignal;
  callId: string;
  assets: AssetStore;
  /** Where media come in: what the tool may name, and how it is checked. */
  intake: Intake;
  /** The messages so far, where the call belongs to a conversation. */
  conversation?: () => Iterable<Holder>;
  /** Tells whoever watches how far the tool is. */
  progress: (message: string) => void;
};

/** A tool as a model is told about it. */
export type ToolSpec = { name: string; description: string; inputSchema: JsonSchema };

/** A tool that can be called; `defineTool` makes one. */
export type Tool = ToolSpec & {
  /** How many calls of it may run at once; any number when left out. */
  concurrency?: number;
  check: (input: unknown) => Promise<Checked>;
  run: (input: unknown, context: ToolContext) => unknown;
};

type InputSchema = StandardSchema | JsonSchema;

/** What `run` gets: the output of a Standard Schema, a plain record for plain JSON Schema. */
export type InputOf<Schema> =
  Schema extends StandardSchema<infer Output> ? Output : { readonly [key: string]: unknown };

/** What `defineTool` takes. */
export type ToolDefinition<Schema extends InputSchema> = {
  name: string;
  description: string;
  input: Schema;
  /** How many calls of it may run at once, such as 1 for a tool that steers one screen. */
  concurrency?: number;
  run: (input: InputOf<Schema>, context: ToolContext) => unknown;
};

/** The strictest of the name patterns of all APIs, so that a tool works everywhere. */
const namePattern = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/** Throws for two tools of one name: a call could not say which of them it means, and providers refuse both. */
export function checkNames(tools: unknown): void {
  if (!Array.isArray(tools) || !tools.every(isRecord))
    throw new SightlineError('input', 'The tools are not a list of tools. Give a list of what defineTool returns.');
  const names = new Set<unknown>();
  for (const { name } of tools) {
    if (names.has(name))
      throw new SightlineError('input', `Two tools are called "${String(name)}". Give each tool a name of its own.`);
    names.add(name);
  }
}

/** Makes a tool. A definition that could not work on some API throws here, not in the middle of a run. */
export function defineTool<const Schema extends InputSchema>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, input, concurrency, run } = definition;
  if (!namePattern.test(name)) {
    throw new SightlineError('input', `The tool name "${name}" must match ${namePattern.source}.`);
  }
  if (typeof run !== 'function') throw new SightlineError('input', `The tool "${name}" has no function "run".`);
  const inputSchema = inputSchemaOf(name, input);
  return {
    name,
    description,
    inputSchema,
    ...(concurrency !== undefined && { concurrency: Math.max(1, concurrency) }),
    check: (value) =>
      isStandardSchema(input) ? checkStandard(input, value) : Promise.resolve(checkJsonSchema(inputSchema, value)),
    run: (value, context) => run(value as InputOf<Schema>, context),
  };
}

function inputSchemaOf(name: string, input: InputSchema): JsonSchema {
  const schema = isStandardSchema(input) ? convert(name, input) : input;
  if (!isRecord(schema) || (schema['type'] !== undefined && schema['type'] !== 'object')) {
    throw new SightlineError(
      'input',
      `The input of tool "${name}" must be an object schema ({ "type": "object", … }).`,
    );
  }
  const union = ['oneOf', 'anyOf', 'allOf'].find((word) => word in schema);
  if (union !== undefined) {
    throw new SightlineError(
      'input',
      `The input of tool "${name}" must not be a union (${union}) at its top; some APIs refuse that.`,
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

function convert(name: string, input: StandardSchema): Record<string, unknown> {
  const { jsonSchema, vendor } = input['~standard'];
  if (jsonSchema) return jsonSchema.input({ target: 'draft-2020-12' });
  const older = zod3Schema(input);
  if (older) return older;
  const converter = converters.get(vendor) ?? `the JSON Schema converter of ${vendor}`;
  throw new SightlineError(
    'input',
    `The input schema of tool "${name}" (${vendor}) offers no JSON Schema. Use ${converter}, or give plain JSON Schema.`,
  );
}
