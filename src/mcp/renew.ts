// `fetch` for a server over HTTP that somebody has logged in to. A token that is refused gives way to the one that came in
// meanwhile, of this program or another, or else to a new one: calls that are refused at once share it, because what
// a new token is asked with counts only once.
import type { SiteFetch } from './bounded-fetch.ts';
import type { ClientLibrary, LoginProvider } from './client-library.ts';

/** What is asked for now, by the file of its login. */
const asked = new Map<string, Promise<boolean>>();

type Login = { file: string; url: string; provider: LoginProvider };

export function renewing(library: ClientLibrary, { file, url, provider }: Login, base: SiteFetch): SiteFetch {
  const held = async (): Promise<string | undefined> => (await provider.tokens())?.access_token;
  const renew = async (response: Response): Promise<boolean> => {
    const { resourceMetadataUrl, scope } = library.extractWWWAuthenticateParams(response);
    const about = { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
    return (await library.auth(provider, { serverUrl: url, ...about, fetchFn: base })) === 'AUTHORIZED';
  };
  return async (address, init) => {
    const response = await base(address, init);
    const headers = new Headers(init?.headers);
    const refused = headers.get('authorization')?.replace(/^Bearer /, '');
    if (response.status !== 401 || refused === undefined) return response;
    if ((await held()) === refused) {
      const renewal = asked.get(file) ?? renew(response).finally(() => asked.delete(file));
      asked.set(file, renewal);
      if (!(await renewal.catch(() => false))) return response; // the library asks once more, and says what is wrong
    }
    const token = await held();
    if (token === undefined) return response;
    await response.body?.cancel();
    headers.set('authorization', `Bearer ${token}`);
    return await base(address, { ...init, headers });
  };
}
