// Sightline as a provider of the AI SDK: its loop, its tools, its streams, and every model behind them by `endpoint/model`.
// Requests are planned, sent and healed as everywhere; a conversation goes on with the ledger it had.
import { sharedAssets } from '../asset/memory.ts';
import { SightlineError } from '../content/refusal.ts';
import { boundedMap } from '../fetch/memory.ts';
import type { MessageError } from '../message/error.ts';
import { identify } from '../message/identity.ts';
import type { Stop, Usage } from '../message/message.ts';
import type { AnswerEvent, AnswerOptions } from '../model/answer.ts';
import type { Ledger } from '../window/ledger.ts';
import { profileFor } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import { contentOf, reasonOf, streamWriter, answerUsage } from './answer-parts.ts';
import { ownName, readCall } from './call.ts';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions as CallOptions,
  LanguageModelV4Content as Content,
  LanguageModelV4StreamPart as StreamPart,
  ProviderV4,
  SharedV4ProviderMetadata as Metadata,
  SharedV4Warning as Warning,
} from './types.ts';

/** What every model of the provider shall have: keys, stores, budgets, and what `answer` takes besides. */
export type SightlineSettings = Omit<AnswerOptions, 'model' | 'ledger' | 'signal' | 'output'>;

/** Gives models by `endpoint/model`. */
export type SightlineProvider = ProviderV4 & ((model: string) => LanguageModelV4);

/**
 * Makes the provider. Keys come from the environment, as everywhere, or from the settings.
 *
 * @example
 * const sightline = createSightline();
 * const { text } = await generateText({ model: sightline('mistral/pixtral-large-latest'), tools, prompt });
 */
export function createSightline(settings: SightlineSettings = {}): SightlineProvider {
  const ledgers = boundedMap<Ledger>(1000);
  const languageModel = (model: string): LanguageModelV4 => openModel(model, settings, ledgers);
  return Object.assign((model: string) => languageModel(model), {
    specificationVersion: 'v4' as const,
    languageModel,
    embeddingModel: none('embedding'),
    imageModel: none('image'),
  });
}

const none = (kind: string) => (): never => {
  throw new SightlineError('input', `Sightline has no ${kind} models. Take those of the vendor's own package.`);
};

type Ledgers = ReturnType<typeof boundedMap<Ledger>>;

function openModel(model: string, settings: SightlineSettings, ledgers: Ledgers): LanguageModelV4 {
  profileFor(model, settings.profile); // a wrong name is told here, not with the first call
  return {
    specificationVersion: 'v4',
    provider: ownName,
    modelId: model,
    supportedUrls: {},
    doGenerate: async (given) => {
      const asked = await ask(given, model, settings, ledgers);
      const content: Content[] = [];
      for await (const event of asked.events) {
        if (event.type === 'message-error') throw errorFrom(event, given.abortSignal);
        if (event.type === 'block-end') content.push(...(await contentOf(event.block, asked.assets)));
      }
      const { stop, usage, warnings } = asked;
      return {
        content,
        finishReason: reasonOf(stop),
        usage: answerUsage(usage),
        warnings,
        providerMetadata: toldOf(asked.receipts),
        response: { modelId: model },
      };
    },
    doStream: async (given) => {
      const asked = await ask(given, model, settings, ledgers);
      return { stream: streamOf(asked, given, model) };
    },
  };
}

/** An answer under way; what it says of itself is whole when its events are over. */
type Asked = {
  events: AsyncGenerator<AnswerEvent>;
  assets: NonNullable<SightlineSettings['assets']>;
  warnings: Warning[];
  receipts: Receipt[];
  stop: Stop;
  usage?: Usage;
  /** Ends it before its time. */
  cancel: () => void;
};

