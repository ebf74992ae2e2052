// A JSON text and a jq program in, some of its results out. Runs in a child process: a program may go on for ever.
import type jqWeb from 'jq-web';
import { fromPart } from '../../config/parts.ts';
import { isRecord, parsed } from '../../content/json.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { grouped } from '../limits.ts';

export type JsonQuery = {
  text: string;
  /** of the text, for sentences */
  name: string;
  program: string;
  /** which results are given, and how many characters of them */
  offset: number;
  limit: number;
  room: number;
};

/** How many results there are, and those that were asked for as JSON. */
export type JsonAnswers = { total: number; texts: string[] };

const refusedProgram = 3; // jq's own exit code

export async function answerQuery({ text, name, program, offset, limit, room }: JsonQuery): Promise<Read<JsonAnswers>> {
  const flags = flagsFor(text);
  if (!flags) return refuse('unsupported', `${name} is not JSON`, 'Call read_asset_text with grep instead.');
  const printed = await firstThatRuns(text, formsOf(program), flags);
  if (!printed.ok) return printed;
  const lines = printed.value === '' ? [] : printed.value.split('\n');
  const texts: string[] = [];
  let used = 0;
  for (const line of lines.slice(offset, offset + limit)) {
    const shown = shortened(line, room);
    used += shown.length + 1;
    if (used > room && texts.length > 0) break;
    texts.push(shown);
  }
  return { ok: true, value: { total: lines.length, texts } };
}

/** JSON, or one JSON value on each line, which is then a list; undefined for neither. */
function flagsFor(text: string): string[] | undefined {
  if (isJson(text)) return ['-c'];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every(isJson) ? ['-c', '-s'] : undefined;
}

function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

/** The program, and what it is likely to mean if it is none: `rows[*].id` and `$.rows[0]` are how others write a path. */
function formsOf(program: string): string[] {
  const given = program.trim();
  if (given === '') return ['.'];
  const path = given.replace(/^\$(?=[.[\s|]|$)/, '').replaceAll('[*]', '[]');
  return [given, path.startsWith('.') ? path : `.${path}`];
}

async function firstThatRuns(text: string, forms: readonly string[], flags: readonly string[]): Promise<Read<string>> {
  process.argv[1] = 'jq'; // else a program could ask where we are installed
  const jq = await (fromPart('jq', 'jq-web') as typeof jqWeb);
  let first: Read<string> | undefined;
  for (const form of forms) {
    try {
      const printed = jq.raw(text, ` ${form}`, [...flags]) ?? ''; // a space, else "-n" were an option
      return { ok: true, value: printed.trim() };
    } catch (error) {
      const [, code, said] =
        /^Non-zero exit code: (\d+)\n?([^]*)/.exec(error instanceof Error ? error.message : '') ?? [];
      if (code === undefined) throw error;
      const isProgram = Number(code) === refusedProgram;
      first ??= wrongProgram(isProgram ? 'jq does not understand the program' : 'The program failed', said ?? '');
      if (!isProgram) break;
    }
  }
  return first ?? refuse('empty', 'There is no program', 'Write "keys" to see what there is.');
}

const longestComplaint = 300;

function wrongProgram(what: string, said: string): Read<never> {
  const [line = ''] = said.split('\n');
  const words = line
    .replace(/^jq: error(?: \(at [^)]*\))?: /, '')
    .replace(' (Unix shell quoting issues?)', '')
    .replace(/ at <top-level>.*$/, '')
    .slice(0, longestComplaint);
  const next =
    'Write it in jq, such as .rows[0].name, .rows[] | select(.price > 100), .. | .name? // empty, .rows | length.';
  return refuse('bad-range', words === '' ? what : `${what}: ${words}`, next);
}

/** A result as it is; one that is too long as what it consists of. */
function shortened(text: string, room: number): string {
  if (text.length <= room) return text;
  const size = `${grouped(text.length)} characters of JSON`;
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) return `[a list of ${grouped(value.length)} items, ${size}; ask for some of them: [0:10]]`;
  if (!isRecord(value)) return `[a text of ${size}; call read_asset_text]`;
  const keys = Object.keys(value);
  const shown = keys.slice(0, 200).map((key) => JSON.stringify(key.slice(0, 100)));
  const more = keys.length > shown.length ? `, and ${grouped(keys.length - shown.length)} more` : '';
  return `[an object of ${size} with the fields ${shown.join(', ')}${more}]`;
}
