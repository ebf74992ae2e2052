// A request in one dialect, answered by a model that speaks another: read, planned for that model, and its answer told
// in the words of the client.
import { refusalText } from '../content/refusal.ts';
import type { Intake } from '../content/intake.ts';
import { collector } from '../message/collect.ts';
import type { MessageError } from '../message/error.ts';
import { answer } from '../model/answer.ts';
import type { AssetStore } from '../asset/store.ts';
import type { Receipt } from '../window/receipt.ts';
import { wantsUsage } from '../wire/accepted.ts';
import { wires } from '../wire/registry.ts';
import type { ClientAsk } from './ask.ts';
import type { ClientReply } from './reply.ts';
import type { AnswerTarget } from './targets.ts';
import type { Outcome } from './outcome.ts';

export type ConvertTools = { assets: AssetStore; intake: Intake };

/** Answers by converting. An error that comes before the first word is given back: another model may do better. */
export async function convert(
  ask: ClientAsk,
  target: AnswerTarget,
  reply: ClientReply,
  tools: ConvertTools,
): Promise<Outcome> {
  const { choice, profile } = target;
  const { accept, emit, framing, scripted } = wires[ask.wire];
  const author = profile.wire === ask.wire ? { endpoint: profile.endpoint, model: profile.id } : {};
  const read = accept(ask.body, author);
  if (!read.ok) return { error: invalid(refusalText(read.refusal)) };
  const { transcript, options } = read.value;
  const emitter = emit({
    model: ask.name,
    id: `${scripted.idPrefix}${randomLetters()}`,
    created: new Date().toISOString(),
    usage: wantsUsage(read.value),
  });
  const receipts: Receipt[] = [];
  const heard = collector();
  const events = answer(
    transcript,
    { ...options, ...choice, assets: tools.assets, signal: reply.gone, ...triesFor(ask) },
    tools.intake,
  );
  for await (const event of events) {
    switch (event.type) {
      case 'request-ready':
      case 'request-healed':
        receipts.splice(0, Infinity, ...event.receipts);
        continue;
      case 'request-probed':
      case 'request-accepted':
        continue;
      case 'message-error':
        if (!reply.begun) return { error: event, receipts };
        for (const frame of emitter.push(event)) await reply.write(frame);
        reply.end();
        return { receipts, error: event };
      default:
    }
    heard.push(event);
    if (!ask.streamed) continue;
    const frames = emitter.push(event);
    if (frames.length === 0) continue;
    if (!reply.begun) reply.begin(200, streamHead(ask, target, framing.contentType));
    for (const frame of frames) await reply.write(frame);
  }
  const message = heard.message();
  if (ask.streamed) {
    if (!reply.begun) reply.begin(200, streamHead(ask, target, framing.contentType));
    for (const frame of emitter.end()) await reply.write(frame);
    reply.end();
  } else {
    const { status, body } = emitter.whole(message);
    reply.json(status, body, wayHeaders(ask, target, 'convert'));
  }
  return { receipts, message };
}

function streamHead(ask: ClientAsk, target: AnswerTarget, contentType: string): Record<string, string> {
  return { 'content-type': contentType, 'cache-control': 'no-cache', ...wayHeaders(ask, target, 'convert') };
}

/** Who answered, and in which way. */
export function wayHeaders(
  ask: ClientAsk,
  { profile }: AnswerTarget,
  way: 'relay' | 'convert',
): Record<string, string> {
  return { 'x-sightline-id': ask.id, 'x-sightline-model': profile.model, 'x-sightline-way': way };
}

/** An SDK that tries again itself need not be tried for three times. */
function triesFor({ headers }: ClientAsk): { tries?: number } {
  return Number(headers['x-stainless-retry-count'] ?? 0) > 0 ? { tries: 1 } : {};
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** Clients take two answers of one id for the same answer. */
export function randomLetters(count = 24): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => letters[byte % letters.length]).join('');
}

export function invalid(message: string): MessageError {
  return { type: 'message-error', code: 'invalid', status: 400, message, retryable: false };
}
