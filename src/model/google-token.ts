// Tokens of Google Cloud in the name of whoever the files or the machine say: a service account signs a statement, a person
// has a token that renews, a machine is asked who it is. One is used until shortly before it expires.
import { sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { googleCredentialsPath, googleMetadataHost } from '../config/google.ts';
import { isRecord, parsed } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import { digest } from '../content/text.ts';
import type { Fetch } from './http/http.ts';

type GoogleCredentials = Readonly<Record<string, unknown>>;
type KnownToken = { token: string; expires: number };

const scope = 'https://www.googleapis.com/auth/cloud-platform';
const tokenAddress = 'https://oauth2.googleapis.com/token';

/** Tokens that are still good, by whose they are and where they came from. */
const known = new Map<string, KnownToken>();

/** A token that is good for five more minutes at least. Throws, in a sentence, when there is none to be had. */
export async function googleToken(fetch: Fetch, now: number, given?: AbortSignal): Promise<string> {
  const path = googleCredentialsPath();
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const credentials = text === undefined ? undefined : parsed(text);
  const owner = `${path} ${googleMetadataHost()} ${digest(text ?? '')}`;
  const last = known.get(owner);
  if (last && last.expires - 5 * 60_000 > now) return last.token;
  const signal = AbortSignal.any([AbortSignal.timeout(30_000), ...(given ? [given] : [])]);
  const answer = isRecord(credentials)
    ? await askForToken(credentials, fetch, now, signal)
    : await askMachine(fetch, signal);
  const { access_token: token, expires_in: seconds } = answer;
  if (typeof token !== 'string') throw noToken('the answer holds none');
  known.set(owner, { token, expires: now + (typeof seconds === 'number' ? seconds : 0) * 1000 });
  return token;
}

async function askForToken(
  credentials: GoogleCredentials,
  fetch: Fetch,
  now: number,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const field = (name: string): string => (typeof credentials[name] === 'string' ? credentials[name] : '');
  const address = field('token_uri') || tokenAddress;
  if (credentials['type'] === 'service_account') {
    const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const assertion = statement(field('client_email'), field('private_key'), address, now);
    return await asked(fetch, address, signal, { grant_type: grant, assertion });
  }
  if (credentials['type'] === 'authorized_user') {
    const names = ['client_id', 'client_secret', 'refresh_token'];
    const form = Object.fromEntries(names.map((name) => [name, field(name)]));
    return await asked(fetch, address, signal, { ...form, grant_type: 'refresh_token' });
  }
  throw noToken(`credentials of the type ${JSON.stringify(credentials['type'])} are not known here`);
}

/** What a service account says of itself, signed with its key, for an hour. */
export function statement(email: string, key: string, audience: string, now: number): string {
  const issued = Math.floor(now / 1000);
  const claims = { iss: email, scope, aud: audience, exp: issued + 3600, iat: issued };
  const words = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${words}.${signed(words, key)}`;
}

function signed(words: string, key: string): string {
  try {
    return sign('RSA-SHA256', Buffer.from(words), key).toString('base64url');
  } catch {
    throw noToken('the "private_key" of its service account is no whole key; its line breaks may have been lost');
  }
}

async function asked(
  fetch: Fetch,
  address: string,
  signal: AbortSignal,
  form: Record<string, string>,
): Promise<Record<string, unknown>> {
  const body = new TextEncoder().encode(new URLSearchParams(form).toString());
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
  const stream = new Blob([body]).stream();
  return read(
    await fetch(address, { method: 'POST', headers, body: stream, signal, redirect: 'manual', duplex: 'half' }),
  );
}

function noMachine(): never {
  throw noToken('there are no credentials on this machine');
}

async function askMachine(fetch: Fetch, signal: AbortSignal): Promise<Record<string, unknown>> {
  const url = `http://${googleMetadataHost()}/computeMetadata/v1/instance/service-accounts/default/token`;
  const soon = AbortSignal.any([signal, AbortSignal.timeout(5000)]);
  const headers = { 'metadata-flavor': 'Google' };
  const answer = await fetch(url, { method: 'GET', headers, signal: soon, redirect: 'manual', duplex: 'half' }).catch(
    noMachine,
  );
  return read(answer);
}

async function read(answer: Response): Promise<Record<string, unknown>> {
  const said = parsed(await answer.text());
  const fields = isRecord(said) ? said : {};
  if (answer.ok) return fields;
  const why = [fields['error_description'], fields['error']].find((words) => typeof words === 'string');
  throw noToken(why ?? `status ${answer.status}`);
}

function noToken(why: string): SightlineError {
  const next =
    'Log in with "gcloud auth application-default login", name the file of a service account in GOOGLE_APPLICATION_CREDENTIALS, or give "token".';
  return new SightlineError('config', `Google Cloud gave no token: ${why.replace(/\.$/, '')}. ${next}`);
}
