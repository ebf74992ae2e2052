// `query_json`: parts of a large JSON result, or of the rows of a table, by a jq program, without the rest of it.
import { grouped } from '../../media/limits.ts';
import { assetName } from '../../tool/known-assets.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { integer, numberAt, object, string, textAt } from '../argument.ts';
import type { AssetToolOptions } from './lookup.ts';
import { assetBytes, lookUp, storeOf } from './lookup.ts';
import { room, assetWords } from './text.ts';

const perCall = 100;

export function queryJsonTool(options: AssetToolOptions): Tool {
  return defineTool({
    name: 'query_json',
    effect: 'read',
    description:
      'Look up parts of a JSON asset with a jq program, such as .rows[0].name, .rows[10:20], .rows[] | select(.price > 100) | .id, ' +
      '.. | .name? // empty (at any depth), .rows | length, [.rows[].price] | add, .rows | group_by(.city) | map({city: .[0].city, count: length}). ' +
      'Begin with "keys" to see what there is. JSON lines are one list. So are the rows of a CSV file, each a record by the ' +
      'names in its first row: [.[] | select(.City == "Rome")] | length, map(.Price) | add, map(.City) | unique. ' +
      'A workbook is an object with such a list for each sheet.',
    input: object(
      {
        asset: string('The name of the asset, such as ab12cd34'),
        path: string('The jq program; empty for the whole value'),
        offset: integer('How many results to pass over', { minimum: 0 }),
        limit: integer('How many results to show', { minimum: 1 }),
      },
      'asset',
      'path',
    ),
    run: async (given, context) => {
      const found = lookUp(textAt(given, 'asset') ?? '', options, context);
      if (!found.ok) return found;
      const { queryJson, tableJson } = await import('../../media/json/query.ts');
      const assets = storeOf(options, context);
      const isDocument = found.value.block?.type === 'document';
      const bytes = isDocument ? await assetBytes(found.value.asset, assets) : undefined;
      const table =
        bytes?.ok === true
          ? await tableJson(bytes.value, found.value.asset.name ?? '', { signal: context.signal })
          : undefined;
      const text = table ?? (await assetWords(found.value, assets, context.signal));
      if (!text.ok) return text;
      const [program, offset, limit] = [
        textAt(given, 'path') ?? '',
        numberAt(given, 'offset') ?? 0,
        numberAt(given, 'limit'),
      ];
      const query = {
        text: text.value,
        name: assetName(found.value.asset),
        program,
        offset,
        limit: limit ?? perCall,
        room,
      };
      const answers = await queryJson(query, { signal: context.signal });
      return answers.ok ? show(answers.value, query) : answers;
    },
  });
}

function show(
  { total, texts }: { total: number; texts: string[] },
  given: { program: string; offset: number },
): string {
  const { program, offset } = given;
  if (total === 0) return `Nothing lies at ${JSON.stringify(program)}. Ask for "keys" to see what there is.`;
  if (total === 1 && texts.length === 1) return texts[0] ?? '';
  const last = offset + texts.length;
  const next = last < total ? ` Use offset=${last} to continue.` : '';
  const range = texts.length === 0 ? 'No results here' : `Results ${offset + 1}-${last}`;
  return [`[${range} of ${grouped(total)}.${next}]`, ...texts].join('\n');
}
