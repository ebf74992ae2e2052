// The input schema of a foreign tool as every API takes it: an object at its top. A union there, which some APIs refuse,
// becomes one object with the fields of all its branches; the server still checks what it is given. Many servers list a
// field with a default as required, although it may be left out.
import { isRecord } from '../content/json.ts';
import type { JsonSchema } from '../tool/schema.ts';

const unions = ['oneOf', 'anyOf', 'allOf'] as const;

export function inputSchemaOf(schema: JsonSchema): JsonSchema {
  const { $schema: _dialect, oneOf: _one, anyOf: _any, allOf: _all, required, ...rest } = schema;
  const branches = unions.flatMap((word) => {
    const listed = schema[word];
    return Array.isArray(listed) ? listed.filter(isRecord) : [];
  });
  const fields = [...branches, schema].map((branch) => branch['properties']).filter(isRecord);
  const properties = Object.assign({}, ...fields) as Record<string, unknown>;
  const needed = Array.isArray(required) ? required.filter((name) => !hasDefault(properties[String(name)])) : [];
  return { ...rest, type: 'object', properties, ...(needed.length > 0 && { required: needed }) };
}

function hasDefault(field: unknown): boolean {
  return isRecord(field) && 'default' in field;
}
