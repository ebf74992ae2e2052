// `sightline/ai-sdk`: every model of the AI SDK sees what its tools return.
export type { Budget } from '../window/budget.ts';
export type { ProfileOverrides } from '../window/profile.ts';
export type { Action, Receipt } from '../window/receipt.ts';
export type { Carrier } from '../window/rules.ts';
export { sightlineMiddleware } from './middleware.ts';
export type { MiddlewareOptions } from './middleware.ts';
export { createSightline } from './provider.ts';
export type { SightlineProvider, SightlineSettings } from './provider.ts';
