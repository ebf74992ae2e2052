// What an endpoint says about its own models: it refines what the catalog knows. Lists are kept for a day, in memory and,
// when a folder is given, in a file there. What providers complained about is remembered as long as the process lives.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { missingInCloud } from '../../config/clouds.ts';
import { keyVariables } from '../../config/environment.ts';
import type { Access } from '../../config/environment.ts';
import { isRecord } from '../../content/json.ts';
import { refuse, SightlineError } from '../../content/refusal.ts';
import { digest } from '../../content/text.ts';
import type { Read } from '../../content/refusal.ts';
import { endpoints, isEndpoint } from '../../window/catalog.ts';
import type { EndpointName } from '../../window/catalog.ts';
import { bothStated } from '../../window/profile.ts';
import type { ProfileOverrides } from '../../window/profile.ts';
import type { Dialect } from '../../window/rules.ts';
import { wires } from '../../wire/registry.ts';
import { baseOf, missingAddress } from '../address.ts';
import { accessGiven, authHeaders } from '../auth.ts';
import type { KeyGiven } from '../auth.ts';
import { readErrorBody } from '../heal/error-body.ts';
import type { Fetch } from '../http/http.ts';
import { nodeFetch } from '../http/http.ts';
import { listingOf, overridesOf, rowsOf } from './listing.ts';
import type { Listed } from './listing.ts';
import { redact } from '../redact.ts';
import { writePrivately } from '../../config/system.ts';

/** Where and how an endpoint is asked for its models. */
export type DiscoverOptions = Access & {
  signal?: AbortSignal;
  fetch?: Fetch;
  /** Keeps the lists in a file there. */
  folder?: string;
  /** Asks again, whatever is remembered. */
  refresh?: boolean;
  /** How long to wait for an answer; 5 seconds unless set. */
  timeoutMs?: number;
};

/** How a server is asked. */
type Asking = Pick<DiscoverOptions, 'signal' | 'fetch' | 'timeoutMs'>;

type Kept = { at: number; models: Listed[] };

const day = 24 * 60 * 60 * 1000;
const patienceMs = 5000;
const memory = new Map<string, Kept>();

/**
 * All models of an endpoint. A server that is not there, or a missing key, is a refusal; an endpoint that nobody knows
 * throws.
 *
 * @example
 * const models = await discover('ollama');
 * if (models.ok) console.log(models.value.map(({ model }) => model));
 */
export async function discover(endpoint: EndpointName, options: DiscoverOptions = {}): Promise<Read<Listed[]>> {
  if (!isEndpoint(endpoint))
    throw new SightlineError(
      'config',
      `There is no endpoint "${String(endpoint)}". Give one of these: ${Object.keys(endpoints).join(', ')}.`,
    );
  const { name, keyless, unlisted } = endpoints[endpoint];
  const { baseUrl, apiVersion } = options;
  const access = {
    ...(await accessGiven(name, options)),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiVersion !== undefined && { apiVersion }),
  };
  const base = baseOf(name, access);
  const lacking = access.key === undefined && access.token === undefined ? missingInCloud(name) : [];
  if (lacking.length > 0 && options.baseUrl === undefined)
    return refuse('not-allowed', `${name} cannot be asked yet`, `Set ${lacking.join(' and ')}.`);
  const variable = missingAddress(name, base);
  if (variable !== undefined)
    return refuse('not-found', `${name} has no address`, `Set ${variable}, or give its base URL.`);
  if (!unlisted && keyless !== true && access.key === undefined && access.token === undefined)
    return refuse('not-allowed', `There is no key for ${name}`, `Set ${keyVariables(name)[0]}.`);
  if (unlisted)
    return refuse('unsupported', `${name} lists no models at its address`, `Name one, such as ${unlisted}.`);
  const kept = options.refresh ? undefined : ((await recall(base, options.folder)) ?? undefined);
  if (kept) return { ok: true, value: kept.models };
  const listing = listingOf(name);
  const found = await ask(placeOf(listing.path, base), name, access, options);
  if (!found.ok) return found;
  const models = rowsOf(found.value).flatMap((row) => listing.read(row) ?? []);
  const refined = listing.about ? await each(models, name, access, options) : models;
  await keep(base, { at: Date.now(), models: refined }, options.folder);
  return { ok: true, value: refined };
}

