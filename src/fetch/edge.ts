// `sightline/fetch` for edge workers and browsers: nothing but web standards, so that a bundle needs nothing from outside.
import { fetchOver } from './fetch.ts';
import type { FetchOptions } from './fetch.ts';
import { bareWorkshop } from './workshop.ts';

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
export function edgeFetch(options?: FetchOptions): typeof fetch {
  const repairing = fetchOver(bareWorkshop, options);
  return (input, init) => repairing(input, init);
}

export { edgeFetch as sightlineFetch };
