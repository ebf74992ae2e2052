// `sightline/fetch`: one line under the SDK you already have.
export type { Budget } from '../window/budget.ts';
export type { ProfileOverrides } from '../window/profile.ts';
export type { Action, Receipt } from '../window/receipt.ts';
export { sightlineFetch } from './fetch.ts';
export type { FetchOptions } from './fetch.ts';
