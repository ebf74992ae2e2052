// The input schema of a foreign tool as every API takes it: one object at its top; the server still checks what it is given.
// Many servers list a field with a default as required, although it may be left out.
import { isRecord } from '../content/json.ts';
import { oneObject } from '../tool/schema.ts';
import type { JsonSchema } from '../tool/schema.ts';

export function inputSchemaOf(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, required, ...rest } = oneObject(schema);
  const properties = isRecord(rest['properties']) ? rest['properties'] : {};
  const needed = Array.isArray(required) ? required.filter((name) => !hasDefault(properties[String(name)])) : [];
  return { ...rest, type: 'object', properties, ...(needed.length > 0 && { required: needed }) };
}

function hasDefault(field: unknown): boolean {
  return isRecord(field) && 'default' in field;
}
