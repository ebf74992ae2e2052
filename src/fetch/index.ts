// `sightline/fetch`: one line under the SDK you already have.
import { fetchOver } from './fetch.ts';
import type { FetchOptions } from './fetch.ts';
import { sendStreamed } from './send-streamed.ts';
import { wholeWorkshop } from './whole-workshop.ts';

export type { Budget } from '../window/budget.ts';
export type { ProfileOverrides } from '../window/profile.ts';
export type { Action, Receipt } from '../window/receipt.ts';
export type { Carrier } from '../window/rules.ts';
export type { FetchOptions } from './fetch.ts';

/**
 * Makes the fetch. Use one for all requests of a program: what it has seen before costs it almost nothing.
 *
 * @example
 * const client = new OpenAI({ fetch: sightlineFetch() });
 */
export function sightlineFetch(options?: FetchOptions): typeof fetch {
  const forgetsLength = 'Deno' in globalThis; // of a stream; some servers take nothing without one
  const repairing = fetchOver(wholeWorkshop, options, forgetsLength ? undefined : sendStreamed);
  return (input, init) => repairing(input, init);
}
