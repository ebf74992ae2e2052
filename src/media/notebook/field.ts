// Fields of JSON that came from outside: what is there is looked at before it is believed.
/** A text, which a notebook may write as a list of its lines. */
export function notebookText(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}
