// `sightline wire`: a transcript and a model in, the exact request that this model would get out. Anything wrong with
// the transcript or its media is a refusal that names the place.
import { dirname, parse, resolve } from 'node:path';
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import type { TranscriptInput } from '../message/message.ts';
import { parseTranscript } from '../message/transcript.ts';
import type { Prepared } from '../model/prepare.ts';
import { prepare } from '../model/prepare.ts';
import type { Effort } from '../window/profile.ts';
import { inputCost } from '../window/totals.ts';
import type { ExitCode } from './exit.ts';
import { done, failed } from './exit.ts';
import { receiptLine, totalLines } from './form.ts';
import { prepareAs } from './model.ts';
import type { Refused } from './refusal.ts';
import { asRefused, tellRefusal } from './refusal.ts';
import { nameOf, textOf } from './source.ts';
import { say, sayBody, sayJson, styled, tell, visibleJson, visibleLine } from './terminal.ts';

export type WireOptions = {
  model: string;
  full?: boolean;
  explain?: boolean;
  json?: boolean;
  maxTokens?: number;
  thinking?: Effort;
};

/** Shows a request. `--full` is the body alone, byte for byte. */
export async function wireCommand(path: string, options: WireOptions): Promise<ExitCode> {
  const request = await requestFor(path, options);
  if (Array.isArray(request)) return refuseAll(request, options);
  if (options.full) await sayBody(request.stream());
  else if (options.json) sayJson({ ok: true, value: await asJson(request, options.model) });
  else await show(request);
  if (options.explain) explain(request);
  return done;
}

async function requestFor(path: string, { model, maxTokens, thinking }: WireOptions): Promise<Prepared | Refused[]> {
  const transcript = await transcriptOf(path);
  if (!transcript.ok) return [transcript.refusal];
  try {
    const request = await prepare(transcript.value, {
      ...prepareAs(model),
      base: path === '-' ? process.cwd() : dirname(resolve(path)),
      roots: [parse(resolve(path)).root], // the person named this transcript, and nothing leaves the machine
      ...(maxTokens !== undefined && { maxTokens }),
      ...(thinking !== undefined && { thinking }),
    });
    if (request.troubles.length === 0) return request;
    return request.troubles.map(refusedTrouble);
  } catch (error) {
    return [asRefused(error)];
  }
}

function refusedTrouble({ message, block, refusal }: Prepared['troubles'][number]): Refused {
  return { ...refusal, place: `messages[${message}].content[${block}]` };
}

const mostBytes = 256 * 1024 * 1024;

async function transcriptOf(path: string): Promise<Read<TranscriptInput>> {
  const text = await textOf(path, mostBytes);
  if (!text.ok) return text;
  try {
    return parseTranscript(JSON.parse(text.value));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const what = `${nameOf(path)} is not JSON: ${error.message.replace(/ is not valid JSON$/, '')}`;
    return refuse('bad-transcript', what, 'Correct it there and try again.');
  }
}

function refuseAll(refused: readonly Refused[], { json }: WireOptions): ExitCode {
  const [first, ...more] = refused;
  if (json) sayJson({ ok: false, refusal: first, ...(more.length > 0 && { more }) });
  else for (const one of refused) tellRefusal(one);
  return failed;
}

/** Every decision, then how much of each budget is used. */
function explain({ receipts, totals, plan }: Prepared): void {
  for (const receipt of receipts) tell(visibleLine(receiptLine(receipt)));
  tell('');
  for (const line of totalLines(totals, plan.profile)) tell(line);
}

async function asJson(request: Prepared, model: string): Promise<Record<string, unknown>> {
  const { wire, url, headers, contentLength, receipts, totals } = request;
  const cost = inputCost(totals, request.plan.profile);
  const body = await request.outline();
  return { model, wire, url, headers, contentLength, body, receipts, totals, ...(cost && { cost }) };
}

async function show(request: Prepared): Promise<void> {
  say(styled('bold', `POST ${request.url}`));
  for (const [name, value] of Object.entries(request.headers)) say(styled('dim', `${name}: ${value}`));
  say('');
  say(visibleJson(JSON.stringify(await request.outline(), null, 2)));
}
