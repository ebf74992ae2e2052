// A fetch to put under the SDK you have. It looks at each request on its way out: where a tool's pictures and documents
// stand as text, in a shape the API does not know, twice or nowhere at all, they are put where the model sees them.
// Requests without media, requests of other APIs and all answers pass as they are.
import type { AssetStore } from '../content/asset-store.ts';
import { mediaTypeOf } from '../content/header-intake.ts';
import { isRecord, parsed } from '../content/json.ts';
import { mayRefer } from '../content/parse.ts';
import { SightlineError } from '../content/refusal.ts';
import { utf8Length } from '../content/text.ts';
import { complaintOf } from '../model/heal/complaint.ts';
import type { Complaint } from '../model/heal/complaint.ts';
import { redact, redactUrl } from '../model/redact.ts';
import type { Recorder, RequestRecord } from '../record/record.ts';
import { foreignBody } from '../record/foreign.ts';
import { openRecord } from '../model/recorder.ts';
import { tellActiveSpan } from '../model/telemetry.ts';
import { mayHoldMedia } from '../tool/walk.ts';
import type { DescriptionTable } from '../model/descriptions.ts';
import type { Eyes, UrlOptions } from '../model/prepared.ts';
import type { Spent } from '../tool/tool.ts';
import { ceilings } from '../window/budget.ts';
import type { Budget } from '../window/budget.ts';
import { bothStated, endpointAt, profileFor } from '../window/profile.ts';
import type { MediaPolicy, UrlPolicy } from '../window/plan-types.ts';
import type { Profile, ProfileOverrides } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import { sightPolicy } from '../window/sight-policy.ts';
import { sightedProfile, unseenOf, withUnseen } from '../window/unseen.ts';
import { matchRoute, wires } from '../wire/registry.ts';
import { makeBody } from './body.ts';
import type { Made, BodySource } from './body.ts';
import { remediesFor } from './heal.ts';
import { heardAlong } from './heard.ts';
import { learnAbout, mediumKey, openMemory, trialOf } from './memory.ts';
import type { FetchMemory } from './memory.ts';
import { outlineOf } from './body-outline.ts';
import { unmarked } from './marked.ts';
import type { MarkedText } from './marked.ts';
import { look } from './request.ts';
import type { SeenRequest } from './request.ts';
import { sendPieces, spells } from './send-pieces.ts';
import type { SendLong } from './send-pieces.ts';
import { fewestLetters, turnsIn } from './turns.ts';
import type { OpenWorkshop, Workshop } from './workshop.ts';

/** What the fetch knows about models, and where it keeps media. */
export type FetchOptions = Pick<MediaPolicy, 'tiles' | 'legibility' | 'pages'> & {
  /** The fetch that really sends; the global one by default. */
  fetch?: typeof fetch;
  /** `endpoint/model`, where the address and the body do not tell it: a deployment, a gateway, a name of your own. */
  model?: string;
  /** What you know better about the model than the catalog does. */
  profile?: ProfileOverrides;
  /** Ceilings of a whole request below those of the model. */
  budget?: Budget;
  /** Where media are kept; by default in bounded memory. */
  assets?: AssetStore;
  /** A model that sees, which describes pictures for one that does not: `endpoint/model`. Never guessed, for pictures then
   * go to its vendor. Not on edge workers. */
  eyes?: Eyes;
  /** Where its descriptions are kept for other processes and later; by default with the assets. */
  descriptions?: DescriptionTable;
  /** What becomes of media by their addresses. All pass unless set, for your SDK wrote them; what the API shows nobody there
   * moves, is fetched from where `fetch` allows, or becomes words. */
  urls?: UrlOptions;
  /** Told what `eyes` took. */
  onSpent?: (spent: Spent) => void;
  /** Told of every request with media: what became of each, and why. */
  onReceipts?: (receipts: Receipt[], about: { url: string; model: string }) => void;
  /** Told of every request: what left, and how it ended, without keys. That of `openSessions` keeps it. */
  recorder?: Recorder;
};

type Input = Parameters<typeof fetch>[0];

/** `closely`: blocks with too few letters for a medium are looked at, too. */
type Seen = SeenRequest & { marks: MarkedText; putBefore: FetchMemory['recorded']; closely: boolean };

type Told = FetchOptions & { fetch: typeof fetch };

/** A request that was looked at, and the text that goes out for it. */
type Opened = { source: BodySource; made: Made; server: string };

/** What sends, and tells of each request by itself who wants to hear of it. */
export type RepairingFetch = (
  input: Input,
  init: RequestInit | undefined,
  own?: Pick<FetchOptions, 'onReceipts' | 'onSpent' | 'recorder' | 'fetch'> & { marks?: MarkedText },
) => Promise<Response>;

