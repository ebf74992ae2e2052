// Fields of JSON that came from outside: what is there is looked at before it is believed.
export type Fields = Record<string, unknown>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text, which a notebook may write as a list of its lines. */
export function textAt(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}
