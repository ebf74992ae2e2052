// What an option of a request must be, for those who are told one by hand: a program, a settings file.
import { efforts } from './rules.ts';
import { toJsonText } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import type { MediaPolicy, RequestOptions } from './plan-types.ts';

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value);
const isAbove = (value: unknown): boolean => isWhole(value) && Number(value) > 0;
const isCount = (value: unknown): boolean => isWhole(value) && Number(value) >= 0;
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isWord = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isWithin =
  (low: number, high: number) =>
  (value: unknown): boolean =>
    typeof value === 'number' && value >= low && value <= high;
const isOneOf =
  (...words: readonly string[]) =>
  (value: unknown): boolean =>
    words.includes(value as string);

type CheckedOption = Exclude<keyof RequestOptions, 'toolChoice' | 'output'>;

const rules: { readonly [Name in CheckedOption]: readonly [fits: (value: unknown) => boolean, words: string] } = {
  maxTokens: [isAbove, 'a whole number above 0'],
  temperature: [isWithin(0, Infinity), 'a number of 0 or more'],
  topP: [isWithin(0, 1), 'a number from 0 to 1'],
  topK: [isAbove, 'a whole number above 0'],
  seed: [isWhole, 'a whole number'],
  stop: [(value) => Array.isArray(value) && value.every(isWord), 'a list of words'],
  verbosity: [isOneOf('low', 'medium', 'high'), 'low, medium or high'],
  thinking: [isOneOf(...efforts), 'off, low, medium, high, xhigh or max'],
  user: [isWord, 'a word'],
  json: [isFlag, 'true or false'],
  parallelCalls: [isFlag, 'true or false'],
  citations: [isFlag, 'true or false'],
};

type CountPolicy = Pick<MediaPolicy, 'imagesToKeep' | 'batch' | 'maxImagesPerMessage' | 'maxImageTokens'>;

const counts: { readonly [Name in keyof CountPolicy]-?: readonly [fits: (value: unknown) => boolean, words: string] } =
  {
    imagesToKeep: [isCount, 'a whole number of 0 or more'],
    batch: [isAbove, 'a whole number above 0'],
    maxImagesPerMessage: [isCount, 'a whole number of 0 or more'],
    maxImageTokens: [isAbove, 'a whole number above 0'],
  };

/** The first option that is not what it must be, and what that is. */
export function wrongOption(options: Readonly<Record<string, unknown>>): { name: string; words: string } | undefined {
  return wrongIn(rules, options);
}

function wrongIn(
  all: { readonly [name: string]: readonly [fits: (value: unknown) => boolean, words: string] },
  options: Readonly<Record<string, unknown>>,
): { name: string; words: string } | undefined {
  for (const [name, [fits, words]] of Object.entries(all))
    if (options[name] !== undefined && !fits(options[name])) return { name, words };
  return undefined;
}

/** The first number about pictures that is none, and what it must be. */
export function wrongCount(options: Readonly<Record<string, unknown>>): { name: string; words: string } | undefined {
  return wrongIn(counts, options);
}

/** How many pictures a caller wishes, without what is not set; throws for what is no such number. */
export function countPolicy({ imagesToKeep, batch, maxImagesPerMessage, maxImageTokens }: CountPolicy): CountPolicy {
  const given = { imagesToKeep, batch, maxImagesPerMessage, maxImageTokens };
  const trouble = wrongCount(given);
  if (trouble) {
    const wrong: unknown = given[trouble.name as keyof CountPolicy];
    const value = typeof wrong === 'number' ? String(wrong) : toJsonText(wrong);
    throw new SightlineError('input', `"${trouble.name}" is ${value}, and must be ${trouble.words}.`);
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
