// Arguments of a call → words of a command line, so that each value can be told from every other:
//   a string                    --key text         (--key=text when it is empty or begins with a dash)
//   a number                    --key 1.5
//   true, false                 --key, --no-key    (false is left out where the schema says that it is the default)
//   an array or an object       --key '["a",1]'    as JSON
//   where several types fit     --key null         as JSON; text that is no JSON stands for itself
//   null                        is left out where it is the default, as is null for a parameter that knows none
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { isRecord } from '../../content/json.ts';
import type { JsonSchema } from '../../tool/schema.ts';
import { limits } from './limits.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What may be a flag: nothing in it can be taken for a value or for an option of the protocol. */
export const flagName: RegExp = /^(?!toolspec$|authorize$|no-)[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** The input as words of a command line. */
export function flagsOf(input: Fields, schema: JsonSchema): Read<string[]> {
  const words: string[] = [];
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const flag = flagOf(key, value, propertyOf(schema, key));
    const long = flag.find((word) => Buffer.byteLength(word) > limits.argumentBytes);
    const json = 'Give less, or have the tool take its input as JSON ("input": "json" in its spec).';
    if (long !== undefined) {
      return refuse(
        'too-large',
        `The argument "${key}" is too long for a command line`,
        json,
        `${limits.argumentBytes} bytes`,
      );
    }
    if (flag.some((word) => word.includes('\0'))) {
      return refuse(
        'unsupported',
        `The argument "${key}" holds a NUL character, which no command line can carry`,
        json,
      );
    }
    words.push(...flag);
  }
  return { ok: true, value: words };
}

function flagOf(key: string, value: unknown, property: JsonSchema): string[] {
  const types = typesOf(property);
  const isDefault = 'default' in property && property['default'] === value;
  if (value === null) return isDefault ? [] : [`--${key}`, 'null'];
  if (typeof value === 'boolean' && types.length === 1) {
    if (value) return [`--${key}`];
    return isDefault ? [] : [`--no-${key}`];
  }
  const isPlain = typeof value === 'string' && !(types.length !== 1 && isJson(value));
  return pair(key, isPlain ? value : JSON.stringify(value));
}

/** A value that could be taken for a flag, or for nothing, is tied to its key. */
function pair(key: string, text: string): string[] {
  return text === '' || text.startsWith('-') ? [`--${key}=${text}`] : [`--${key}`, text];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The types a property names; none when it names them in another way. */
function typesOf(property: JsonSchema): string[] {
  return [property['type']].flat().filter((type) => typeof type === 'string');
}

function propertyOf(schema: JsonSchema, key: string): JsonSchema {
  const properties = schema['properties'];
  const property = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isRecord(property) ? property : {};
}
