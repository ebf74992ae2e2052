// How a process ended and what it printed → the result of the call. stdout may be JSON (alone or among lines of a log),
// text, or a file as it is; all of it goes through `normalise`. A failure keeps what was printed before it and says why.
import type { Block } from '../../content/block.ts';
import { cancelledCall } from '../../content/words.ts';
import type { Intake } from '../../content/intake.ts';
import { isRecord } from '../../content/json.ts';
import { maxText } from '../../content/limits.ts';
import { mediaKindOf } from '../../content/parse.ts';
import { refusalText, refuse } from '../../content/refusal.ts';
import { sniff } from '../../media/sniff.ts';
import { decodeLoosely } from '../../media/text/decode.ts';
import { normaliseResult } from '../../tool/normalise.ts';
import type { ToolResult } from '../../tool/result.ts';
import { isUnfinished, lastJson } from './json-in-text.ts';
import type { End, Ran } from './process.ts';

type Bounds = { name: string; timeoutMs: number; outputBytes: number };

/** `folder` is where the tool lies; nobody has to know. */
type AnswerOptions = Bounds & { intake: Intake; folder: string };

/** What a model is shown of stderr; the rest is in the details. */
const shownErrors = 8000;

/** The result of a call. */
export async function answerOf(ran: Ran, options: AnswerOptions): Promise<ToolResult> {
  const failure = failureOf(ran.end, options);
  const told = failure === undefined ? await printed(ran.stdout, options) : await partly(ran, options);
  const errors = ran.stderr.trim().replaceAll(`${options.folder}/`, '');
  const details = { end: ran.end, stderr: errors, ...(told.details !== undefined && { output: told.details }) };
  if (failure === undefined) return told.isError && errors !== '' ? { ...told, details } : told;
  const shown = errors.length > shownErrors ? `(the end of it)\n${errors.slice(-shownErrors)}` : errors;
  const spoke = told.isError ?? false; // the tool has said itself what is wrong
  return {
    ...told,
    content: [text(failure), ...told.content, ...(spoke || errors === '' ? [] : [text(`stderr:\n${shown}`)])],
    isError: true,
    details,
  };
}

/** What was printed by a call that failed. An output that was cut off is shown as far as text goes. */
async function partly({ end, stdout }: Ran, options: AnswerOptions): Promise<ToolResult> {
  if (stdout.length === 0 || end.type === 'cancelled') return { content: [] };
  if (end.type !== 'flooded') return await printed(stdout, options);
  const plain = decodeLoosely(stdout.subarray(0, maxText), { part: true })?.text;
  if (plain === undefined) return { content: [] };
  return await normaliseResult(`It began with:\n${plain}`, options.intake);
}

/** stdout as content. */
async function printed(stdout: Buffer, { intake, name }: AnswerOptions): Promise<ToolResult> {
  if (isMedium(stdout)) return await normaliseResult([mediumOf(stdout, name)], intake);
  const plain = decodeLoosely(stdout)?.text;
  if (plain === undefined) {
    const { before, file } = afterWords(stdout);
    const given = isMedium(file) ? [mediumOf(file, name)] : new File([new Uint8Array(file)], name);
    const result = await normaliseResult(given, intake);
    return { ...result, content: [...words(before), ...result.content] };
  }
  const found = lastJson(plain);
  if (found && !found.exact) {
    const failed = isRecord(found.value) && found.value['success'] === false;
    return { ...(await normaliseResult(plain, intake)), ...(failed && { isError: true }) };
  }
  if (found) {
    const result = await normaliseResult(found.value, intake);
    return { ...result, content: [...words(found.before), ...result.content, ...words(found.after)] };
  }
  const result = await normaliseResult(plain, intake);
  if (!isUnfinished(plain)) return result;
  const why = `The tool ${name} printed JSON that ends in the middle. What it printed follows as text.`;
  return { ...result, content: [text(why), ...result.content], isError: true };
}

/** A picture, a sound, a film or a PDF, as its first bytes tell. */
function isMedium(bytes: Uint8Array): boolean {
  return /^(?:image|audio|video)\/|^application\/pdf$/.test(sniff(bytes)?.mediaType ?? '');
}

function mediumOf(bytes: Uint8Array, name: string): object {
  return { type: mediaKindOf(sniff(bytes)?.mediaType ?? ''), data: new Uint8Array(bytes), name };
}

/** How many lines of words may stand before a file. */
const mostLines = 200;

/** Words that a program printed before it printed a picture or a PDF as it is; no words where that is not so. */
function afterWords(stdout: Buffer): { before: string; file: Buffer } {
  let at = 0;
  for (let line = 0; line < mostLines; line++) {
    at = stdout.indexOf('\n', at) + 1;
    if (at === 0) break;
    const file = stdout.subarray(at);
    const before = isMedium(file) ? decodeLoosely(stdout.subarray(0, at))?.text : undefined;
    if (before !== undefined) return { before, file };
  }
  return { before: '', file: stdout };
}

function words(value: string): Block[] {
  return value.trim() === '' ? [] : [text(value.trim())];
}

function text(value: string): Block {
  return { type: 'text', text: value };
}

/** Why a process failed; nothing when it did not. */
export function failureOf(end: End, { name, timeoutMs, outputBytes }: Bounds): string | undefined {
  switch (end.type) {
    case 'exited':
      return end.code === 0 ? undefined : `The tool ${name} failed (exit code ${end.code}${meaning(end.code)}).`;
    case 'killed':
      return `The tool ${name} was ended by ${end.signal}${end.signal === 'SIGKILL' ? memory : ''}.`;
    case 'cancelled':
      return cancelledCall;
    case 'not-started':
      return notStarted(end.code, name);
    case 'timed-out': {
      const what = `The tool ${name} took too long and was stopped`;
      const next = 'Ask it for less, or raise "timeout" in its spec.';
      return refusalText(refuse('timed-out', what, next, `${timeoutMs / 1000} s`).refusal);
    }
    case 'flooded': {
      const what = `The tool ${name} printed too much and was stopped`;
      const next = 'Ask it for less.';
      return refusalText(refuse('too-large', what, next, `${Math.round(outputBytes / 1024 / 1024)} MiB`).refusal);
    }
  }
}

const memory = ', mostly because memory ran out';

function meaning(code: number): string {
  if (code === 126) return ': a program in it may not be executed';
  if (code === 127) return ': a program in it was not found';
  if (code === 137) return `: it was killed${memory}`;
  return code > 128 && code < 160 ? `: ended by signal ${code - 128}` : '';
}

function notStarted(code: string, name: string): string {
  const what = `The tool ${name} could not be started`;
  switch (code) {
    case 'ENOENT':
      return `${what}: its file, its interpreter or the working directory is missing.`;
    case 'EACCES':
      return `${what}: it is not executable. Run chmod +x on its file.`;
    case 'E2BIG':
      return `${what}: its arguments are too long for a command line. Give less, or say "input": "json" in its spec.`;
    case 'ENOEXEC':
      return `${what}: it is no program. Begin it with a line such as #!/bin/sh.`;
    default:
      return `${what} (${code}).`;
  }
}
