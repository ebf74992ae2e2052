// Plain JSON as the judges see it: what a body is after it went through the network, not what it was in memory.

export type JsonObject = { [key: string]: Json };
export type Json = null | boolean | number | string | Json[] | JsonObject;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of an array; of anything else, nothing: whether it should have been an array is the schema's question. */
export function items(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The JSON a server would read, so `undefined` fields vanish and bytes left in memory are seen as what they become. */
export function asSent(body: unknown): Json {
  return parseJson(JSON.stringify(body ?? null));
}

export function parseJson(text: string): Json {
  const parsed: Json = JSON.parse(text);
  return parsed;
}

/** One JSON pointer further down. */
export function below(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The text of a string; of anything else, none. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
