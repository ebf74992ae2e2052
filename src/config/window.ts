// `[window]`, `[images]` and `[limits]` → what requests may carry, how closely pictures are looked at, and the ceilings
// of reading. Names are those of the library's options, written with underscores.
import type { Detail } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import type { MediaPolicy } from '../window/plan-types.ts';
import { sightPolicy, wrongSight } from '../window/sight-policy.ts';
import type { SightPolicy } from '../window/sight-policy.ts';
import { onlyKnown, wrong } from './wrong.ts';

export type WindowSettings = MediaPolicy & { budget?: { tokens?: number; bytes?: number; images?: number } };

/** `never` keeps every picture at home: models get words. */
export type ImageSettings = { detail?: Detail; never?: boolean };

type Table = Record<string, unknown>;

const counts = {
  images_to_keep: 'imagesToKeep', // how many of the newest pictures stay; older ones become words, in batches
  max_images_per_message: 'maxImagesPerMessage', // pictures of one message or result that are shown; 10 unless set
  max_image_tokens: 'maxImageTokens', // the most tokens of one picture; a larger one is made smaller, or named in words
  batch: 'batch', // how many pictures leave at once; what costs least unless set
} as const;
const budgets = {
  max_tokens: 'tokens', // tokens of a request, below the model's window
  max_bytes: 'bytes', // bytes of a request
  max_images: 'images', // pictures in a request
} as const;
const choices = [
  'strict', // true keeps exactly images_to_keep, and the prompt cache is lost on every turn
  'unchanged', // "note": a picture equal to the one before it becomes words; "send" unless set
  'tiles', // "careful" cuts a picture whose writing a model would see below 6 px, "auto" below 9 px, "off" none; "careful" unless set
  'legibility', // "thrifty" makes a picture with writing as small as its letters allow; "full" unless set
  'pages', // pages of a PDF for models that take pictures but no PDF: "picture", "picture+text" or "text"; unless set, pictures, and their words too if letters are small
];

export function windowTable(value: unknown, file: string): WindowSettings {
  const table = tableOf(value, file, 'window');
  onlyKnown(table, [...Object.keys(counts), ...Object.keys(budgets), ...choices], file, 'window');
  const { strict, unchanged } = table;
  if (strict !== undefined && typeof strict !== 'boolean') throw wrong(file, 'window.strict', 'true or false');
  if (unchanged !== undefined && unchanged !== 'send' && unchanged !== 'note')
    throw wrong(file, 'window.unchanged', '"send" or "note"');
  const budget = numbers(table, budgets, file);
  return {
    ...numbers(table, counts, file),
    ...(strict !== undefined && { strict }),
    ...(unchanged !== undefined && { unchanged }),
    ...sightTable(table, file, 'window'),
    ...(Object.keys(budget).length > 0 && { budget }),
  };
}

/** How pictures with writing go to a model, or to all. */
export function sightTable(table: Table, file: string, at: string): SightPolicy {
  const trouble = wrongSight(table);
  if (trouble) throw wrong(file, `${at}.${trouble.name}`, trouble.words);
  return sightPolicy(table);
}

function numbers<Name extends string>(
  table: Table,
  names: Record<string, Name>,
  file: string,
): { [Key in Name]?: number } {
  const found: { [Key in Name]?: number } = {};
  for (const [key, name] of Object.entries(names)) {
    const value = table[key];
    if (value === undefined) continue;
    const none = name === 'imagesToKeep' && value === 0;
    if (!isCount(value) && !none)
      throw wrong(file, `window.${key}`, `a whole number ${name === 'imagesToKeep' ? 'of 0 or more' : 'above 0'}`);
    found[name] = value;
  }
  return found;
}

const details: readonly unknown[] = ['low', 'high', 'original', 'auto'] satisfies Detail[];

export function isDetail(value: unknown): value is Detail {
  return details.includes(value);
}

const imageKeys = [
  'detail', // low, high, original or auto, for all models
  'never', // true sends no picture, PDF or video to models, only words; a project cannot undo it
];

/** `[images]`, or `images = "never"` for short. */
export function imageTable(value: unknown, file: string): ImageSettings {
  if (value === 'never') return { never: true };
  const table = tableOf(value, file, 'images');
  onlyKnown(table, imageKeys, file, 'images');
  const { detail, never } = table;
  if (detail !== undefined && !isDetail(detail)) throw wrong(file, 'images.detail', 'low, high, original or auto');
  if (never !== undefined && typeof never !== 'boolean') throw wrong(file, 'images.never', 'true or false');
  return { ...(detail !== undefined && { detail }), ...(never !== undefined && { never }) };
}

/** Ceilings by the library's names. Which there are, whoever reads files knows. */
export function limitTable(value: unknown, file: string): Record<string, number> {
  const rows = Object.entries(tableOf(value, file, 'limits')).map(([key, limit]): [string, number] => {
    if (!isCount(limit)) throw wrong(file, `limits.${key}`, 'a whole number above 0');
    return [key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), limit];
  });
  return Object.fromEntries(rows);
}

function tableOf(value: unknown, file: string, key: string): Table {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, key, 'a table');
  return value;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