/** Throws where the maker of a fetch was given to an SDK instead of what it makes: that one calls it with an address. */
function checkNotAsked(given: unknown): void {
  if (isRecord(given) && !(given instanceof URL || given instanceof Request)) return;
  throw new SightlineError(
    'input',
    'sightlineFetch makes a fetch, and takes options. Write fetch: sightlineFetch(), or sightlineFetch({ fetch }) over one of your own.',
  );
}

/** Makes the fetch over a workshop: Node's, or the bare one of edge workers. `sendLong` is how the global fetch gets long bodies; a
 * fetch of the caller's own gets texts, as from the SDK. */
export function fetchOver(openWorkshop: OpenWorkshop, options: FetchOptions = {}, sendLong?: SendLong): RepairingFetch {
  checkNotAsked(options);
  if (options.model !== undefined) profileFor(options.model, options.profile); // a wrong name is told here, not later
  const memory = openMemory();
  const isBlind = options.profile?.capabilities?.vision === false;
  const sight = options.eyes && { eyes: options.eyes, descriptions: options.descriptions };
  const policy = sightPolicy(options);
  // Taken now: the global one may well become this very function.
  const globalFetch = options.fetch ?? globalThis.fetch;
  let workshop: Promise<Workshop> | undefined;

  const make = async (seen: Seen, told: FetchOptions, known = memory): Promise<Opened | undefined> => {
    const found = openRequest(seen, told, known);
    if (!found) return undefined;
    const made = await makeBody(
      found.source,
      known,
      await (workshop ??= openWorkshop(options.assets, sight, options.urls?.fetch || undefined, found.source.text).then(
        (opened) => ({ ...opened, policy, isBlind }),
      )),
    );
    return { ...found, made };
  };

  const sendMade = ({ pieces }: Made, seen: Seen, send: typeof fetch): Promise<Response> =>
    sendPieces(pieces, seen, send, send === globalFetch && !options.fetch ? sendLong : undefined);

  /** Sends what may help against the provider's complaint, a few times at most; else its own answer comes back. */
  const heal = async (refused: Response, opened: Opened | undefined, seen: Seen, told: Told): Promise<Response> => {
    const complaint = await complaintIn(refused);
    if (!complaint) return refused;
    const closely = complaint.code === 'media' && !seen.closely ? await healClosely(refused, opened, seen, told) : {};
    const first = closely.opened ?? opened;
    const newest = closely.answer ? await complaintIn(closely.answer) : complaint;
    if (!newest || !first) return closely.answer ?? refused;
    const again = closely.opened ? { ...seen, closely: true } : seen;
    const answer = await healMedia(closely.answer ?? refused, newest, first, again, told);
    if (answer.ok) memory.closely ||= again.closely;
    return answer;
  };

  /** What is too short for a medium may be a block that says it is one, of which nothing is left. From then on it is looked at. */
  const healClosely = async (
    refused: Response,
    opened: Opened | undefined,
    seen: Seen,
    told: Told,
  ): Promise<{ answer?: Response; opened?: Opened }> => {
    const next = await make({ ...seen, closely: true }, told).catch((error: unknown) => goOnAsItIs(error, seen, told));
    if (!next || spells(next.made.pieces, opened?.made.pieces.join('') ?? seen.text)) return {};
    const answer = await sendAgain(next, refused, seen, told);
    if (answer.ok) memory.closely = true;
    return { answer, opened: next };
  };

  /** The same request written anew, with why. */
  const sendAgain = async (next: Opened, refused: Response, seen: Seen, told: Told): Promise<Response> => {
    const { model } = next.source.profile;
    const why = `the provider refused the request: ${(await complaintIn(refused))?.message}`;
    tell([{ action: 'checkpoint', subject: 'quarantine', why }, ...next.made.receipts], seen, model, told);
    const answer = await recorded(next, seen, told, memory, [why], () => sendMade(next.made, seen, told.fetch));
    await letGo(refused);
    if (answer.ok) take(next.made, model, memory);
    return answer;
  };

  const healMedia = async (
    refused: Response,
    complaint: Complaint,
    { made, source, server }: Opened,
    seen: Seen,
    told: Told,
  ): Promise<Response> => {
    const { model } = source.profile;
    let response = refused;
    for (const remedy of remediesFor(complaint, made, { model, server }, memory)) {
      const trial = trialOf(memory);
      remedy(trial.memory);
      const next = await make(seen, told, trial.memory).catch((error: unknown) => goOnAsItIs(error, seen, told));
      if (!next || spells(next.made.pieces, made.pieces.join(''))) continue;
      response = await sendAgain(next, response, seen, told);
      if (response.ok) {
        trial.keep();
        return response;
      }
      if ((await complaintIn(response))?.code !== complaint.code) return response;
    }
    return response;
  };

  return async (input, init, own) => {
    const { marks = unmarked, ...others } = own ?? {};
    const told = { ...options, fetch: globalFetch, ...others };
    const { fetch: send } = told;
    const looked = await look(input, init, (url) => matchRoute(url) !== undefined).catch(() => undefined);
    if (!looked) return send(input, init);
    const seen = { ...looked, marks, putBefore: memory.recorded, closely: memory.closely };
    const asItIs = (): Promise<Response> => recordedAsItIs(seen, told, () => send(input, init));
    const asItCame = async (): Promise<Response> => {
      const response = await asItIs();
      return response.ok || seen.isSigned ? response : heal(response, undefined, seen, told);
    };
    const mayHold = seen.closely || mayHoldMedia(seen.text, fewestLetters) || mayRefer(seen.text); // letters are found sooner
    if (!mayHold) return asItCame();
    if (seen.isSigned) {
      tell([signedReceipt], seen, options.model ?? '', told);
      return asItIs();
    }
    const first = await make(seen, told).catch((error: unknown) => goOnAsItIs(error, seen, told));
    if (!first) return asItCame();
    const { made, source } = first;
    const { model } = source.profile;
    tell(made.receipts, seen, model, told);
    const response = await recorded(first, seen, told, memory, [], () =>
      spells(made.pieces, seen.text) ? send(input, init) : sendMade(made, seen, send),
    );
    if (response.ok) take(made, model, memory);
    return response.ok ? response : heal(response, first, seen, told);
  };
}

