// A middleware for any model of the AI SDK: media that tools returned are put where this model sees them before the
// provider's package writes the request, for some of these packages write them as words, elsewhere, or not at all.
import { encodeBase64 } from '../content/base64.ts';
import { isMedia } from '../content/block.ts';
import type { MediumId } from '../content/block.ts';
import { inputBlocks } from '../content/input.ts';
import { isRecord } from '../content/json.ts';
import { wholeOf } from '../content/asset-store.ts';
import { decideTurn } from '../fetch/decide-turn.ts';
import type { DecidedTurn } from '../fetch/decide-turn.ts';
import type { FetchOptions } from '../fetch/fetch.ts';
import { mediumKey, openMemory, trialOf } from '../fetch/memory.ts';
import type { OpenWorkshop, Workshop } from '../fetch/workshop.ts';
import { identify } from '../message/identity.ts';
import type { MessageInput } from '../message/message.ts';
import { complaintFrom } from '../model/heal/complaint.ts';
import { redact } from '../model/redact.ts';
import { tellActiveSpan } from '../model/telemetry.ts';
import { mayHoldMedia } from '../tool/walk.ts';
import { add, ceilings, weightless, weightOfFrame, weightOfItem } from '../window/budget.ts';
import type { Weight } from '../window/budget.ts';
import { oldestOver } from '../window/evict.ts';
import type { UrlPolicy } from '../window/plan-types.ts';
import { bothStated, profileFor } from '../window/profile.ts';
import type { Profile } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import { profileBehind } from './converters.ts';
import { remedied } from './heal.ts';
import type { PromptMemory, ShownTurn } from './heal.ts';
import { promptTurns, turnInput, writeTurn } from './turn.ts';
import type { Letters, PromptTurn, TurnInput } from './turn.ts';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Middleware,
} from './types.ts';

/** What the middleware knows about models, and where it keeps media. */
export type MiddlewareOptions = Pick<FetchOptions, 'model' | 'profile' | 'budget' | 'assets' | 'urls'> & {
  /** Told of every request with media: what became of each, and why. */
  onReceipts?: (receipts: Receipt[], about: { model: string }) => void;
};

/** A turn with media, how the planner sees it, and where it stands in the conversation. */
type OpenTurn = { turn: PromptTurn; input: TurnInput; place: string; decided?: DecidedTurn | undefined };

/** A prompt as it goes out, and the turns of it that show media. */
type Written = { params: LanguageModelV4CallOptions; shown: readonly ShownTurn[] };

type CallRules = {
  profile: Profile;
  ceiling: Weight;
  workshop: Workshop;
  signal: AbortSignal | undefined;
  known: PromptMemory;
};

/** Makes the middleware over a workshop: Node's, or the bare one of edge workers. */
export function middlewareOver(openWorkshop: OpenWorkshop, options: MiddlewareOptions = {}): LanguageModelV4Middleware {
  if (options.model !== undefined) profileFor(options.model, options.profile); // a wrong name is told here, not later
  const memory: PromptMemory = openMemory();
  let opened: Promise<Workshop> | undefined;
  const urls: UrlPolicy = { pass: options.urls?.pass ?? 'all', fetch: Boolean(options.urls?.fetch) };

  const decide = async (
    open: OpenTurn,
    { known, profile, ceiling, workshop, signal }: CallRules,
  ): Promise<OpenTurn> => {
    const floors = known.floors.get(open.place) ?? noFloors;
    const leftOut = known.leftOut.get(open.place) ?? false;
    const rules = { profile, leftOut, floors, urls, unseen: {}, spent: () => undefined };
    const { messages } = open.input;
    return { ...open, decided: await decideTurn(messages, { ...rules, maxImages: ceiling.images }, workshop, signal) };
  };

  const transform = async (
    given: LanguageModelV4CallOptions,
    profile: Profile,
    known: PromptMemory,
  ): Promise<Written> => {
    const open = openTurns(given.prompt, profile.model);
    if (open.length === 0) return { params: given, shown: [] };
    const images = known.learned.get(profile.model)?.images ?? Infinity;
    const ceiling = {
      ...ceilings(profile, {}, options.budget, { images }),
      tokens: options.budget?.tokens ?? Infinity,
    };
    const rules = {
      profile,
      ceiling,
      workshop: await (opened ??= openWorkshop(options.assets, undefined, options.urls?.fetch || undefined)),
      signal: given.abortSignal,
      known,
    };
    const turns: OpenTurn[] = [];
    for (const turn of open) turns.push(await decide(turn, rules));
    const shown = turns.filter(({ decided }) => decided && decided.media.length > 0);
    for (const turn of shown.slice(0, oldestOver(shown.map(weigh), frameOf(given.prompt, shown), ceiling))) {
      known.leftOut.set(turn.place, true);
      Object.assign(turn, await decide(turn, rules));
    }
    tell(
      turns.flatMap(({ decided }) => decided?.receipts ?? []),
      profile.model,
      options,
    );
    const prompt = await written(given.prompt, turns, rules.workshop);
    const media = shown.map(({ place, decided }) => ({
      place,
      media: decided?.media ?? [],
      images: decided?.images ?? 0,
    }));
    return { params: prompt === given.prompt ? given : { ...given, prompt }, shown: media };
  };

  const write = async (
    params: LanguageModelV4CallOptions,
    model: LanguageModelV4,
    known: PromptMemory,
  ): Promise<Written> => {
    try {
      const profile = profileBehind(model, options.model, options.profile);
      const learned = known.learned.get(profile.model)?.profile;
      const now = learned && profileBehind(model, options.model, bothStated(options.profile, learned));
      return await transform(params, now ?? profile, known);
    } catch (error) {
      params.abortSignal?.throwIfAborted();
      const why = error instanceof Error ? redact(error.message) : 'it could not be read';
      tell([{ action: 'ignored', subject: 'the request', why }], options.model ?? model.modelId, options);
      return { params, shown: [] }; // as the AI SDK wrote it
    }
  };

  /** Asks, and asks again with less where the provider refuses what the prompt shows. */
  const answered = async <Answer>(
    given: LanguageModelV4CallOptions,
    model: LanguageModelV4,
    ask: (params: LanguageModelV4CallOptions) => PromiseLike<Answer>,
  ): Promise<Answer> => {
    const name = modelBehind(model, options.model, options.profile);
    const trial = trialOf(memory);
    let made = await write(given, model, memory);
    for (let tries = 1; ;) {
      try {
        const answer = await ask(made.params);
        trial.keep();
        for (const { media } of made.shown) for (const id of media) memory.taken.set(mediumKey(name, id), true);
        return answer;
      } catch (error) {
        given.abortSignal?.throwIfAborted();
        const complaint = complaintFrom(error);
        const before = textOf(made.params.prompt);
        let next = made;
        for (; textOf(next.params.prompt) === before; tries++) {
          if (tries > mostTries || !remedied(complaint, made.shown, name, trial.memory, tries > 1)) throw error;
          next = await write(given, model, trial.memory);
        }
        const why = `the provider refused the request: ${redact(complaint.message)}`;
        tell([{ action: 'checkpoint', subject: 'quarantine', why }], name, options);
        made = next;
      }
    }
  };

  return {
    specificationVersion: 'v4',
    wrapGenerate: ({ model, params }) => answered(params, model, (next) => model.doGenerate(next)),
    wrapStream: ({ model, params }) => answered(params, model, (next) => model.doStream(next)),
  };
}

