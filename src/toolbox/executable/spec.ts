// What an executable says about itself. `--toolspec` prints one spec or several; each is checked before any model hears
// of it, because one bad schema can make an API refuse every tool of a request.
import { isRecord } from '../../content/json.ts';
import { SightlineError } from '../../content/refusal.ts';
import type { JsonSchema } from '../../tool/schema.ts';
import type { ToolSpec } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { flagName } from './flags.ts';
import { lastJson } from './json-in-text.ts';
import { limits } from './limits.ts';

/** What a program says of itself when it is asked with `--toolspec`. */
export type ExecutableSpec = ToolSpec & {
  /** How the arguments travel: as flags, or as JSON on stdin. */
  input: 'flags' | 'json';
  /** The first word of the command line, for a file that holds several tools. */
  subcommand?: string;
  /** The time limit it asks for. */
  seconds?: number;
  needsAuth?: true;
  /** How many calls may run at once. */
  concurrency?: number;
  category?: string;
  tags?: string[];
};

type Specs = { ok: true; specs: ExecutableSpec[] } | { ok: false; faults: string[] };

type Fields = Record<string, unknown>;

/** What `--toolspec` printed → specs, or every reason why not. `stated` holds for what a spec leaves out. */
export function parseSpecs(output: string, stated: Readonly<Fields> = {}): Specs {
  const found = lastJson(output);
  if (!found) {
    const head = output.trim().slice(0, 80);
    return fail([`--toolspec must print JSON; it printed ${head === '' ? 'nothing' : `"${head}"`}`]);
  }
  const list = Array.isArray(found.value) ? found.value : [found.value];
  if (list.length === 0) return fail(['--toolspec printed an empty list']);
  if (list.length > limits.specsPerFile) {
    return fail([`--toolspec printed ${list.length} specs; a file may hold ${limits.specsPerFile}`]);
  }
  const parsed = list.map((item: unknown) =>
    isRecord(item) ? parseSpec({ ...stated, ...item }) : fail(['a spec must be an object']),
  );
  const faults = parsed.flatMap((one) => (one.ok ? [] : one.faults));
  if (faults.length > 0) return fail(faults);
  const specs = parsed.flatMap((one) => (one.ok ? one.specs : []));
  const twice = specs.find((spec, at) => specs.findIndex(({ name }) => name === spec.name) < at);
  return twice ? fail([`it has two tools named "${twice.name}"`]) : { ok: true, specs };
}

function fail(faults: string[]): { ok: false; faults: string[] } {
  return { ok: false, faults };
}

function parseSpec(spec: Fields): Specs {
  const { name, description } = spec;
  const schema = spec['input_schema'] ?? spec['inputSchema'] ?? spec['parameters'];
  const input = spec['input'] ?? 'flags';
  const called = typeof name === 'string' && name !== '' ? `"${name}"` : 'a spec';
  const faults: string[] = [];
  if (typeof name !== 'string') faults.push('"name" is missing');
  if (typeof description !== 'string' || description.trim() === '') faults.push('"description" is missing');
  if (!isRecord(schema)) faults.push('"input_schema" is missing (a JSON Schema of type "object")');
  else faults.push(...schemaFaults(schema, input === 'flags'));
  if (input !== 'flags' && input !== 'json') faults.push('"input" must be "flags" or "json"');
  faults.push(...optionFaults(spec));
  if (faults.length > 0) return fail(faults.map((fault) => `${called}: ${fault}`));
  try {
    const tool = defineTool({
      name: name as string,
      description: description as string,
      input: schema as JsonSchema,
      run: () => undefined,
    });
    const { inputSchema } = tool;
    return {
      ok: true,
      specs: [
        {
          name: tool.name,
          description: tool.description,
          inputSchema,
          input: input as 'flags' | 'json',
          ...optionsOf(spec),
        },
      ],
    };
  } catch (error) {
    if (!(error instanceof SightlineError)) throw error;
    return fail([error.message]);
  }
}

