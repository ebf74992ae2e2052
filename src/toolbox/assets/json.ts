// `query_json`: parts of a large JSON result by a path, without the rest of it.
import { isRecord } from '../../content/json.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { grouped } from '../../media/limits.ts';
import { assetName } from '../../tool/known-assets.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { integer, numberAt, object, string, textAt } from '../argument.ts';
import { follow, parsePath } from './json-path.ts';
import type { AssetToolOptions } from './lookup.ts';
import { lookUp, storeOf } from './lookup.ts';
import { room, wordsOf } from './text.ts';

const perCall = 100;

export function queryJsonTool(options: AssetToolOptions): Tool {
  return defineTool({
    name: 'query_json',
    effect: 'read',
    description:
      'Look up parts of a JSON asset by a path, such as rows[0].name, rows[*].id, rows[10:20], ..name (at any depth), ' +
      'rows[?price>100] (also = != < <= >= and ~ for contains), rows | length, rows[0] | keys. ' +
      'Begin with "| keys" to see what there is.',
    input: object(
      {
        asset: string('The name of the asset, such as ab12cd34'),
        path: string('What to look up; empty for the whole value'),
        offset: integer('How many results to pass over', { minimum: 0 }),
        limit: integer('How many results to show', { minimum: 1 }),
      },
      'asset',
      'path',
    ),
    run: async (given, context) => {
      const found = lookUp(textAt(given, 'asset') ?? '', options, context);
      if (!found.ok) return found;
      const steps = parsePath(textAt(given, 'path') ?? '');
      if (!steps.ok) return steps;
      const text = await wordsOf(found.value, storeOf(options, context), context.signal);
      if (!text.ok) return text;
      const value = parse(text.value, assetName(found.value.asset));
      if (!value.ok) return value;
      const results = follow(value.value, steps.value);
      if (!results.ok) return results;
      const offset = numberAt(given, 'offset') ?? 0;
      return show(results.value, offset, numberAt(given, 'limit') ?? perCall, given['path']);
    },
  });
}

/** JSON, or one JSON value on each line. */
function parse(text: string, name: string): Read<unknown> {
  const whole = attemptJson(text);
  if (whole) return { ok: true, value: whole.value };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const parsed = lines.length < 2 ? [undefined] : lines.map(attemptJson);
  if (parsed.every((line) => line !== undefined)) return { ok: true, value: parsed.map((line) => line.value) };
  return refuse('unsupported', `${name} is not JSON`, 'Call read_asset_text with grep instead.');
}

function attemptJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function show(results: readonly unknown[], offset: number, limit: number, path: unknown): string {
  if (results.length === 0) return `Nothing lies at ${JSON.stringify(path)}. Ask for "| keys" to see what there is.`;
  const texts: string[] = [];
  let used = 0;
  for (const value of results.slice(offset, offset + limit)) {
    const text = shortened(value);
    used += text.length + 1;
    if (used > room && texts.length > 0) break;
    texts.push(text);
  }
  if (results.length === 1 && texts.length === 1) return texts[0] ?? '';
  const last = offset + texts.length;
  const next = last < results.length ? ` Use offset=${last} to continue.` : '';
  const range = texts.length === 0 ? 'No results here' : `Results ${offset + 1}-${last}`;
  return [`[${range} of ${grouped(results.length)}.${next}]`, ...texts].join('\n');
}

/** A value as JSON; one that is too long as what it consists of. */
function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length <= room) return text;
  const size = `${grouped(text.length)} characters of JSON`;
  if (Array.isArray(value)) return `[a list of ${grouped(value.length)} items, ${size}; ask for some of them: [0:10]]`;
  if (!isRecord(value)) return `[a text of ${size}; call read_asset_text]`;
  const keys = Object.keys(value);
  const shown = keys.slice(0, 200).map((key) => JSON.stringify(key.slice(0, 100)));
  const more = keys.length > shown.length ? `, and ${grouped(keys.length - shown.length)} more` : '';
  return `[an object of ${size} with the fields ${shown.join(', ')}${more}]`;
}
