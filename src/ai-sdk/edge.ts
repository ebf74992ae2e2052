// `sightline/ai-sdk` for edge workers and browsers: the middleware alone, of web standards, so that a bundle needs nothing from outside.
import { bareWorkshop } from '../fetch/workshop.ts';
import { middlewareOver } from './middleware.ts';
import type { MiddlewareOptions } from './middleware.ts';
import type { LanguageModelV4Middleware } from './types.ts';

export type { Budget } from '../window/budget.ts';
export type { ProfileOverrides } from '../window/profile.ts';
export type { Action, Receipt } from '../window/receipt.ts';
export type { Carrier } from '../window/rules.ts';
export type { MiddlewareOptions } from './middleware.ts';

/**
 * Makes the middleware. Use one for all models of a program. A prompt without media is left as it is.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai.chat('gpt-4.1'), middleware: sightlineMiddleware() });
 */
export function edgeMiddleware(options?: MiddlewareOptions): LanguageModelV4Middleware {
  return middlewareOver(bareWorkshop, options);
}

export { edgeMiddleware as sightlineMiddleware };
