// A JSON text and a jq program in, some of its results out, made in a child process that is ended when it takes too long.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { runJob } from '../child/pool.ts';
import type { MediaOptions } from '../context.ts';
import { contextOf, rulesFor } from '../context.ts';
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