/** Servers that tell more when they are asked about one model; a few at a time. */
async function each(models: readonly Listed[], endpoint: string, access: Access, options: Asking): Promise<Listed[]> {
  const out: Listed[] = [];
  for (let at = 0; at < models.length; at += 8) {
    const some = models.slice(at, at + 8).map(async ({ id, overrides }) => {
      const more = overrides.capabilities ? {} : await askAbout(endpoint, id, access, options);
      return { id, overrides: { ...overrides, ...more } };
    });
    out.push(...(await Promise.all(some)));
  }
  return out;
}

/** What a server on this machine says about the one model that it is asked for. */
async function askAbout(
  endpoint: string,
  id: string,
  access: Access,
  options: Asking,
): Promise<ProfileOverrides | undefined> {
  const { about } = listingOf(endpoint);
  if (!about) return undefined;
  const told = await ask(placeOf(about.path, baseOf(endpoint, access)), endpoint, access, options, about.body?.(id));
  return told.ok && isRecord(told.value) ? overridesOf(about.read(told.value)) : undefined;
}

/** A path that begins with a slash begins at the root of the server. */
function placeOf(path: string, base: string): string {
  return path.startsWith('/') ? new URL(path, base).href : `${base}/${path}`;
}

/** Where a model is, and with whose key it is asked. */
type Whose = KeyGiven & { baseUrl?: string };

const learned = new Map<string, ProfileOverrides>();

/** What is known about a model beyond the catalog: what complaints taught, what its server says, what the user says. The
 * user's word goes over the others. */
export async function refine(
  model: string,
  options: Whose & { profile?: ProfileOverrides; fetch?: Fetch; signal?: AbortSignal; send?: unknown },
): Promise<ProfileOverrides | undefined> {
  const endpoint = model.slice(0, model.indexOf('/')).toLowerCase();
  const key = keyOf(model, options.baseUrl);
  const asked = options.send === undefined && listingOf(endpoint).about !== undefined;
  if (asked && !learned.has(key)) {
    const { baseUrl } = options;
    const access = { ...(await accessGiven(endpoint, options)), ...(baseUrl !== undefined && { baseUrl }) };
    const told = await askAbout(endpoint, model.slice(endpoint.length + 1), access, options);
    if (told) remember(key, told);
  }
  const [known, ofAccount] = [learned.get(key), learned.get(keyOf(model, options.baseUrl, options))];
  return known || ofAccount ? bothStated(bothStated(known, ofAccount), options.profile) : options.profile;
}

/** What one account may not have, and another may. */
const ofAccounts: ReadonlySet<string> = new Set<keyof Dialect>(['unstreamed', 'unsummarised']);

/** Remembers what a complaint taught, for every run of this process; what this one `stated` itself concerns no other. */
export function learn(
  model: string,
  options: Whose,
  told: ProfileOverrides | undefined,
  stated: ProfileOverrides = {},
): void {
  if (!told) return;
  const habits = Object.entries(newIn(told.dialect, stated.dialect));
  const some = (ofAccount: boolean): ProfileOverrides => ({
    dialect: Object.fromEntries(habits.filter(([name]) => ofAccounts.has(name) === ofAccount)),
  });
  const capabilities = newIn(told.capabilities, stated.capabilities);
  remember(keyOf(model, options.baseUrl), { ...newIn(told, stated), capabilities, ...some(false) });
  if (habits.some(([name]) => ofAccounts.has(name))) remember(keyOf(model, options.baseUrl, options), some(true));
}

/** So much is remembered at most; of what is more, the oldest is learned again. */
const mostLearned = 10_000;

