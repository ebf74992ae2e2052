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
  /** What has no place at the model that answers: sent without and told, or refused. */
  carry: 'tell' | 'refuse';
  /** How many bytes of requests are read at once, in MiB; others wait. */
  uploadsMib: number;
  /** Who may ask, by name. Without any, on this machine alone, everybody may. */
  keys: Readonly<Record<string, KeySettings>>;
};

/** A key of the gateway: what it may use and spend. */
export type KeySettings = {
  /** `sha256:` and the hash of the key. */
  hash: string;
  /** The names that it may ask for, or patterns with `*`; all of them unless set. */
  routes?: readonly string[];
  /** US dollars. */
  budget?: number;
  per: 'day' | 'month' | 'ever';
  requestsPerMinute?: number;
  /** Whose key goes to the provider: the gateway's, or the one that the client sent, to its own vendor alone. */
  upstream: 'gateway' | 'client';
};

const keys = [
  'host', // what it listens on; 127.0.0.1 unless set
  'port', // 4141 unless set
  'default', // the model for unknown names
  'routes', // names for models: house = ["anthropic/claude-sonnet-5", "openai/gpt-5.2"]
  'origins', // web pages that may call, such as "https://app.example.com"
  'carry', // options that a model does not have: "tell" (sent without them, with a receipt) or "refuse"
  'uploads_mib', // MiB of requests that are read at once, others wait; 24 unless set
  'keys', // who may ask, see below
  'body_mib', // MiB that one request may have; 64 unless set
];

/** Undefined fields were not set: the gateway knows what is usual. */
export function serveTable(value: unknown, file: string): Partial<ServeSettings> {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, 'serve', 'a table');
  onlyKnown(value, keys, file, 'serve');
  const { host, port, default: otherwise, routes, origins, body_mib: bodyMib, uploads_mib: uploadsMib, carry } = value;
  if (host !== undefined && typeof host !== 'string') throw wrong(file, 'serve.host', 'a string');
  if (port !== undefined && !isPort(port)) throw wrong(file, 'serve.port', 'a port from 0 to 65535');
  if (otherwise !== undefined && typeof otherwise !== 'string')
    throw wrong(file, 'serve.default', 'the name of a model');
  if (origins !== undefined && !(isTexts(origins) && origins.every(isOrigin)))
    throw wrong(
      file,
      'serve.origins',
      'a list of origins such as ["https://app.example.com"], without a path or the usual port',
    );
  if (bodyMib !== undefined && !(typeof bodyMib === 'number' && bodyMib > 0))
    throw wrong(file, 'serve.body_mib', 'a number above 0');
  if (carry !== undefined && carry !== 'tell' && carry !== 'refuse')
    throw wrong(file, 'serve.carry', '"tell" or "refuse"');
  if (uploadsMib !== undefined && !(typeof uploadsMib === 'number' && uploadsMib > 0))
    throw wrong(file, 'serve.uploads_mib', 'a number above 0');
  return {
    ...(uploadsMib !== undefined && { uploadsMib }),
    ...(value['keys'] !== undefined && { keys: keyTable(value['keys'], file) }),
    ...(carry !== undefined && { carry }),
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(otherwise !== undefined && { default: otherwise }),
    ...(routes !== undefined && { routes: routeTable(routes, file) }),
    ...(origins !== undefined && { origins }),
    ...(bodyMib !== undefined && { bodyMib }),
  };
}

const keyKeys = [
  'hash', // "sha256:…", as `sightline serve key NAME` prints it; must be given
  'routes', // the names that it may ask for, or patterns such as "claude-haiku-*"; all unless set
  'budget', // US dollars; models without known prices are then refused
  'per', // "day", "month" or "ever": how long the budget is for; "month" unless set
  'requests_per_minute', // how often it may ask
  'upstream', // "gateway" sends your keys to providers; "client" sends the client's own key, to its vendor only
];

function keyTable(value: unknown, file: string): Record<string, KeySettings> {
  if (!isRecord(value)) throw wrong(file, 'serve.keys', 'a table such as [serve.keys.alice]');
  return Object.fromEntries(
    Object.entries(value).map(([name, row]) => [name, keyRow(row, file, `serve.keys.${name}`)]),
  );
}

function keyRow(row: unknown, file: string, at: string): KeySettings {
  if (!isRecord(row)) throw wrong(file, at, 'a table');
  onlyKnown(row, keyKeys, file, at);
  const { hash, routes, budget, per = 'month', requests_per_minute: pace, upstream = 'gateway' } = row;
  if (typeof hash !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(hash))
    throw wrong(file, `${at}.hash`, '"sha256:…" with 64 hexadecimal digits');
  if (routes !== undefined && !isTexts(routes)) throw wrong(file, `${at}.routes`, 'a list of names');
  if (budget !== undefined && !(typeof budget === 'number' && budget >= 0))
    throw wrong(file, `${at}.budget`, 'an amount of dollars');
  if (per !== 'day' && per !== 'month' && per !== 'ever') throw wrong(file, `${at}.per`, '"day", "month" or "ever"');
  if (pace !== undefined && !(typeof pace === 'number' && pace > 0))
    throw wrong(file, `${at}.requests_per_minute`, 'a number above 0');
  if (upstream !== 'gateway' && upstream !== 'client') throw wrong(file, `${at}.upstream`, '"gateway" or "client"');
  return {
    hash,
    per,
    upstream,
    ...(routes !== undefined && { routes }),
    ...(budget !== undefined && { budget }),
    ...(pace !== undefined && { requestsPerMinute: pace }),
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

/** As browsers write who asks, without the usual port: a page is let in only where it is the very same text. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return text === 'null' || (!text.includes('*') && url?.host !== '' && `${url?.protocol}//${url?.host}` === text);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
