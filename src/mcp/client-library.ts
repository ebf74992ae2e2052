// The only file that knows the client library, which is loaded with the first server.
import type * as Library from '@modelcontextprotocol/client';

export type ClientLibrary = typeof Library;

/** What the library asks about a login. */
export type LoginProvider = Library.OAuthClientProvider;

/** Loads the library when it is needed: most programs have no servers. */
export function loadClient(): Promise<ClientLibrary> {
  return import('@modelcontextprotocol/client');
}