/** Remembers which media a model has taken. */
function take({ parts }: Made, model: string, memory: FetchMemory): void {
  for (const { known } of parts)
    for (const id of [...known.media, ...known.elsewhere]) memory.taken.set(mediumKey(model, id), true);
}

/** Whoever signs the bytes of a request has it refused when one of them changes. */
const signedReceipt: Receipt = {
  action: 'ignored',
  subject: 'the request',
  why: 'its bytes are signed, so it goes as it came; with a key of Bedrock (AWS_BEARER_TOKEN_BEDROCK) they need no signature',
};

/** Sends, tells the recorder what left and what came back, and learns from the answer which media were not seen. */
async function recorded(
  { source, made, server }: Opened,
  seen: Seen,
  options: FetchOptions,
  memory: FetchMemory,
  repairs: string[],
  go: () => Promise<Response>,
): Promise<Response> {
  const { pieces, receipts, parts } = made;
  const { profile } = source;
  const ways = parts.flatMap(({ known }) => known.ways);
  const response = await recordedText({ profile, pieces, receipts, repairs }, seen, options, go);
  if (ways.length === 0 || !response.ok || !wires[profile.wire].turns.countsKinds) return response;
  const { secrets, signal } = seen;
  return heardAlong(response, { wire: profile.wire, profile, secrets, signal }, ({ usage }) => {
    const blind = unseenOf(ways, usage, profile);
    if (!blind) return;
    learnAbout(memory, server, { unseen: withUnseen(memory.learned.get(server)?.unseen ?? {}, blind.unseen) });
    tell(blind.receipts, seen, profile.model, options);
  });
}

/** The same for a request that nothing had to be done about. */
async function recordedAsItIs(seen: Seen, options: FetchOptions, go: () => Promise<Response>): Promise<Response> {
  const route = options.recorder && matchRoute(seen.url);
  const named = route && modelOf(route, seen, options, outlineOf(seen.text, wires[route.wire].places.items)?.frame);
  if (!route || !named) return go();
  const profile = profileUnlessUnknown(named, options.profile);
  if (!profile) return go();
  const leaving = { profile: { ...profile, wire: route.wire }, pieces: [seen.text], receipts: [], repairs: [] };
  return recordedText(leaving, seen, options, go);
}

/** A name that nobody knows is no reason to fail a request. */
function profileUnlessUnknown(...given: Parameters<typeof profileFor>): Profile | undefined {
  try {
    return profileFor(...given);
  } catch {
    return undefined;
  }
}

type Leaving = Pick<RequestRecord, 'receipts' | 'repairs'> & { profile: Profile; pieces: readonly string[] };

