// What an option of a request must be, for those who are told one by hand: a program, a settings file.
import type { RequestOptions } from './plan-types.ts';

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value);
const isAbove = (value: unknown): boolean => isWhole(value) && Number(value) > 0;
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
  temperature: [isWithin(0, Infinity), 'a number from 0 on'],
  topP: [isWithin(0, 1), 'a number from 0 to 1'],
  topK: [isAbove, 'a whole number above 0'],
  seed: [isWhole, 'a whole number'],
  stop: [(value) => Array.isArray(value) && value.every(isWord), 'a list of words'],
  verbosity: [isOneOf('low', 'medium', 'high'), 'low, medium or high'],
  thinking: [isOneOf('off', 'low', 'medium', 'high', 'max'), 'off, low, medium, high or max'],
  user: [isWord, 'a word'],
  json: [isFlag, 'true or false'],
  parallelCalls: [isFlag, 'true or false'],
  citations: [isFlag, 'true or false'],
};

/** The first option that is not what it must be, and what that is. */
export function wrongOption(options: Readonly<Record<string, unknown>>): { name: string; words: string } | undefined {
  for (const [name, [fits, words]] of Object.entries(rules))
    if (options[name] !== undefined && !fits(options[name])) return { name, words };
  return undefined;
}
