// `sightline wire`: a transcript or a session and a model in, the exact request that this model would get out; a session
// alone, the newest request as it was sent. Anything
// wrong with the transcript or its media is a refusal that names the place.
import { existsSync } from 'node:fs';
import { dirname, parse, resolve } from 'node:path';
import type { Read } from '../content/refusal.ts';
import { refuse, SightlineError } from '../content/refusal.ts';
import type { TranscriptInput } from '../message/message.ts';
import { mediaInSkeleton } from '../wire/body.ts';
import { parseTranscript } from '../wire/parse-transcript.ts';
import { prepare } from '../model/prepare.ts';
import type { Prepared } from '../model/prepared.ts';
import type { SessionReader } from '../session/reader.ts';
import type { SessionStore } from '../session/store.ts';
import { inputCost } from '../window/budget.ts';
import type { Effort } from '../window/rules.ts';
import type { ExitCode } from './exit.ts';
import { done, failed, wrongUsage } from './exit.ts';
import { receiptLines, totalLines } from './form.ts';
import { ownSessions } from './kept.ts';
import { prepareAs, standingModel } from './model.ts';
import type { ToldRefusal } from './refusal.ts';
import { asRefused, tellRefusal } from './refusal.ts';
import { nameOf, fileText } from './source.ts';
import { say, sayBody, sayJson, screenWidth, styled, tell, visibleJson } from './terminal.ts';
import { wouldSend } from './would-send.ts';

type WireOptions = {
  /** Without one: that of the session, else the standing one. */
  model?: string;
  full?: boolean;
  explain?: boolean;
  json?: boolean;
  maxTokens?: number;
  thinking?: Effort;
};

/** Shows a request. `--full` is the body alone, byte for byte. */
export async function wireCommand(path: string, options: WireOptions): Promise<ExitCode> {
  try {
    // A file is a file, whatever its name.
    await using store = path === '-' || existsSync(path) ? undefined : ownSessions({ readOnly: true });
    const session = store && (await sessionNamed(path, store));
    if (session && options.model === undefined) return await sentCommand(session, options);
    const model = options.model ?? standingModel();
    if (model === undefined) {
      tell('error: no model. Name one, such as -m anthropic/claude-sonnet-5 or -m openai/gpt-5.2');
      tell('Try: sightline wire --help');
      return wrongUsage;
    }
    const request = await (session ? requestOf(session, model, options) : requestFor(path, model, options));
    return Array.isArray(request) ? refuseAll(request, options) : await shown(request, model, options);
  } catch (error) {
    return refuseAll([asRefused(error)], options);
  }
}

/** The newest request of a session, as it was sent. */
async function sentCommand(session: SessionReader, options: WireOptions): Promise<ExitCode> {
  const { full, json, explain: why } = options;
  const sent = await session.sent();
  if (!sent) {
    const next = 'Name a model with -m to see what it would get.';
    return refuseAll([{ code: 'not-found', what: `No request of session ${session.id} is recorded`, next }], options);
  }
  const { row, receipts } = sent;
  if (full) await sayBody(sent.stream());
  else if (json) sayJson({ ok: true, value: { sent: row, body: await sent.outline(), receipts } });
  else {
    say(styled('bold', `POST ${row.url}`));
    say(styled('dim', `sent ${new Date(row.time).toISOString()}, ${row.ended?.state ?? 'not over'}`));
    say('');
    say(visibleJson(JSON.stringify(await sent.outline(), null, 2)));
  }
  const room = screenWidth(process.stderr);
  if (why) for (const receipt of receipts) for (const line of receiptLines(receipt, room)) tell(line);
  return done;
}

async function shown(request: Prepared, model: string, { full, json, explain: why }: WireOptions): Promise<ExitCode> {
  if (full) await sayBody(request.stream());
  else if (json) sayJson({ ok: true, value: await asJson(request, model) });
  else await show(request);
  if (why) explain(request);
  return done;
}

/** The session that a word means: `last`, or the beginning of an id. */
async function sessionNamed(word: string, store: SessionStore): Promise<SessionReader | undefined> {
  if (!/^(?:last|[0-9a-hjkmnp-tv-z]{2,12})$/i.test(word)) return undefined;
  try {
    return await store.read(await store.resolve(word));
  } catch (error) {
    if (word === 'last' || !(error instanceof SightlineError) || !error.message.startsWith('There is no session'))
      throw error;
    return undefined; // then it is meant as a file, and reading that says what is wrong
  }
}

async function requestOf(session: SessionReader, model: string, options: WireOptions): Promise<Prepared> {
  const request = await wouldSend(session, model, limitsOf(options));
  return (await withoutDamaged(request)) ?? request;
}

/** That a file is not what it was shows when it is read; words go in its place then, as in a run. */
async function withoutDamaged(request: Prepared): Promise<Prepared | undefined> {
  const { skeleton, assets } = request.outgoing();
  const ids = new Set(mediaInSkeleton(skeleton()).map(({ id }) => id));
  for (const id of ids) await assets.get(id);
  return (await assets.missing([...ids])).size > 0 ? await request.repair(undefined) : undefined;
}

async function requestFor(path: string, model: string, options: WireOptions): Promise<Prepared | ToldRefusal[]> {
  const transcript = await transcriptOf(path);
  if (!transcript.ok) return [transcript.refusal];
  const request = await prepare(transcript.value, {
    ...prepareAs(model),
    ...limitsOf(options),
    base: path === '-' ? process.cwd() : dirname(resolve(path)),
    roots: [parse(resolve(path)).root], // the person named this transcript, and nothing leaves the machine
  });
  return request.troubles.length === 0 ? request : request.troubles.map(refusedTrouble);
}

function limitsOf({ maxTokens, thinking }: WireOptions): Pick<WireOptions, 'maxTokens' | 'thinking'> {
  return { ...(maxTokens !== undefined && { maxTokens }), ...(thinking !== undefined && { thinking }) };
}

function refusedTrouble({ message, block, refusal }: Prepared['troubles'][number]): ToldRefusal {
  return { ...refusal, place: `messages[${message}].content[${block}]` };
}

const mostBytes = 256 * 1024 * 1024;

async function transcriptOf(path: string): Promise<Read<TranscriptInput>> {
  const text = await fileText(path, mostBytes);
  if (!text.ok) return text;
  try {
    return parseTranscript(JSON.parse(text.value));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const what = `${nameOf(path)} is not JSON: ${error.message.replace(/ is not valid JSON$/, '')}`;
    return refuse('bad-transcript', what, 'Correct it there and try again.');
  }
}

function refuseAll(refused: readonly ToldRefusal[], { json }: WireOptions): ExitCode {
  const [first, ...more] = refused;
  if (json) sayJson({ ok: false, refusal: first, ...(more.length > 0 && { more }) });
  else for (const one of refused) tellRefusal(one);
  return failed;
}

/** Every decision, then how much of each budget is used. */
function explain({ receipts, totals, plan }: Prepared): void {
  const room = screenWidth(process.stderr);
  for (const receipt of receipts) for (const line of receiptLines(receipt, room)) tell(line);
  tell('');
  for (const line of totalLines(totals, plan.profile, room)) tell(line);
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
