// A transcript and the name of a model → one request, ready to send by whatever client you have. Media are checked,
// renditions made as the planner asks for them, and nothing is encoded until it is asked for.
import { sharedAssets } from '../asset/memory.ts';
import type { AssetStore } from '../asset/store.ts';
import type { ImageBlock, MediumId } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { toJsonText } from '../content/json.ts';
import { refusalText, SightlineError } from '../content/refusal.ts';
import { safeName } from '../content/text.ts';
import { canReadPictures } from '../media/index.ts';
import { checkTranscript } from '../message/check-transcript.ts';
import { collect } from '../message/collect.ts';
import type { Transcript, TranscriptInput } from '../message/message.ts';
import type { Spent } from '../tool/tool.ts';
import { resolveTranscript } from '../message/check-transcript.ts';
import type { RefusedMedium } from '../message/check-transcript.ts';
import { tighter } from '../window/budget.ts';
import type { Budget, LearnedLimits } from '../window/budget.ts';
import type { ModelName, WireOf } from '../window/catalog.ts';
import { sentFiles } from '../window/ledger.ts';
import type { Ledger } from '../window/ledger.ts';
import type { PlanInput } from '../window/plan.ts';
import { outputForm, settleOutput, settleTools } from '../window/output.ts';
import type { MediaPolicy, RequestOptions, UploadPolicy, UrlPolicy } from '../window/plan-types.ts';
import { bothStated, checkModelName } from '../window/profile.ts';
import type { Profile, ProfileOverrides } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import type { Fact } from '../window/rendition.ts';
import { sightPolicy } from '../window/sight-policy.ts';
import { countPolicy } from '../window/wrong-option.ts';
import { decodeEvents } from '../wire/decode.ts';
import type { AnswerInput } from '../wire/decode.ts';
import { complaintFrom } from './heal/complaint.ts';
import { addressOf } from './address.ts';
import { encoders } from './request-body.ts';
import { describePicture, eyesName } from './eyes.ts';
import { intakeOf } from './intake.ts';
import { conversationOf, goesOn, profileIn } from './conversation.ts';
import type { Conversation } from './conversation.ts';
import { goneAssets, nothingFound, planWithFacts } from './renditions.ts';
import type { FactMakers } from './renditions.ts';
import { settlePictures, unsealLost } from './generated-picture.ts';
import { repairFor, searchable } from './heal/repair.ts';
import { probeMessages, probeOptions } from './heal/bisect.ts';
import type { Remedy, Repair } from './heal/repair-types.ts';
import type { RefusedRequest } from './heal/suspects.ts';
import type { PrepareOptions, Prepared } from './prepared.ts';

export type { KnownModel, ModelName, WireOf } from '../window/catalog.ts';

/**
 * Prepares one request. Bad media become words and a receipt; a model name that means nothing, or newest messages that
 * do not fit the model at all, throw. `intake` is that of a longer run, over the same assets.
 *
 * @example
 * const request = await prepare({ messages: [{ role: 'user', content: 'Hi.' }] }, { model: 'anthropic/claude-sonnet-5' });
 * await new Anthropic().messages.create(await request.sdk());
 */
export async function prepare<const Model extends ModelName>(
  transcript: TranscriptInput,
  options: PrepareOptions<Model>,
  intake: Intake = intakeOf(options),
): Promise<Prepared<WireOf<Model>>> {
  checkModelName((options as PrepareOptions | undefined)?.model);
  checkTranscript(transcript);
  if (typeof options.ledger === 'string')
    throw new SightlineError('input', 'The ledger is text. Give the object: JSON.parse(text).');
  const assets = options.assets ?? sharedAssets();
  const conversation = conversationOf(options.ledger, assets);
  const { transcript: checked, troubles, rows } = await resolveTranscript(transcript, intake, conversation.rows);
  conversation.rows = rows;
  options.signal?.throwIfAborted();
  return build({ checked, troubles, options, assets, intake, conversation, looked: [] }, []) as Promise<
    Prepared<WireOf<Model>>
  >;
}

/** What stays the same while a request is repaired. */
type Frame = {
  checked: Transcript;
  troubles: RefusedMedium[];
  options: PrepareOptions;
  assets: AssetStore;
  intake: Intake;
  conversation: Conversation;
  looked: Spent[];
};