function remember(key: string, taught: ProfileOverrides): void {
  const all = bothStated(learned.get(key), taught);
  learned.delete(key);
  learned.set(key, all);
  const [oldest] = learned.keys();
  if (learned.size > mostLearned && oldest !== undefined) learned.delete(oldest);
}

function newIn<Fields extends object>(told: Fields | undefined, stated: Partial<Fields> = {}): Partial<Fields> {
  const rows = Object.entries(told ?? {}).filter(([name, value]) => value !== stated[name as keyof Fields]);
  return Object.fromEntries(rows) as Partial<Fields>;
}

/** With the key, as far as that is known without asking for it. */
function keyOf(model: string, baseUrl = '', { key, apiKey }: KeyGiven = {}): string {
  const secret = key ?? apiKey;
  return `${model} ${baseUrl} ${typeof secret === 'string' ? digest(secret) : ''}`;
}

async function ask(
  url: string,
  endpoint: string,
  access: Access,
  options: Asking,
  body?: object,
): Promise<Read<unknown>> {
  const late = AbortSignal.timeout(options.timeoutMs ?? patienceMs);
  const signal = options.signal ? AbortSignal.any([options.signal, late]) : late;
  const { route } = wires[endpoints[endpoint as EndpointName].wire];
  const text = body && JSON.stringify(body);
  const secrets = [access.key, access.token].filter((secret) => secret !== undefined);
  try {
    const response = await (options.fetch ?? nodeFetch)(url, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...route.headers?.(),
        ...authHeaders(endpoint, new URL(url), access),
        ...(text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
      },
      ...(text && { body: new Blob([text]).stream() }),
      signal,
      redirect: 'manual',
      duplex: 'half',
    });
    const answer = await boundedText(response);
    if (answer === undefined)
      return refuse('too-large', `What ${endpoint} lists is too large`, 'Check its address.', `${mostBytes} bytes`);
    if (response.ok) return { ok: true, value: JSON.parse(answer) as unknown };
    const { message } = readErrorBody(answer);
    return refuse(
      'not-allowed',
      `${endpoint} answered ${response.status}: ${redact(message, secrets)}`,
      'Check its key and address.',
    );
  } catch (error) {
    const why = error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
    return refuse(
      'not-found',
      `${endpoint} cannot be reached (${redact(why, secrets)})`,
      'Start it, or check its address.',
    );
  }
}

/** The longest list that is read; the longest there is has less than one. */
const mostBytes = 16 * 1024 * 1024;

/** The text of an answer; nothing when it is longer than any list of models is. */
async function boundedText({ body }: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const fileName = 'models.json';

async function recall(base: string, folder: string | undefined): Promise<Kept | undefined> {
  const kept = memory.get(base) ?? (folder === undefined ? undefined : (await readKept(folder))[base]);
  if (!kept || Date.now() - kept.at > day) return undefined;
  memory.set(base, kept);
  return kept;
}

/** Several endpoints are asked side by side: their lists are written one after the other, so that none is lost. */
let writing: Promise<void> = Promise.resolve();

async function keep(base: string, kept: Kept, folder: string | undefined): Promise<void> {
  memory.set(base, kept);
  if (folder === undefined) return;
  writing = writing.then(() => write(base, kept, folder)).catch(() => undefined); // what is not kept is asked for again
  await writing;
}

async function write(base: string, kept: Kept, folder: string): Promise<void> {
  const all = { version: 1, lists: { ...(await readKept(folder)), [base]: kept } };
  writePrivately(join(folder, fileName), JSON.stringify(all));
}

/** The file is a cache: what cannot be read in it is asked for again. */
async function readKept(folder: string): Promise<Record<string, Kept>> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder, fileName), 'utf8'));
    const lists = isRecord(value) && value['version'] === 1 && isRecord(value['lists']) ? value['lists'] : {};
    const whole = Object.entries(lists).filter(([, kept]) => isRecord(kept) && Array.isArray(kept['models']));
    return Object.fromEntries(whole) as Record<string, Kept>;
  } catch {
    return {};
  }
}
