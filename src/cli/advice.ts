// What to do about a run that failed: a provider says what is wrong, and seldom what helps.
import { modelNamed, readSettings } from '../config/config.ts';
import { keyVariables } from '../config/environment.ts';
import type { MessageError } from '../message/error.ts';
import { meantModels } from './model.ts';

/** How the person chooses another model, where she is. */
type Way = { other: '-m' | '/model'; lists: string };

export const inAsk: Way = { other: '-m', lists: '"sightline models" lists those that can be reached.' };
export const inChat: Way = { other: '/model', lists: '/model lists them.' };

/** Nothing where the words of the error say it themselves. */
export function adviceFor(error: MessageError, model: string, { other, lists }: Way): string | undefined {
  const { code, status, retryable } = error;
  switch (code) {
    case 'auth':
      return status === undefined ? undefined : `Check ${keyOf(model)}, and that it may use this model.`;
    case 'not-found':
      return `${meantModels(model) ?? 'Check the name of the model and the address.'} ${lists}`;
    case 'rate-limited':
      return retryable
        ? `Wait a little and ask again, or choose another model with ${other}.`
        : `Look at your plan and your bill there, or choose another model with ${other}.`;
    case 'overloaded':
    case 'server':
    case 'timed-out':
    case 'cut-off':
    case 'malformed':
      return `Ask again later, or choose another model with ${other}.`;
    case 'context':
      return other === '/model'
        ? '/compact sums up what was said so far; /model chooses a model with a larger window.'
        : 'Attach less, or choose a model with a larger window with -m.';
    case 'too-large':
      return 'Attach less, or smaller files.';
    case 'invalid':
    case 'media':
    case 'reference':
    case 'signature':
      return status === undefined ? undefined : '"sightline inspect" shows what was sent.';
    case 'aborted':
    case 'network':
    case 'redirected':
    case 'spent':
    case 'output':
      return undefined;
  }
}

/** What the person calls a model, among these names of hers. */
export function nameAmong(model: string, names: readonly string[]): string {
  return names.find((name) => modelNamed(name, readSettings()).model === model) ?? model;
}

function keyOf(name: string): string {
  const { model, key } = modelNamed(name, readSettings());
  const [variable] = keyVariables(model.split('/', 1)[0] ?? '');
  if (key !== undefined) return 'its key, which api_key_env in config.toml names';
  return variable === undefined ? 'the key' : `the key in ${variable}`;
}
