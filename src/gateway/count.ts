// How many tokens a request has, by the word of whoever would answer it, else by the planner's estimate.
import { refusalText } from '../content/refusal.ts';
import { countTokens } from '../model/count-tokens.ts';
import { prepare } from '../model/prepare.ts';
import { wires } from '../wire/registry.ts';
import { nothingAsked } from './ask.ts';
import type { ClientAsk } from './ask.ts';
import { invalid } from './errors.ts';
import { everyPicture } from './convert.ts';
import type { ConvertTools } from './convert.ts';
import type { MessageError } from '../message/error.ts';
import { withMedia } from './strings.ts';
import type { AnswerTarget } from './settings.ts';

/** Counts what a client asks to have counted. */
export async function count(
  ask: ClientAsk,
  target: AnswerTarget,
  signal: AbortSignal,
  { assets, intake }: Pick<ConvertTools, 'assets' | 'intake'>,
): Promise<number | MessageError> {
  const { choice } = target;
  const { accept, served } = wires[ask.wire];
  const read = accept(served.count?.asked(ask.body) ?? ask.body);
  if (!read.ok) return invalid(refusalText(read.refusal));
  const nothing = nothingAsked(read.value.transcript.messages, ask.wire);
  if (nothing) return nothing;
  const { transcript, options } = await withMedia(read.value, ask.strings, { intake, assets });
  const request = await prepare(transcript, { ...options, ...choice, ...everyPicture(target), assets, signal }, intake);
  const counted = await countTokens(request, { ...choice, signal, totalMs: patienceMs });
  return counted.ok ? counted.value : request.totals.used.tokens;
}

/** Clients count while they work; an estimate now is worth more than a count later. */
const patienceMs = 10_000;
