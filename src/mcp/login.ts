// Logins at servers over HTTP: what was agreed with one lies in a file of its own, readable by its owner alone. It is
// used for the address it was made for and for no other, whatever else bears the server's name.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../content/json.ts';
import { isToken } from '../model/guard.ts';
import { listen } from '../model/listen.ts';
import type { LoginProvider } from './client-library.ts';
import { writePrivately } from '../config/system.ts';

type Saved = {
  url: string;
  redirectUrl: string;
  client?: Awaited<ReturnType<LoginProvider['clientInformation']>>;
  tokens?: Awaited<ReturnType<LoginProvider['tokens']>>;
};

/** The file of a server's login. */
export function loginFile(folder: string, name: string): string {
  return join(folder, `${encodeURIComponent(name)}.json`);
}

export function forgetLogin(file: string): void {
  rmSync(file, { force: true });
}

/** What goes along with requests to this address; nothing when nobody has logged in there. */
export function savedLogin(file: string, url: string): LoginProvider | undefined {
  const saved = read(file);
  if (saved?.url !== url || !saved.tokens) return undefined;
  return providerOf(file, saved, { ask: () => undefined, again: true }); // nobody is there to be asked: the server's 401 stands
}

/** A new login for a person who is there: `ask` shows her the address where she allows it. */
export function newLogin(
  file: string,
  { url, redirectUrl, state, ask }: { url: string; redirectUrl: string; state: string; ask: (address: URL) => void },
): LoginProvider {
  return providerOf(file, { url, redirectUrl }, { ask, state });
}

type Asking = {
  ask: (address: URL) => void;
  state?: string;
  /** The file is read again for each request: another program may have renewed what is in it. */
  again?: true;
};

function providerOf(file: string, saved: Saved, { ask, state, again }: Asking): LoginProvider {
  let verifier = '';
  let discovery: Awaited<ReturnType<NonNullable<LoginProvider['discoveryState']>>>;
  let [used, refused]: (string | undefined)[] = [];
  const newest = (): Saved => {
    const stored = again && read(file);
    const isNews = stored?.url === saved.url && stored.tokens && stored.tokens.access_token !== refused;
    return isNews ? Object.assign(saved, stored) : saved;
  };
  const keep = (change: Partial<Saved>): void => {
    Object.assign(saved, change);
    if (saved.tokens) write(file, saved);
  };
  return {
    redirectUrl: saved.redirectUrl,
    clientMetadata: {
      client_name: 'Sightline',
      redirect_uris: [saved.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    ...(state !== undefined && { state: () => state }),
    clientInformation: () => newest().client,
    saveClientInformation: (client) => keep({ client }),
    tokens: (toRenew) => {
      const { tokens } = newest();
      if (toRenew) used = tokens?.access_token;
      return tokens;
    },
    saveTokens: (tokens) => keep({ tokens }),
    redirectToAuthorization: ask,
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (given) => {
      discovery = given;
    },
    discoveryState: () => discovery,
    invalidateCredentials: (what) => {
      if (what === 'all' || what === 'client') delete saved.client;
      if (what !== 'all' && what !== 'tokens') return;
      refused = used;
      if (newest().tokens?.access_token === refused) delete saved.tokens; // others came in meanwhile
    },
  };
}

function read(file: string): Saved | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const isSaved = isRecord(value) && typeof value['url'] === 'string' && typeof value['redirectUrl'] === 'string';
    return isSaved ? (value as Saved) : undefined;
  } catch {
    return undefined; // there is none, or none that can be read: the person logs in anew
  }
}

function write(file: string, saved: Saved): void {
  writePrivately(file, JSON.stringify(saved));
}

type Callback = {
  redirectUrl: string;
  state: string;
  /** What the browser brings back; rejects when that takes too long. */
  arrived: (signal: AbortSignal) => Promise<URLSearchParams>;
  close: () => Promise<void>;
};

/** Waits on this machine alone for the browser to come back; an answer to another question is none. */
export async function awaitCallback(): Promise<Callback> {
  const state = randomBytes(24).toString('base64url');
  const arrived = Promise.withResolvers<URLSearchParams>();
  const { port, close } = await listen(
    { host: '127.0.0.1', methods: ['GET'], maxBytes: 0, byRedirect: true },
    {
      handle: ({ url }) => {
        const { pathname, searchParams } = new URL(url);
        const isOurs = pathname === '/callback' && isToken(searchParams.get('state') ?? '', state);
        if (!isOurs) return plain(404, 'Nothing here.');
        arrived.resolve(searchParams);
        return plain(200, 'Done. You can close this page and go back to the terminal.');
      },
      turnAway: ({ status, message, headers }) => plain(status, message, headers),
    },
  );
  return {
    redirectUrl: `http://127.0.0.1:${port}/callback`,
    state,
    arrived: (signal) => {
      signal.addEventListener('abort', () => arrived.reject(new Error('nobody came back from the browser in time')));
      return arrived.promise;
    },
    close,
  };
}

function plain(status: number, words: string, headers: Record<string, string> = {}): Response {
  return new Response(`${words}\n`, { status, headers: { ...headers, connection: 'close' } });
}
