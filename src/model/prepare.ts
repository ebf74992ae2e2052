// A transcript and the name of a model → one request, ready to send by whatever client you have. Media are checked,
// renditions made as the planner asks for them, and nothing is encoded until it is asked for.
import { sharedAssets } from '../asset/memory.ts';
import type { AssetStore } from '../asset/store.ts';
import type { AssetId } from '../content/block.ts';
import { isMedia } from '../content/block.ts';
import type { Door } from '../content/ingest.ts';
import { refusalText, refuse, SightlineError } from '../content/refusal.ts';
import { canReadPictures, openDoor, render } from '../media/index.ts';
import type { Transcript, TranscriptInput } from '../message/message.ts';
import { resolveTranscript } from '../message/transcript.ts';
import type { Trouble } from '../message/transcript.ts';
import { guardBlocks } from '../tool/guard.ts';
import type { Budget } from '../window/budget.ts';
import { sentAssets } from '../window/ledger.ts';
import type { Ledger } from '../window/ledger.ts';
import { plan } from '../window/plan.ts';
import type { PlanInput, PlanResult } from '../window/plan.ts';
import type { Plan, RequestOptions } from '../window/planned.ts';
import { profileFor } from '../window/profile.ts';
import type { ProfileOverrides, WireName } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import { renditionKey } from '../window/rendition.ts';
import type { Fact, Rendition } from '../window/rendition.ts';
import { contentLength, inline, outline, stream } from '../wire/body.ts';
import type { BytesOf, Skeleton } from '../wire/body.ts';
import type { Bodies, SdkBodies } from '../wire/wires.ts';
import { wires } from '../wire/wires.ts';
import { addressOf } from './endpoint.ts';

/** The wire that a literal model name speaks; any of them for a name known only at run time. */
export type WireOf<Model extends string> = string extends Model
  ? WireName
  : Model extends `anthropic/${string}`
    ? 'anthropic-messages'
    : Model extends `openai/${string}` | `azure/${string}`
      ? 'openai-responses'
      : Model extends `gemini/${string}` | `google/${string}`
        ? 'gemini'
        : Model extends `ollama/${string}`
          ? 'ollama'
          : Model extends `${'openai-chat' | 'azure-chat' | 'openrouter' | 'compatible'}/${string}`
            ? 'openai-chat'
            : WireName;

export type PrepareOptions<Model extends string = string> = RequestOptions & {
  /** `endpoint/model`, such as `anthropic/claude-sonnet-4-5`. */
  model: Model;
  /** What the last `prepare` of this conversation returned; with it, the next request only appends. */
  ledger?: Ledger | undefined;
  assets?: AssetStore;
  cache?: 'auto' | 'off';
  /** Ceilings below those of the model: tokens, bytes of the body, pictures. */
  budget?: Budget;
  /** What you know better about the model than the catalog does. */
  profile?: ProfileOverrides;
  baseUrl?: string;
  /** Where relative paths of media begin; the working directory by default. */
  base?: string;
  /** The folders that paths in tool results may name files in; by default the one where relative paths begin. */
  roots?: readonly string[];
  signal?: AbortSignal;
  /** Whether words are read off pictures for models that cannot see; by default, when tesseract.js is installed. */
  readPictures?: boolean;
};

export type Prepared<Wire extends WireName = WireName> = {
  wire: Wire;
  url: string;
  /** Everything but the key. */
  headers: Record<string, string>;
  receipts: Receipt[];
  /** Store it beside the messages and pass it to the next `prepare`. */
  ledger: Ledger;
  /** The decisions themselves. */
  plan: Plan;
  /** Media of the transcript that were refused, and by which words they are replaced in this request. */
  troubles: Trouble[];
  /** The exact REST body. */
  json: () => Promise<Bodies[Wire]>;
  /** What the vendor's own SDK method takes. */
  sdk: () => Promise<SdkBodies[Wire]>;
  /** The body with a short note where base64 would stand, for people. */
  outline: () => Promise<Bodies[Wire]>;
  /** The exact REST body as a byte stream of `contentLength` bytes. */
  stream: () => ReadableStream<Uint8Array<ArrayBuffer>>;
  contentLength: number;
};

/** Prepares one request. Bad media become words and a receipt; a model name that means nothing, or newest messages that
 * do not fit the model at all, throw. */