/** Asks, and waits until the answer begins: what fails before that is thrown. */
async function ask(given: CallOptions, model: string, settings: SightlineSettings, ledgers: Ledgers): Promise<Asked> {
  const [{ answer }, { intakeOf }] = await Promise.all([import('../model/answer.ts'), import('../model/intake.ts')]);
  const assets = settings.assets ?? sharedAssets();
  const ended = new AbortController();
  const signal = given.abortSignal ? AbortSignal.any([given.abortSignal, ended.signal]) : ended.signal;
  const intake = intakeOf({ ...settings, assets, roots: settings.roots ?? [], signal });
  const { transcript, options, warnings } = await readCall(given, model, intake);
  const places = identify(transcript.messages, model);
  const ledger = places.toReversed().flatMap((place) => ledgers.get(place) ?? [])[0];
  const headers = { ...settings.headers, ...stringsIn(given.headers) };
  const events = answer(transcript, { ...settings, ...options, assets, headers, model, ledger, signal }, intake);
  const asked: Asked = { events, assets, warnings, receipts: [], stop: 'error', cancel: () => ended.abort() };
  const told = watched(events, asked, (next) => ledgers.set(places.at(-1) ?? model, next));
  const first = await told.next();
  if (!first.done && first.value.type === 'message-error') throw errorFrom(first.value, given.abortSignal);
  return Object.assign(asked, { events: resumed(first, told) });
}

/** The events of the answer itself; what is told around it is noted. */
async function* watched(
  events: AsyncIterable<AnswerEvent>,
  asked: Asked,
  keep: (ledger: Ledger) => void,
): AsyncGenerator<AnswerEvent> {
  for await (const event of events) {
    if (event.type === 'request-ready' || event.type === 'request-healed') asked.receipts = event.receipts;
    else if (event.type === 'request-unseen') asked.warnings.push({ type: 'other', message: event.why });
    else if (event.type === 'request-accepted') keep(event.ledger);
    else if (event.type !== 'request-described' && event.type !== 'request-probed') yield event;
    if (event.type === 'message-end') Object.assign(asked, { stop: event.stop, usage: event.usage });
  }
}

async function* resumed(
  first: IteratorResult<AnswerEvent>,
  rest: AsyncGenerator<AnswerEvent>,
): AsyncGenerator<AnswerEvent> {
  if (!first.done) yield first.value;
  yield* rest;
}

function streamOf(asked: Asked, given: CallOptions, model: string): ReadableStream<StreamPart> {
  const parts = streamParts(asked, given, model);
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const next = await parts.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: async () => {
      asked.cancel();
      await parts.return(undefined);
    },
  });
}

async function* streamParts(asked: Asked, given: CallOptions, model: string): AsyncGenerator<StreamPart, undefined> {
  yield { type: 'stream-start', warnings: [...asked.warnings, ...ignored(asked.receipts)] };
  yield { type: 'response-metadata', modelId: model };
  const write = streamWriter(asked.assets);
  for await (const event of asked.events) {
    if (event.type === 'message-error') {
      given.abortSignal?.throwIfAborted();
      yield { type: 'error', error: errorFrom(event, undefined) };
    } else if (event.type === 'message-extra') {
      if (given.includeRawChunks) yield { type: 'raw', rawValue: event.event };
    } else if ('index' in event) yield* await write(event);
  }
  const { stop, usage, receipts } = asked;
  yield { type: 'finish', finishReason: reasonOf(stop), usage: answerUsage(usage), providerMetadata: toldOf(receipts) };
  return undefined;
}

/** Options that the model does not take. */
function ignored(receipts: readonly Receipt[]): Warning[] {
  return receipts.flatMap(({ action, subject, why }) =>
    action === 'ignored' ? [{ type: 'unsupported' as const, feature: subject, details: why }] : [],
  );
}

function toldOf(receipts: readonly Receipt[]): Metadata {
  return { [ownName]: { receipts } };
}

function stringsIn(headers: CallOptions['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** An abort is the caller's own; everything else says what the provider said. */
function errorFrom(event: MessageError, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  return Object.assign(new SightlineError('protocol', event.message), { cause: event });
}
