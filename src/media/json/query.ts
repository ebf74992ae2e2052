// A JSON text and a jq program in, some of its results out, made in a child process that is ended when it takes too long.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { runJob } from '../child/pool.ts';
import type { MediaOptions } from '../context.ts';
import { contextOf, rulesFor } from '../context.ts';
import { documentKind, tableKinds } from '../document/kinds.ts';
import { nameFor, sniff } from '../sniff.ts';
import type { JsonAnswers, JsonQuery } from './jq.ts';

const narrower = 'Look at less of it: bound it with limit(100; …), .rows[0:100] or first(…).';

/** The results of a jq program on a JSON text. */
export async function queryJson(query: JsonQuery, options: MediaOptions = {}): Promise<Read<JsonAnswers>> {
  const context = contextOf(options);
  const rules = rulesFor('The query', context.limits.jsonMs, context);
  const answers = await runJob('query-json', query, { ...rules, work: { verb: 'answer', next: narrower } });
  const crashed = !answers.ok && answers.refusal.code === 'corrupt'; // calls inside each other until its memory is full
  return crashed ? refuse('too-large', 'The query needs more memory than jq has', narrower) : answers;
}

/** The rows of a table or a workbook as JSON; nothing for an asset that is neither. */
export async function tableJson(
  bytes: Uint8Array,
  given: string,
  options: MediaOptions = {},
): Promise<Read<string> | undefined> {
  const context = contextOf(options);
  const seen = sniff(bytes);
  const name = nameFor(given, seen);
  const kind = documentKind(seen, name, bytes);
  if (kind === undefined || !tableKinds.has(kind)) return undefined;
  const input = { bytes, kind, name, limits: context.limits };
  return await runJob('table-records', input, rulesFor(name, context.limits.documentMs, context));
}