/** Plans with the repairs made so far. The last one starts from what the refused request had decided. */
async function build(frame: Frame, repairs: readonly Repair[], refused?: Ledger): Promise<Prepared> {
  const { checked, troubles, options, assets, intake, conversation } = frame;
  const learned = repairs.reduce((all, repair) => stated(all, repair.profile), options.profile);
  const budget: Budget = Object.assign({}, options.budget, ...repairs.map((repair) => repair.budget));
  const limits = repairs.reduce<LearnedLimits>((all, repair) => tighter(all, repair.limits), {});
  const ledger = refused ?? options.ledger;
  const gone = await goneAssets(checked.messages, ledger, options.model, assets, conversation.found);
  const whole = gone.size === 0 ? checked : { ...checked, messages: unsealLost(checked.messages, gone) };
  const stands = profileIn(conversation, options.model, learned);
  const tools = settleTools(whole, requestOptions(options), stands);
  const asked = settleOutput(tools.transcript, tools.options, stands);
  const input: PlanInput = {
    transcript: asked.transcript,
    profile: stands,
    options: asked.options,
    cache: options.cache ?? 'auto',
    budget,
    limits,
    policy: policyOf(options),
    ...(options.countText && { countText: options.countText }),
    gone,
    ledger,
    readPictures: options.readPictures ?? canReadPictures(),
    urls: urlPolicy(options),
    uploads: await uploadPolicy(options, stands, ledger, repairs),
    ...(options.eyes && { eyes: eyesName(options.eyes) }),
    ...plannedAgain(repairs.at(-1)),
  };
  const done = await planWithFacts(input, assets, intake, options.signal, conversation.planner, makersFor(frame));
  goesOn(conversation, done.ledger);
  const { profile } = done.plan;
  const author = { endpoint: profile.endpoint, model: profile.id };
  const made = encoders(profile.wire, done.plan, assets, options, conversation.items);
  const { json, sdk } = made.encoders;
  const events: Prepared['events'] = (response) => decodeEvents(profile.wire, author, response);
  /** The same request with words where bytes have gone since it was planned, if some have. */
  const withoutLost = async (): Promise<Prepared | undefined> => {
    const now = await goneAssets(checked.messages, done.ledger, profile.model, assets);
    const lost = [...now].filter((id) => !gone.has(id));
    if (lost.length === 0) return undefined;
    conversation.found = { assets, ...nothingFound() };
    const [media, are] = lost.length === 1 ? ['medium', 'is'] : ['media', 'are'];
    const why = `${lost.length} ${media} of this request ${are} no longer stored; words go instead.`;
    return build(frame, [...repairs, { why }], done.ledger);
  };
  const refusedNow = (): RefusedRequest => {
    const { skeleton } = made.skeleton();
    return { ...done, transcript: checked, accepted: options.ledger, skeleton, bytes: made.encoders.contentLength };
  };
  // `assign` keeps the getter among the encoders lazy; a spread would call it.
  return Object.assign(made.encoders, {
    wire: profile.wire,
    ...addressOf(done.plan, options),
    receipts: [...troubles.map(troubleReceipt), ...tools.receipts, ...asked.receipts, ...done.receipts],
    ledger: done.ledger,
    plan: done.plan,
    totals: done.totals,
    troubles,
    looked: frame.looked,
    events,
    decode: async (response: AnswerInput) => settlePictures(await collect(events(response)), intake),
    repairs: repairs.map(({ why }) => why),
    ...(repairs.some((repair) => repair.profile) && learned && { learned }),
    suspects: (error: unknown) => searchable(complaintFrom(error), refusedNow(), repairs),
    probe: (media: readonly MediumId[]) => {
      const messages = probeMessages(checked.messages, media);
      const how = probeOptions({ ...options, ...(learned && { profile: learned }) });
      const aside = { ...frame, looked: [], checked: { version: 1 as const, messages }, troubles: [], options: how };
      return build({ ...aside, conversation: conversationOf(undefined, assets) }, [], done.ledger);
    },
    json: () => json().catch(async (error: unknown) => orThrow(await withoutLost(), error).json()),
    sdk: () => sdk().catch(async (error: unknown) => orThrow(await withoutLost(), error).sdk()),
    repair: async (error: unknown, remedy?: Remedy) => {
      const kept = await withoutLost();
      if (kept) return kept;
      const repair = repairFor(complaintFrom(error), refusedNow(), repairs, remedy);
      if (!repair) return undefined;
      const { files = [], complaint = '' } = repair.forget ?? {};
      const forgotten = repair.forget && (await options.uploads?.forget(profile.files ?? '', files, complaint));
      // Ids that the provider has and does not take are none to send again.
      const chosen = forgotten === 0 ? { ...repair, inline: true as const } : repair;
      const next = await build(frame, [...repairs, chosen], done.ledger).catch(unfit);
      // The same request again would be refused again.
      return next && toJsonText(next.plan) !== toJsonText(done.plan) ? next : undefined;
    },
  }) as Prepared;
}