/** How often a refused prompt is asked with less. */
const mostTries = 3;

/** The name under which what was learnt of a model is kept; a name that means nothing is its own. */
function modelBehind(...given: Parameters<typeof profileBehind>): string {
  try {
    return profileBehind(...given).model;
  } catch {
    return given[0].modelId;
  }
}

const noFloors: ReadonlyMap<MediumId, number> = new Map();

/** The turns that may hold media. */
function openTurns(prompt: readonly LanguageModelV4Message[], model: string): OpenTurn[] {
  const turns = promptTurns(prompt).map((turn) => ({ turn, input: turnInput(turn, model) }));
  if (!turns.some(({ input }) => input.messages.some(mayShow))) return [];
  let chain = model;
  return turns.map((one) => ({ ...one, place: (chain = identify(one.input.messages, chain).at(-1) ?? chain) }));
}

function mayShow({ content }: MessageInput): boolean {
  return inputBlocks(content).some((block) => isMedia(block) || (block.type === 'text' && mayHoldMedia(block.text)));
}

function weigh({ decided }: OpenTurn): Weight {
  if (!decided) return weightless;
  return decided.items.map((item) => weightOfItem(item, decided.plan.profile.tokens)).reduce(add, weightless);
}

/** What a prompt weighs without the turns that show media. */
function frameOf(prompt: readonly LanguageModelV4Message[], shown: readonly OpenTurn[]): Weight {
  const places = new Set(shown.flatMap(({ turn }) => turn.messages.map((_, index) => turn.from + index)));
  const others = prompt.filter((_, at) => !places.has(at));
  return weightOfFrame(textOf(others), []);
}

/** Messages as JSON, of bytes only their number: as JSON they would be many times as long. */
function textOf(messages: readonly LanguageModelV4Message[]): string {
  return JSON.stringify(counted(messages));
}

function counted(value: unknown): unknown {
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.map(counted);
  if (!isRecord(value) || value instanceof URL) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, counted(inner)]));
}

/** The prompt with what was decided in it; the same one when nothing changes. */
async function written(
  prompt: LanguageModelV4Message[],
  turns: readonly OpenTurn[],
  { assets }: Workshop,
): Promise<LanguageModelV4Message[]> {
  const letters: Letters = async ({ asset }) => encodeBase64(await wholeOf(assets.stream(asset.id)));
  const all = [...prompt];
  for (const { turn, input, decided } of turns.toReversed())
    if (decided) all.splice(turn.from, turn.messages.length, ...(await writeTurn(turn, decided.items, input, letters)));
  return all.length === prompt.length && all.every((message, at) => message === prompt[at]) ? prompt : all;
}

function tell(receipts: Receipt[], model: string, { onReceipts }: MiddlewareOptions): void {
  if (receipts.length === 0) return;
  tellActiveSpan(model, receipts);
  try {
    onReceipts?.(receipts, { model });
  } catch {
    // a listener must not stop a request
  }
}
