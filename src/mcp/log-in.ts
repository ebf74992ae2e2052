// A person in, a login at a server over HTTP out: the server says whom to ask, her browser asks, and what comes back is
// exchanged for tokens (authorization code with PKCE; the redirect comes back to this machine).
import { packageVersion } from '../config/package.ts';
import { SightlineError } from '../content/refusal.ts';
import { boundedFetch, knocking } from './bounded-fetch.ts';
import { loadClient } from './client-library.ts';
import { problemOf } from './connection.ts';
import { awaitCallback, newLogin } from './login.ts';

const maxAnswerBytes = 1024 * 1024;

type LogInOptions = {
  file: string;
  /** What the server wants to see of everybody. */
  headers?: Readonly<Record<string, string>>;
  signal: AbortSignal;
  ask: (address: URL) => void;
};

/** Lets a person allow us to use a server; `open` when it asks for nothing. Throws a `SightlineError` when it fails. */
export async function logIn(url: string, { file, headers = {}, signal, ask }: LogInOptions): Promise<'open' | 'done'> {
  const library = await loadClient();
  const callback = await awaitCallback();
  const { redirectUrl, state } = callback;
  const transport = new library.StreamableHTTPClientTransport(new URL(url), {
    authProvider: newLogin(file, { url, redirectUrl, state, ask }),
    fetch: boundedFetch(maxAnswerBytes, knocking(url, headers)),
  });
  const client = new library.Client({ name: 'sightline', version: packageVersion() });
  try {
    const isOpen = await client.connect(transport, { signal }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof library.UnauthorizedError) return false; // the person has been asked by now
        throw error;
      },
    );
    if (isOpen) return 'open';
    await transport.finishAuth(await callback.arrived(signal));
    return 'done';
  } catch (error) {
    throw loginFailed(url, error);
  } finally {
    await callback.close();
    await client.close().catch(() => undefined);
  }
}

function loginFailed(url: string, error: unknown): SightlineError {
  const why = problemOf(error).replace(/[\s:.]+$/, '');
  const next = 'Try again, or put a token of the server into its headers: Authorization = "Bearer ${TOKEN}".';
  return new SightlineError('protocol', `The login at ${new URL(url).host} failed: ${why}. ${next}`, { cause: error });
}