/** What the planner has to know of the last repair. */
function plannedAgain({ lower, dropThinking, dropUnbound }: Partial<Repair> = {}): Partial<PlanInput> {
  return {
    ...(lower && { lower }),
    ...(dropThinking !== undefined && { dropThinking }),
    ...(dropUnbound !== undefined && { dropUnbound }),
  };
}

function urlPolicy({ urls: { pass = 'user', fetch = false } = {} }: PrepareOptions): UrlPolicy {
  return { pass, fetch: fetch !== false };
}

/** Nothing where nobody uploads, or where the provider did not know an id twice. */
async function uploadPolicy(
  { uploads, model }: PrepareOptions,
  { files }: Profile,
  ledger: Ledger | undefined,
  repairs: readonly Repair[],
): Promise<UploadPolicy | undefined> {
  if (!uploads || files === undefined || repairs.some(({ inline }) => inline)) return undefined;
  const account = await uploads.account(files);
  const sent = sentFiles(ledger, model);
  return account === undefined
    ? undefined
    : { account, stale: sent.length === 0 ? new Set() : await uploads.stale(files, sent) };
}

function makersFor(frame: Frame): FactMakers {
  return {
    uploads: frame.options.uploads,
    describe: lookFor(frame),
    fetch: frame.options.urls?.fetch || undefined,
  };
}

/** Has a picture described by the eyes of a conversation, if it has some. */
function lookFor({
  checked,
  options,
  assets,
  conversation,
  looked,
}: Frame): ((picture: ImageBlock) => Promise<Fact>) | undefined {
  const { eyes, signal, descriptions } = options;
  if (!eyes) return undefined;
  const spent = (one: Spent): void => void looked.push(one);
  const { messages } = checked;
  const look = { eyes, state: conversation.eyes, assets, messages, signal, descriptions, spent, prepare };
  return (picture) => describePicture(picture, look);
}

function orThrow(next: Prepared | undefined, error: unknown): Prepared {
  if (!next) throw error;
  return next;
}

/** When even the least does not fit, there is nothing to repair. */
function unfit(error: unknown): undefined {
  if (error instanceof SightlineError && error.code === 'input') return undefined;
  throw error;
}

function stated(
  before: ProfileOverrides | undefined,
  learned: ProfileOverrides | undefined,
): ProfileOverrides | undefined {
  return learned ? bothStated(before, learned) : before;
}

/** What a request may ask for, but for the form of its answer. */
const askedFor = [
  'maxTokens',
  'temperature',
  'toolChoice',
  'thinking',
  'citations',
  'parallelCalls',
  'stop',
  'topP',
  'topK',
  'seed',
  'verbosity',
  'user',
  'json',
] as const satisfies readonly (keyof RequestOptions)[];

function requestOptions(options: PrepareOptions): RequestOptions {
  const asked: { [Name in keyof RequestOptions]?: unknown } = {};
  for (const name of askedFor) if (options[name] !== undefined) asked[name] = options[name];
  const { output } = options;
  return { ...(asked as RequestOptions), ...(output !== undefined && { output: outputForm(output) }) };
}

function policyOf(options: MediaPolicy): MediaPolicy {
  const { strict, unchanged } = options;
  return {
    ...countPolicy(options),
    ...(strict !== undefined && { strict }),
    ...(unchanged !== undefined && { unchanged }),
    ...sightPolicy(options),
  };
}

function troubleReceipt({ message, block, name, refusal }: RefusedMedium): Receipt {
  const place = `messages[${message}].content[${block}]`;
  const subject = name === undefined ? place : `"${safeName(name)}" in ${place}`;
  return { action: 'words', subject, why: refusalText(refusal) };
}
