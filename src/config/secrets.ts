// All secrets that this process holds, and the one function that keeps them out of what it says: keys and tokens of the
// environment, keys of the settings, what is handed to MCP servers and tools. A file that cannot be read holds none.
import { isRecord } from '../content/json.ts';
import { settingsFiles } from './config.ts';
import type { Environment } from './environment.ts';
import {
  secretForms,
  longestFirst,
  plainSecret,
  secretIn,
  secretsOfEnvironment,
  withoutSecrets,
} from './secret-names.ts';

/** Every secret that is known, the longest first, so that one inside another leaves nothing behind. */
export function knownSecrets(environment: Environment = process.env, folder?: string): string[] {
  const ofFiles = filesOf(environment, folder).flatMap(({ table }) => secretsIn(table, environment));
  return longestFirst([...secretsOfEnvironment(environment), ...ofFiles]);
}

function filesOf(environment: Environment, folder: string | undefined): ReturnType<typeof settingsFiles> {
  try {
    return settingsFiles(environment, folder);
  } catch {
    return []; // who reads the settings says what is wrong with them
  }
}

/** The secrets of a table: by the name of a value, and whatever servers and tools are handed. */
function secretsIn(value: unknown, environment: Environment, name = '', table = ''): string[] {
  if (typeof value === 'string' && name === 'api_key_env') return [environment[value] ?? ''];
  if (typeof value === 'string' && table === 'headers') return [plainSecret(value), ...namedIn(value, environment)];
  if (typeof value === 'string') return table === 'env' ? [plainSecret(value)] : secretIn(name, value);
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, environment, name));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, environment, key, name));
}

/** What the variables hold that a header names. */
function namedIn(header: string, environment: Environment): string[] {
  return [...header.matchAll(/\$\{(\w+)\}/g)].map(([, variable = '']) => environment[variable] ?? '');
}

/** What no word of this process may say; looked up before the first one. */
let known: readonly string[] | undefined;

/** Text as it may leave this process: the one function that stands before every output. */
export function hide(text: string): string {
  return withoutSecrets(text, (known ??= knownSecrets()));
}

/** The settings may be others from here on. */
export function forgetSecrets(): void {
  known = undefined;
}

/** Takes text that comes in parts, gives what of it may leave, and says whether something was hidden. */
export type HidingStream = { add: (part: string) => string; end: () => string; found: () => boolean };

/** The same for text that comes in parts: what may be the beginning of a secret waits for the next part. */
export function hidingStream(secrets: readonly string[] = (known ??= knownSecrets())): HidingStream {
  const forms = secrets.flatMap(secretForms);
  let held = '';
  let hasFound = false;
  return {
    found: () => hasFound,
    add: (part) => {
      const text = withoutSecrets(held + part, secrets);
      hasFound ||= text !== held + part;
      const open = Math.max(0, ...forms.map((form) => openEnd(text, form)));
      held = text.slice(text.length - open);
      return text.slice(0, text.length - open);
    },
    end: () => {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** How many characters at the end of a text are the beginning of this one. */
function openEnd(text: string, form: string): number {
  for (let length = Math.min(text.length, form.length - 1); length > 0; length--)
    if (text.endsWith(form.slice(0, length))) return length;
  return 0;
}

/** The sentence that warns of settings with a key in them that others on this machine can read; none is fine. */
export function exposedKey(environment: Environment = process.env, folder?: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const open = filesOf(environment, folder).find(
    ({ own, mode, table }) => own && (mode & 0o077) !== 0 && secretsIn(table, {}).some((value) => value !== ''),
  );
  if (!open) return undefined;
  const mode = (open.mode & 0o777).toString(8);
  return `${open.file} holds a key, and others on this machine may read it (mode ${mode}). Run: chmod 600 ${open.file}`;
}
