// The arguments of the shipped tools: their schemas in short, and their values once the schema has been checked.
import type { JsonSchema } from '../tool/schema.ts';

export type Given = Readonly<Record<string, unknown>>;

export const string = (description: string): JsonSchema => ({ type: 'string', description });
export const integer = (description: string, bounds: JsonSchema = {}): JsonSchema => ({
  type: 'integer',
  ...bounds,
  description,
});
export const number = (description: string, bounds: JsonSchema = {}): JsonSchema => ({
  type: 'number',
  ...bounds,
  description,
});
export const flag = (description: string): JsonSchema => ({ type: 'boolean', description });

/** A part of a picture or a page. */
export const regionSchema = (description: string): JsonSchema => ({
  type: 'object',
  description,
  properties: {
    x: integer('Left edge'),
    y: integer('Upper edge'),
    width: integer('Width', { minimum: 1 }),
    height: integer('Height', { minimum: 1 }),
  },
  required: ['x', 'y', 'width', 'height'],
});

/** The schema of an object with these properties. */
export function object(properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function textAt(given: Given, key: string): string | undefined {
  const value = given[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberAt(given: Given, key: string): number | undefined {
  const value = given[key];
  return typeof value === 'number' ? value : undefined;
}

export function regionAt(
  given: Given,
  key = 'region',
): { x: number; y: number; width: number; height: number } | undefined {
  const value = given[key];
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Given;
  const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((name) => numberAt(fields, name));
  return { x, y, width, height };
}