export async function prepare<const Model extends string>(
  transcript: TranscriptInput,
  options: PrepareOptions<Model>,
): Promise<Prepared<WireOf<Model>>> {
  if (transcript.messages.length === 0)
    throw new SightlineError('input', 'The transcript has no messages; add one of the user.');
  const assets = options.assets ?? sharedAssets();
  const profile = profileFor(options.model, options.profile);
  const signal = options.signal ? { signal: options.signal } : {};
  const begin = options.base === undefined ? {} : { base: options.base };
  const door = openDoor({ assets, ...signal, ...begin });
  const toolDoor = openDoor({ assets, ...signal, ...begin, roots: options.roots ?? [options.base ?? process.cwd()] });
  const { transcript: checked, troubles } = await resolveTranscript(transcript, door, toolDoor);
  options.signal?.throwIfAborted();
  const input: PlanInput = {
    transcript: checked,
    profile,
    options: requestOptions(options),
    cache: options.cache ?? 'auto',
    ...(options.budget && { budget: options.budget }),
    gone: await goneAssets(checked, sentAssets(options.ledger, options.model), assets),
    ledger: options.ledger,
    readPictures: options.readPictures ?? canReadPictures(),
  };
  const done = await planWithFacts(input, assets, door, options.signal);
  const wire = profile.wire as WireOf<Model>;
  const address = addressOf(profile, options.baseUrl);
  // `assign` keeps the getter among the encoders lazy; a spread would call it.
  return Object.assign(encoders(wire, done.plan, assets), {
    wire,
    ...address,
    receipts: [...troubles.map(troubleReceipt), ...done.receipts],
    ledger: done.ledger,
    plan: done.plan,
    troubles,
  });
}

type Encoders<Wire extends WireName> = Pick<Prepared<Wire>, 'json' | 'sdk' | 'outline' | 'stream' | 'contentLength'>;

function encoders<Wire extends WireName>(name: Wire, planned: Plan, assets: AssetStore): Encoders<Wire> {
  const wire = wires[name];
  const bytesOf: BytesOf = (id) => assets.stream(id);
  let made: Skeleton<Bodies[Wire]> | undefined;
  const skeleton = (): Skeleton<Bodies[Wire]> => (made ??= wire.encode(planned));
  return {
    json: () => inline(skeleton(), bytesOf),
    sdk: async () => wire.sdk(await inline(skeleton(), bytesOf), planned),
    outline: () => outline(skeleton()),
    stream: () => stream(skeleton(), bytesOf),
    get contentLength() {
      return contentLength(skeleton());
    },
  };
}

function requestOptions(options: PrepareOptions): RequestOptions {
  const { maxTokens, temperature, toolChoice, thinking, output } = options;
  return {
    ...(maxTokens !== undefined && { maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(thinking !== undefined && { thinking }),
    ...(output !== undefined && { output }),
  };
}

const rounds = 3;

/** Plans, makes what the plan needs to know, and plans again. What is still missing after that counts as refused. */
async function planWithFacts(
  input: PlanInput,
  assets: AssetStore,
  door: Door,
  signal: AbortSignal | undefined,
): Promise<PlanResult & { plan: Plan }> {
  const facts = new Map<string, Fact>();
  for (let round = 0; ; round++) {
    const result = plan({ ...input, facts });
    if (result.plan) return result;
    if (result.refusal) throw new SightlineError('input', refusalText(result.refusal));
    signal?.throwIfAborted();
    await Promise.all(
      result.needs.map(async (need) => {
        const fact = round < rounds ? await factOf(need, assets, door, signal) : tooManyRounds;
        facts.set(renditionKey(need), fact);
      }),
    );
    if (round > rounds + 1) throw new SightlineError('bug', 'The planner keeps asking for renditions.');
  }
}

const tooManyRounds = refuse('timed-out', 'The rendition was asked for too late', 'Prepare the request again.');

const memories = new WeakMap<AssetStore, Map<string, Fact>>();
const maxRemembered = 1000;

/** Renditions by content, so that a conversation without a ledger is not rendered anew every turn. */
function memoryOf(assets: AssetStore): Map<string, Fact> {
  const memory = memories.get(assets) ?? new Map<string, Fact>();
  memories.set(assets, memory);
  return memory;
}

async function factOf(need: Rendition, assets: AssetStore, door: Door, signal: AbortSignal | undefined): Promise<Fact> {
  const facts = memoryOf(assets);
  const key = renditionKey(need);
  const known = facts.get(key);
  if (known && (await stillStored(known, assets))) return known;
  const made = await render(need, { assets, ...(signal && { signal }) });
  signal?.throwIfAborted();
  const fact: Fact = made.ok ? { ok: true, value: await guardBlocks(made.value, door) } : made;
  if (!fact.ok && (fact.refusal.code === 'timed-out' || fact.refusal.code === 'cancelled')) return fact;
  facts.set(key, fact);
  const [oldest] = facts.keys();
  if (facts.size > maxRemembered && oldest !== undefined) facts.delete(oldest);
  return fact;
}

async function stillStored(fact: Fact, assets: AssetStore): Promise<boolean> {
  const media = fact.ok ? fact.value.filter(isMedia) : [];
  const stored = await Promise.all(media.map((block) => assets.has(block.asset.id)));
  return stored.every(Boolean);
}

async function goneAssets(transcript: Transcript, sent: AssetId[], assets: AssetStore): Promise<Set<AssetId>> {
  const shown = transcript.messages.flatMap((message) =>
    message.content.filter(isMedia).map((block) => block.asset.id),
  );
  const ids = new Set([...shown, ...sent]);
  const stored = await Promise.all([...ids].map((id) => assets.has(id)));
  return new Set([...ids].filter((_, index) => !stored[index]));
}

function troubleReceipt({ message, block, refusal }: Trouble): Receipt {
  return { action: 'words', subject: `messages[${message}].content[${block}]`, why: refusalText(refusal) };
}