async function recordedText(
  { profile, pieces, receipts, repairs }: Leaving,
  { url, signal, marks, secrets, putBefore }: Seen,
  { recorder, assets }: FetchOptions,
  go: () => Promise<Response>,
): Promise<Response> {
  if (!recorder) return go();
  const text = pieces.join('');
  const began = Date.now();
  const { wire, model } = profile;
  const record: RequestRecord = {
    version: 1,
    id: crypto.randomUUID(),
    time: began,
    purpose: 'answer',
    via: 'fetch',
    model,
    wire,
    url: redactUrl(url.href),
    bytes: utf8Length(text) - text.length + marks.lengthOf(text),
    receipts,
    repairs,
  };
  const store = recorder.assets ?? assets;
  const { over } = openRecord(recorder, record, () =>
    foreignBody(
      marks.whole(text),
      store && ((bytes) => store.put(bytes, { mediaType: mediaTypeOf(bytes) })),
      putBefore,
    ),
  );
  const since = (): number => Date.now() - began;
  try {
    const response = await go();
    const [{ status }, firstMs] = [response, since()];
    return heardAlong(response, { wire, profile, secrets, signal }, (heard) =>
      over({ ...heard, attempts: [{ ms: firstMs, status }], latency: { firstMs, totalMs: since() } }),
    );
  } catch (error) {
    over({ state: signal?.aborted ? 'aborted' : 'broken', attempts: [{ ms: since() }] });
    throw error;
  }
}

/** A request in which there is something to look after. */
function openRequest(
  seen: Seen,
  options: FetchOptions,
  memory: FetchMemory,
): { source: BodySource; server: string } | undefined {
  const { url, text, signal, marks, closely } = seen;
  const route = matchRoute(url);
  if (!route) return undefined;
  const { items: list } = wires[route.wire].places;
  const outline = outlineOf(text, list);
  if (!outline) return undefined;
  const turns = turnsIn(outline.items, text, route.wire, closely);
  if (turns.length === 0) return undefined;
  const name = modelOf(route, seen, options, outline.frame);
  const server = `${url.origin} ${name}`;
  const learned = memory.learned.get(server);
  const unseen = learned?.unseen ?? {};
  const profile = sightedProfile(profileFor(name, bothStated(options.profile, learned?.profile)), unseen);
  if (profile.wire !== route.wire) return undefined; // the model that was named speaks another dialect
  // Tokens are only counted for a caller who asks: how much room the answer takes is the SDK's affair.
  const tokens = options.budget?.tokens ?? Infinity;
  const ceiling = { ...ceilings(profile, {}, options.budget, { images: learned?.images ?? Infinity }), tokens };
  const spent = (one: Spent): void => tellSpent(one, options);
  const urls: UrlPolicy = { pass: options.urls?.pass ?? 'all', fetch: Boolean(options.urls?.fetch) };
  return { source: { text, outline, turns, list, profile, ceiling, signal, marks, urls, unseen, spent }, server };
}

/** `endpoint/model`, as the caller, the address or the body names it. */
function modelOf(
  { wire, model }: NonNullable<ReturnType<typeof matchRoute>>,
  { url }: Seen,
  options: FetchOptions,
  frame = '{}',
): string {
  const body = parsed(frame);
  const asked = isRecord(body) ? body[wires[wire].places.model] : undefined;
  const id = model ?? (typeof asked === 'string' ? asked : 'unknown');
  return options.model ?? `${endpointAt(url, wire, id)}/${id}`;
}

/** Whatever goes wrong here, the request goes out as its SDK wrote it; an abort is the caller's own. */
function goOnAsItIs(error: unknown, seen: Seen, options: FetchOptions): undefined {
  seen.signal?.throwIfAborted();
  const why =
    error instanceof SightlineError || error instanceof Error ? redact(error.message) : 'it could not be read';
  tell([{ action: 'ignored', subject: 'the request', why }], seen, options.model ?? '', options);
}

function tell(receipts: Receipt[], { url }: Seen, model: string, { onReceipts }: FetchOptions): void {
  if (receipts.length === 0) return;
  tellActiveSpan(model, receipts);
  try {
    onReceipts?.(receipts, { url: redactUrl(url.href), model });
  } catch {
    // a listener must not stop a request
  }
}

function tellSpent(spent: Spent, { onSpent }: FetchOptions): void {
  try {
    onSpent?.(spent);
  } catch {
    // a listener must not stop a request
  }
}

/** Nobody reads this answer any more. Those of other libraries may be streams that cannot be told so. */
async function letGo({ body }: Response): Promise<void> {
  if (body && 'cancel' in body) await body.cancel();
}

/** What a provider complains of, read from a copy: the answer itself stays unread. Nothing where waiting would help. */
async function complaintIn(response: Response): Promise<Complaint | undefined> {
  const { status, headers } = response;
  if (status < 400 || status > 500 || status === 429) return undefined;
  const copy = response.clone();
  const words = await copy.text().catch(() => '');
  return complaintOf(status, words, headers);
}
