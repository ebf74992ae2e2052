// `sightline/executable`: a tool as a program of its own, for those who write one in TypeScript or JavaScript. It
// answers `--toolspec`, `--authorize` and calls; what the function returns is printed so that pictures stay pictures.
import { encodeBase64 } from '../../content/base64.ts';
import { isRecord } from '../../content/json.ts';
import { isGenerator, lastYielded } from '../../tool/generator.ts';
import type { JsonSchema, StandardSchema } from '../../tool/schema.ts';
import type { InputOf, Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';

export { png } from './png.ts';
export type { Colour } from './png.ts';

/** What the input of an executable may be described by. */
export type ExecutableInput = StandardSchema | JsonSchema;

/** An executable that is a tool: what it is called, what it takes, what it does. */
export type ExecutableDefinition<Input extends ExecutableInput> = {
  name: string;
  description: string;
  /** A Standard Schema that knows its JSON Schema (zod 4), or plain JSON Schema. */
  input: Input;
  /** Seconds a call may take; 60 when left out. */
  timeout?: number;
  category?: string;
  tags?: readonly string[];
  /** Asked by `sightline tools auth`; throw, or return false, when the tool may not work yet. */
  authorize?: () => unknown;
  /** What it returns is shown to the model: text, bytes (a picture, a PDF), or JSON with bytes anywhere in it. What a generator yields is progress. */
  run: (input: InputOf<Input>) => unknown;
};

type Definition = ExecutableDefinition<JsonSchema>;
type AuthoredTool = { tool: Tool; definition: Definition };

/**
 * Answers the command line with these tools and ends the program. What is logged goes to the person who watches.
 *
 * @example
 * executable({ name: 'today', description: 'Tells the day.', run: () => new Date().toDateString() });
 */
export function executable<const Inputs extends readonly ExecutableInput[]>(
  ...definitions: { [At in keyof Inputs]: ExecutableDefinition<Inputs[At]> }
): void {
  const parts = (definitions as unknown as Definition[]).map((definition) => {
    const { name, description, input, run } = definition; // the rest, such as a time limit, is for the spec
    return { definition, tool: defineTool({ name, description, input, run }) };
  });
  console.log = console.info = console.debug = console.error;
  void answer(parts, process.argv.slice(2)).then(({ output, failed }) =>
    process.stdout.write(output, () => process.exit(failed ? 1 : 0)),
  );
}

type Answer = { output: string | Uint8Array; failed?: boolean };

async function answer(parts: readonly AuthoredTool[], words: readonly string[]): Promise<Answer> {
  try {
    if (words.includes('--toolspec')) return json(parts.length === 1 ? parts.map(specOf)[0] : parts.map(severalSpec));
    if (words.includes('--authorize')) return json(await authorise(parts));
    const named = parts.find(({ tool }) => parts.length > 1 && tool.name === words[0]);
    const part = named ?? parts[0];
    if (!part) return failure('There is no tool in this file.');
    return await call(part.tool, named ? words.slice(1) : words);
  } catch (error) {
    console.error(error);
    return failure(error instanceof Error ? error.message : String(error));
  }
}

function specOf({ tool, definition }: AuthoredTool): Record<string, unknown> {
  const { name, description, inputSchema } = tool;
  const { timeout, category, tags, authorize } = definition;
  const options = { timeout, category, tags, ...(authorize && { requires_auth: true }) };
  return { name, description, input_schema: inputSchema, input: 'json', ...options };
}

function severalSpec(part: AuthoredTool): Record<string, unknown> {
  return { ...specOf(part), _subcommand: part.tool.name };
}

async function authorise(parts: readonly AuthoredTool[]): Promise<unknown> {
  for (const { definition } of parts) {
    if (definition.authorize && (await definition.authorize()) === false) return { success: false };
  }
  return { success: true };
}

async function call(tool: Tool, words: readonly string[]): Promise<Answer> {
  const input = words.length > 0 ? byHand(words, tool.inputSchema) : JSON.parse((await stdin()) || '{}');
  const checked = await tool.check(input);
  if (!checked.ok) return failure(checked.errors.join('; '));
  const run = tool.run as (value: unknown) => unknown;
  const given = await run(checked.value);
  const value = isGenerator(given) ? await lastYielded(given, sayStep) : given;
  if (value instanceof Uint8Array || typeof value === 'string') return { output: value };
  if (value instanceof Blob || value instanceof ArrayBuffer) return { output: await new Response(value).bytes() };
  if (value === undefined) return { output: '' };
  const plain = await plainOf(value);
  return { ...json(plain), ...(isRecord(plain) && plain['success'] === false && { failed: true }) };
}

/** What a tool yields is for the person who watches, as what it logs is. */
function sayStep(step: unknown): void {
  if (typeof step === 'string') console.error(step);
}

async function stdin(): Promise<string> {
  if (process.stdin.isTTY) return '';
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString('utf8');
}

function json(value: unknown): Answer {
  return { output: `${JSON.stringify(value)}\n` };
}

function failure(error: string): Answer {
  return { ...json({ success: false, error }), failed: true };
}

/** A value as JSON knows it; bytes become base64. */
async function plainOf(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return encodeBase64(new Uint8Array(await value.arrayBuffer()));
  if (value instanceof ArrayBuffer) return encodeBase64(new Uint8Array(value));
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (Array.isArray(value)) return await Promise.all(value.map(plainOf));
  if (!isRecord(value) || typeof value['toJSON'] === 'function') return value;
  const fields = Object.entries(value).map(async ([key, item]) => [key, await plainOf(item)] as const);
  return Object.fromEntries(await Promise.all(fields));
}

/** Flags, so that a person can try a tool: --width 3 --title Hi --no-border. */
function byHand(words: readonly string[], schema: JsonSchema): Record<string, unknown> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const typeOf = (key: string): unknown => (isRecord(properties[key]) ? properties[key]['type'] : undefined);
  const given: Record<string, unknown> = {};
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [, key = '', tied] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (key === '') throw new Error(`"${word}" is no flag; write --name value.`);
    if (!(key in properties) && typeOf(key.replace(/^no-/, '')) === 'boolean') given[key.replace(/^no-/, '')] = false;
    else if (typeOf(key) === 'boolean' && tied === undefined) given[key] = true;
    else given[key] = typeOf(key) === 'string' ? (tied ?? left.shift() ?? '') : parsed(tied ?? left.shift() ?? '');
  }
  return given;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
