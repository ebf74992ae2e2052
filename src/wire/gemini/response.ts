// What a function answered, as the object that Gemini wants and as the text that it is here: both directions, because one
// has to give back what the other took.
import { deeperThan, isRecord, parsed, toJsonText } from '../../content/json.ts';
import { readMediaNote } from '../../content/words.ts';
import { string } from '../fields.ts';
import type { Fields } from '../fields.ts';

/** Google reads JSON up to about a hundred levels, of which each of ours takes two. */
const mostLevels = 20;

/** Notes of media that travel beside a response stand under this key of its object, so that it stays one. */
const attached = 'attached';

function isNotes(value: unknown): value is string {
  return typeof value === 'string' && value.split('\n').every((line) => readMediaNote(line, 'attached'));
}

/** The text of a response; `output` and `error`, where they stand alone, are nothing but a frame. */
export function responseText(given: Fields): string {
  const { [attached]: notes, ...rest } = given;
  if (isNotes(notes)) return `${responseText(rest)}\n${notes}`;
  const [only, ...more] = Object.entries(given);
  if (!only) return '';
  const [key, value] = only;
  const framed = more.length === 0 && (key === 'output' || key === 'error');
  return framed ? (string(value) ?? toJsonText(value)) : toJsonText(given);
}

export function isFailure(given: Fields): boolean {
  return 'error' in given;
}

/** In a response this key points at a medium beside it; in words it is only a word. */
const reference = '"$ref"';

/** The response that says a text: an object as itself where the text spells one and would be read out of it again. */
export function responseOf(text: string, isError: boolean): { [key: string]: unknown } {
  const lines = text.split('\n');
  const notes = lines.slice(lines.findLastIndex((line) => !readMediaNote(line, 'attached')) + 1);
  if (notes.length === 0 || notes.length === lines.length) return objectOf(text, isError);
  const object = objectOf(lines.slice(0, -notes.length).join('\n'), isError);
  const whole = { ...object, [attached]: notes.join('\n') };
  return attached in object || responseText(whole) !== text || isFrame(object) ? objectOf(text, isError) : whole;
}

function isFrame(object: { [key: string]: unknown }): boolean {
  return Object.keys(object).length === 1 && ('output' in object || 'error' in object);
}

function objectOf(text: string, isError: boolean): { [key: string]: unknown } {
  const framed = (value: unknown): { [key: string]: unknown } => (isError ? { error: value } : { output: value });
  const value = /^[[{]/.test(text) && !text.includes(reference) ? parsed(text) : undefined;
  const forms = value === undefined || deeperThan(value, mostLevels) ? [] : [value, framed(value)];
  const found = forms.find((form) => isRecord(form) && isFailure(form) === isError && responseText(form) === text);
  return isRecord(found) ? found : framed(text);
}