function optionFaults(spec: Fields): string[] {
  const rules: [string, (value: unknown) => boolean, string][] = [
    ['_subcommand', (value) => typeof value === 'string' && /^[A-Za-z0-9_][\w.-]*$/.test(value), 'one word'],
    ['timeout', (value) => typeof value === 'number' && value > 0, 'a number of seconds above 0'],
    ['long_running', (value) => typeof value === 'boolean', 'true or false'],
    ['requires_auth', (value) => typeof value === 'boolean', 'true or false'],
    ['max_concurrency', (value) => Number.isInteger(value) && Number(value) > 0, 'a whole number above 0'],
    ['category', (value) => typeof value === 'string', 'a string'],
    ['tags', (value) => Array.isArray(value) && value.every((tag) => typeof tag === 'string'), 'a list of strings'],
  ];
  return rules.flatMap(([key, holds, expected]) =>
    spec[key] === undefined || spec[key] === null || holds(spec[key]) ? [] : [`"${key}" must be ${expected}`],
  );
}

function optionsOf(spec: Fields): Partial<ExecutableSpec> {
  const { _subcommand: subcommand, category, tags, max_concurrency: concurrency } = spec;
  const seconds = spec['timeout'] ?? (spec['long_running'] === true ? limits.mostMs / 1000 : undefined);
  return {
    ...(typeof subcommand === 'string' && { subcommand }),
    ...(typeof seconds === 'number' && { seconds: Math.min(seconds, limits.mostMs / 1000) }),
    ...(spec['requires_auth'] === true && { needsAuth: true }),
    ...(typeof concurrency === 'number' && { concurrency }),
    ...(typeof category === 'string' && { category }),
    ...(Array.isArray(tags) && tags.length > 0 && { tags: tags as string[] }),
  };
}

const types = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);

function schemaFaults(schema: Fields, asFlags: boolean): string[] {
  const { properties = {}, required = [] } = schema;
  if (!isRecord(properties)) return ['"input_schema.properties" must be an object'];
  const faults = Object.entries(properties).flatMap(([key, property]) => {
    if (!isRecord(property)) return [`the parameter "${key}" must be a schema`];
    const named = property['type'] === undefined ? [] : [property['type']].flat();
    const wrong = named.find((type) => typeof type !== 'string' || !types.has(type));
    const bad = wrong === undefined ? [] : [`the parameter "${key}" has the unknown type ${JSON.stringify(wrong)}`];
    return asFlags && !flagName.test(key)
      ? [...bad, `the parameter "${key}" cannot be a flag; rename it or say "input": "json"`]
      : bad;
  });
  if (!Array.isArray(required)) return [...faults, '"input_schema.required" must be a list'];
  const missing = required.filter((key) => typeof key !== 'string' || !Object.hasOwn(properties, key));
  faults.push(...missing.map((key) => `"required" names ${JSON.stringify(key)}, which is no parameter`));
  const reference = referenceFault(schema, schema, { open: new Set(['#']), done: new Set() }, 0);
  return reference === undefined ? faults : [...faults, reference];
}

type Walk = { open: Set<string>; done: Set<string> };

const maxDepth = 64;

/** A schema that refers to itself, to nothing, or to another file is refused by some APIs. */
function referenceFault(node: unknown, root: Fields, walk: Walk, depth: number): string | undefined {
  if (depth > maxDepth) return 'its schema is nested too deeply';
  if (Array.isArray(node)) return firstFault(node, root, walk, depth);
  if (!isRecord(node)) return undefined;
  const reference = node['$ref'];
  if (typeof reference === 'string') {
    if (walk.open.has(reference)) return `its schema refers to itself ("$ref": "${reference}"), which some APIs refuse`;
    if (!walk.done.has(reference)) {
      const target = pointed(reference, root);
      if (target === undefined) return `its schema refers to "${reference}", which is not in it`;
      walk.open.add(reference);
      const fault = referenceFault(target, root, walk, depth + 1);
      if (fault !== undefined) return fault;
      walk.open.delete(reference);
      walk.done.add(reference);
    }
  }
  return firstFault(Object.values(node), root, walk, depth);
}

function firstFault(nodes: readonly unknown[], root: Fields, walk: Walk, depth: number): string | undefined {
  for (const node of nodes) {
    const fault = referenceFault(node, root, walk, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function pointed(reference: string, root: Fields): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, step) => (isRecord(at) ? at[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      root,
    );
}
