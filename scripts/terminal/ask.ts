// One question typed into one program, in a home of its own, and what then reached the model, in a few words.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '../../src/content/json.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Asked, Answer, ScriptedRequest } from '../../src/model/script/index.ts';
import type { TerminalProgram } from './programs.ts';
import type { Question } from './questions.ts';

const said = 'That is all that I can see.';

/** What stands inside of files, and in no words about them. */
const insides = ['%PDF-', 'word/document.xml', 'xl/workbook.xml', 'IHDR'];

type Ended = { output: string; code: number | null };

export async function ask(program: TerminalProgram, question: Question): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'sightline-terminal-'));
  const work = join(home, 'work');
  mkdirSync(work);
  const { file } = question;
  const bytes = await file?.make();
  if (file && bytes) writeFileSync(join(work, file.name), bytes);
  const path = file && join(work, file.name);
  await using server = await scriptedServer(script(modelFor(program, question, path)));
  const ended = await program.run({ home, url: server.url, prompt: question.prompt, input: question.input ?? '' });
  rmSync(home, { recursive: true, force: true });
  return cellOf(question, server.requests.filter(isAsked), ended, Buffer.from(bytes ?? [])).replaceAll(`${work}/`, '');
}

type AskedRequest = ScriptedRequest & Required<Pick<ScriptedRequest, 'transcript'>>;

function isAsked(request: ScriptedRequest): request is AskedRequest {
  return request.transcript !== undefined;
}

/** Looks at the file once, unless it was shown; small requests beside the question (a title) are answered alike. */
function modelFor(program: TerminalProgram, question: Question, path: string | undefined): (asked: Asked) => Answer {
  let left = question.refusals ?? 0;
  let looked = false;
  return ({ transcript }) => {
    if (left-- > 0) return { error: { status: 529, message: 'Overloaded', retryAfter: 100 } };
    const tools = (transcript.tools ?? []).map(({ name }) => name);
    const shown = blocksOf(transcript).some(isMedium) || isTold(question, textOf(transcript));
    const calls = path === undefined || looked || shown ? [] : program.look(tools, [path]);
    if (calls.length === 0) return { text: said };
    looked = true;
    return { text: 'I look.', calls };
  };
}

function cellOf(question: Question, asked: readonly AskedRequest[], { output, code }: Ended, bytes: Buffer): string {
  if (question.refusals !== undefined)
    return output.includes(said) ? 'answered' : `not answered (it ended with ${code})`;
  if (question.input !== undefined) return asked.some(({ transcript }) => isTold(question, textOf(transcript))) ? 'go along' : '**do not arrive**'; // prettier-ignore
  if (asked.length === 0) return `refused before anything is sent: “${lineOf(output)}”`;
  const first = asked.find(({ transcript }) => blocksOf(transcript).some(isMedium));
  if (first && question.weighed)
    return `${megabytes(first.bytes)} in the request, of a file of ${megabytes(bytes.length)}`;
  if (first) {
    const form = JSON.stringify(first.body).includes(bytes.toString('base64')) ? 'byte for byte' : 'made anew';
    return `shown, ${form}, ${first === asked[0] ? 'in the first request' : 'once its tool was called'}`;
  }
  const last = asked.map(({ transcript }) => textOf(transcript)).findLast((text) => text !== '') ?? '';
  if (insides.some((mark) => last.includes(mark))) return '**its bytes as words**';
  if (isTold(question, last)) return 'its words';
  return `“${lineOf(resultsIn(asked.at(-1)))}”`;
}

function isTold({ words }: Question, text: string): boolean {
  return words !== undefined && text.includes(words);
}

type Block = Record<string, unknown>;

function blocksOf({ messages }: { messages: readonly { content?: unknown }[] }): Block[] {
  return messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isRecord) : []));
}

function isMedium({ type }: Block): boolean {
  return type === 'image' || type === 'document';
}

function textOf(transcript: { messages: readonly { role?: string; content?: unknown }[] }): string {
  return transcript.messages
    .filter(({ role }) => role !== 'assistant')
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .join('\n');
}

/** What the tool said of the file, or else the last words that came. */
function resultsIn(request: AskedRequest | undefined): string {
  const messages = request?.transcript.messages ?? [];
  const last = messages.findLast(({ role }) => role === 'tool') ?? messages.at(-1);
  const content: unknown = last?.content;
  if (typeof content === 'string') return content;
  return blocksOf({ messages: [{ content }] }).map(({ text }) => (typeof text === 'string' ? text : '')).join(' '); // prettier-ignore
}

function lineOf(text: string): string {
  const plain = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ').trim(); // prettier-ignore
  return plain.length > 140 ? `${plain.slice(0, 139)}…` : plain;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
