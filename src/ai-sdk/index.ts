// `sightline/ai-sdk`: every model of the AI SDK sees what its tools return.
import { wholeWorkshop } from '../fetch/whole-workshop.ts';
import { middlewareOver } from './middleware.ts';
import type { MiddlewareOptions } from './middleware.ts';
import type { LanguageModelV4Middleware } from './types.ts';

export type { Budget } from '../window/budget.ts';
export type { ProfileOverrides } from '../window/profile.ts';
export type { Action, Receipt } from '../window/receipt.ts';
export type { Carrier } from '../window/rules.ts';
export type { MiddlewareOptions } from './middleware.ts';
export { createSightline } from './provider.ts';
export type { SightlineProvider, SightlineSettings } from './provider.ts';

/**
 * Makes the middleware. Use one for all models of a program. A prompt without media is left as it is.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai.chat('gpt-4.1'), middleware: sightlineMiddleware() });
 */
export function sightlineMiddleware(options?: MiddlewareOptions): LanguageModelV4Middleware {
  return middlewareOver(wholeWorkshop, options);
}
