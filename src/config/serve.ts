// `[serve]` → what `sightline serve` listens on and under which names models are had there.
import { isRecord } from '../content/json.ts';
import { onlyKnown, wrong } from './wrong.ts';

/** How the gateway is served. */
export type ServeSettings = {
  host: string;
  port: number;
  /** For names that nobody knows. */
  default?: string;
  /** A name, or a pattern with `*`, and the models behind it: the next when one cannot be had. */
  routes: Readonly<Record<string, readonly string[]>>;
  /** Web pages that may call. */
  origins: readonly string[];
  /** The most that one request may hold, in MiB. */
  bodyMib: number;
};

const keys = [
  'host', // what it listens on; 127.0.0.1 unless set
  'port', // 4141 unless set
  'default', // the model for names that nobody knows
  'routes', // names for models: house = ["anthropic/claude-sonnet-5", "openai/gpt-5.2"]
  'origins', // web pages that may call, such as "https://app.example.com"
  'body_mib', // the most that one request may hold; 64 unless set
];

/** Undefined fields were not set: the gateway knows what is usual. */
export function serveTable(value: unknown, file: string): Partial<ServeSettings> {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, 'serve', 'a table');
  onlyKnown(value, keys, file, 'serve');
  const { host, port, default: otherwise, routes, origins, body_mib: bodyMib } = value;
  if (host !== undefined && typeof host !== 'string') throw wrong(file, 'serve.host', 'a string');
  if (port !== undefined && !isPort(port)) throw wrong(file, 'serve.port', 'a port from 0 to 65535');
  if (otherwise !== undefined && typeof otherwise !== 'string')
    throw wrong(file, 'serve.default', 'the name of a model');
  if (origins !== undefined && !isTexts(origins)) throw wrong(file, 'serve.origins', 'a list of strings');
  if (bodyMib !== undefined && !(typeof bodyMib === 'number' && bodyMib > 0))
    throw wrong(file, 'serve.body_mib', 'a number above 0');
  return {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(otherwise !== undefined && { default: otherwise }),
    ...(routes !== undefined && { routes: routeTable(routes, file) }),
    ...(origins !== undefined && { origins }),
    ...(bodyMib !== undefined && { bodyMib }),
  };
}

function routeTable(value: unknown, file: string): Record<string, readonly string[]> {
  if (!isRecord(value)) throw wrong(file, 'serve.routes', 'a table');
  const rows = Object.entries(value).map(([name, models]): [string, readonly string[]] => {
    const list: unknown = typeof models === 'string' ? [models] : models;
    if (!isTexts(list) || list.length === 0)
      throw wrong(file, `serve.routes.${name}`, 'a model, or a list of them such as ["openai/gpt-5.2"]');
    return [name, list];
  });
  return Object.fromEntries(rows);
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
