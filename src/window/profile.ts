// What a model on an endpoint takes, as data: where each kind of medium may stand, every limit, every dialect flag.
// `profileFor` puts it together from the catalog's rows; what a row does not know stays safe (text only).
import type { Detail, MediaKind } from '../content/block.ts';
import { canonicalJson, isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import { digest } from '../content/text.ts';
import { carriersAt, endpoints, families, isEndpoint, safeFamily, usualModels, wires } from './catalog.ts';
import type { EndpointName, EndpointRow, Family, WireName } from './catalog.ts';
import { pricesOf } from './prices.ts';
import { unshown } from './rules.ts';
import type { Carriers, MediumRule, TokenRule, ThinkingStyle, ManyImages, Prices, Dialect } from './rules.ts';

export type { WireName } from './catalog.ts';

/** What a model on an endpoint takes: places of media, limits, formulas. */
export type Profile = {
  /** `endpoint/model`, as asked for. */
  model: string;
  endpoint: string;
  wire: WireName;
  /** The model's name on the wire. */
  id: string;
  family: string;
  /** What the user stated about the model, as a digest: a change of it holds at once, a newer catalog does not. */
  stated: string;
  /** Set when the model itself is not known and was planned as another. */
  assumed?: string;
  media: Record<MediaKind, MediumRule>;
  /** Whose file ids it takes. */
  files?: string;
  details: readonly Detail[];
  defaultDetail: Detail;
  /** The request asks for a low resolution of all its media. */
  lowResolution?: true;
  tokens: TokenRule;
  contextTokens: number;
  /** What is asked for unless somebody asks for more. */
  maxOutputTokens: number;
  /** More than this it does not write, where somebody knows. */
  mostOutputTokens?: number;
  requestBytes: number;
  maxImages: number;
  /** How many documents a request may hold, where an API counts them. */
  maxDocuments?: number;
  /** With more pictures than this in a request, none may be larger than so many pixels. */
  manyImages?: ManyImages;
  /** The long edge of a picture whose author asked for its original, where more than the canonical size is seen. */
  largeEdge?: number;
  /** The public tokenizer of its texts, where it has one. */
  tokenizer?: 'o200k';
  /** What tokens cost; left out where nobody knows. */
  prices?: Prices;
  callId: { pattern: string; max: number };
  thinking: ThinkingStyle;
  thinkingOff: boolean;
  /** Knows more than `high`. */
  thinkingMax: boolean;
  /** Knows `xhigh` besides `max`; where only one of them is known, it is what `max` means. */
  xhighBelowMax?: true;
  thinkingMedium: boolean;
  maxThinkingTokens: number;
  /** Thinking goes back only behind exactly what stood before it when it was made. */
  boundThinking: boolean;
  /** Its thinking comes without words unless they are asked for. */
  thinkingOmitted: boolean;

  temperature: boolean;
  toolChoice: boolean;
  /** It can be asked to name the places in documents that its words come from. */
  citations: boolean;
  /** Thinking goes with a free choice of tools only, and only in a turn that began with it. */
  strictThinking: boolean;
  /** A request must end with something of the user's. */
  userLast: boolean;
  /** A result can say that it failed; elsewhere its words have to. */
  errorFlag: boolean;
  /** Whether text and media of a result keep their order on the wire; where not, a note marks each place. */
  interleaved: boolean;
  /** Prompt cache: marks in the body, a routing key, or nothing to send. */
  cache: 'marks' | 'key' | 'none';
  /** Beside the key, marks in the body are known too. */
  breakpoints: boolean;
  /** The first call of a turn must carry a signature; a foreign one gets the documented sentinel. */
  signedCalls: boolean;
  /** Function tools work only while reasoning is off, or, where that is usual, while nothing is said of it. */
  toolsNeedNoThinking: boolean | 'unsaid';
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  dialect: Dialect;
  /** Words of the program that open media after results, under ours. */
  mediaLead?: string;
};

/** The capabilities a person may state in a configuration; each one overrides what was detected. */
export type Capabilities = {
  vision: boolean;
  nativePdf: boolean;
  thinking: boolean;
  audioInput: boolean;
  videoInput: boolean;
  /** It names its sources in documents when asked to. */
  citations: boolean;
  /** Media may stand inside tool results. */
  toolMedia: boolean;
};

/** What a model takes where pictures, documents and videos stay at home. */
export const wordsAlone: Partial<Capabilities> = { vision: false, nativePdf: false, videoInput: false };

/** What somebody knows better about a model than the catalog. */
export type ProfileOverrides = {
  capabilities?: Partial<Capabilities>;
  /** Plan as this model, e.g. for an Azure deployment: `gpt-5.2`. */
  as?: string;
  contextTokens?: number;
  maxOutputTokens?: number;
  imageDetail?: Detail;
  prices?: Prices;
  dialect?: Partial<Dialect>;
  /** Words to open media with that follow the results of tools; they stand under the line that says whose media those are. */
  mediaLead?: string;
};

/**
 * `endpoint/model` → profile. Throws for a name that is not of this form or an endpoint nobody knows.
 *
 * @example
 * console.log(profileFor('anthropic/claude-sonnet-5').contextTokens);
 */
export function profileFor(model: string, overrides: ProfileOverrides = {}): Profile {
  const { row, id } = rowOf(model);
  const named = overrides.as ?? id;
  const known = findFamily(named, row.wire);
  const assumed = known || !row.assume ? undefined : row.assume;
  const family = known ?? (assumed === undefined ? undefined : findFamily(assumed, row.wire)) ?? safeFamily;
  const base = wires[row.wire];
  const low = overrides.imageDetail === 'low' ? family.lowTokens : undefined;
  const prices = overrides.prices ?? pricesOf(plainName(named));
  const mediaLead = overrides.mediaLead?.trim();
  const profile: Profile = {
    model,
    endpoint: row.name,
    wire: row.wire,
    id,
    family: family.name,
    stated: statedBy(overrides),
    ...(assumed !== undefined && { assumed }),
    media: mediaRules(family, row.wire, row),
    ...(row.files !== undefined && { files: row.files }),
    details: base.details.length === 0 ? [] : (family.details ?? base.details),
    defaultDetail: overrides.imageDetail ?? 'high',
    tokens: { ...base.tokens, ...family.tokens, ...low },
    ...(low && { lowResolution: true as const }),
    contextTokens: overrides.contextTokens ?? family.contextTokens ?? base.contextTokens,
    ...(overrides.maxOutputTokens !== undefined && { mostOutputTokens: overrides.maxOutputTokens }),
    maxOutputTokens: overrides.maxOutputTokens ?? family.maxOutputTokens ?? base.maxOutputTokens,
    requestBytes: row.requestBytes ?? base.requestBytes,
    maxImages: Math.min(family.maxImages ?? base.maxImages, row.maxImages ?? Infinity),
    ...(base.maxDocuments !== undefined && { maxDocuments: base.maxDocuments }),
    ...(base.manyImages && { manyImages: base.manyImages }),
    ...largeEdge(family),
    ...(family.vendor === 'openai' && { tokenizer: 'o200k' as const }),
    ...(prices && { prices }),
    callId: row.callId ?? base.callId,
    ...thinkingOf(family),
    temperature: base.temperature && (family.temperature ?? true),
    toolChoice: base.toolChoice,
    citations: base.citations === true && (family.pdf ?? false),
    strictThinking: base.strictThinking,
    userLast: base.userLast,
    errorFlag: base.errorFlag,
    interleaved: base.interleaved,
    cache: !row.markedVendors || row.markedVendors.includes(family.vendor ?? '') ? (row.cache ?? base.cache) : 'none',
    breakpoints: row.breakpoints === true && (family.breakpoints ?? false),
    signedCalls: family.signedCalls ?? false,
    toolsNeedNoThinking: row.toolsOrThinking === true && (family.toolsNeedNoThinking ?? false),
    maxTokensField: row.maxTokensField ?? 'max_completion_tokens',
    dialect: {
      toolName: false,
      bridge: family.bridge ?? false,
      streamUsage: true,
      ...row.dialect,
      ...overrides.dialect,
    },
    ...(mediaLead && { mediaLead: mediaLead.toWellFormed() }),
  };
  return override(profile, overrides.capabilities, family);
}

/** Of two statements about a model both; the second goes over the first. */
export function bothStated(one: ProfileOverrides = {}, other: ProfileOverrides = {}): ProfileOverrides {
  const { capabilities: _capabilities, dialect: _dialect, ...joined } = { ...one, ...other };
  const capabilities = { ...one.capabilities, ...other.capabilities };
  const dialect = { ...one.dialect, ...other.dialect };
  return {
    ...joined,
    ...(Object.keys(capabilities).length > 0 && { capabilities }),
    ...(Object.keys(dialect).length > 0 && { dialect }),
  };
}

/** What somebody states about a model, as a digest; in which order does not count. */
export function statedBy(overrides: ProfileOverrides = {}): string {
  return digest(canonicalJson(overrides));
}

/** Throws for what names no model, without looking for what the catalog says about it. */
export function checkModelName(model: unknown): void {
  rowOf(model as string);
}

/** The row of the endpoint that a name begins with, and the model's name there. */
function rowOf(model: string): { row: EndpointRow; id: string } {
  if (typeof model !== 'string' || model === '')
    throw new SightlineError(
      'config',
      `No model is named. Give one as endpoint/model, such as anthropic/${usualModels['anthropic']}.`,
    );
  const slash = model.indexOf('/');
  const endpoint = model.slice(0, Math.max(slash, 0)).toLowerCase();
  const id = model.slice(slash + 1);
  if (slash < 1 || id === '' || !isEndpoint(endpoint)) throw unknownModel(model, endpoint);
  return { row: endpoints[endpoint], id };
}

type ThinkingRules = Pick<
  Profile,
  | 'thinking'
  | 'thinkingOff'
  | 'thinkingMax'
  | 'xhighBelowMax'
  | 'thinkingMedium'
  | 'maxThinkingTokens'
  | 'boundThinking'
  | 'thinkingOmitted'
>;

function thinkingOf(family: Family): ThinkingRules {
  return {
    thinking: family.thinking ?? 'none',
    thinkingOff: family.thinkingOff ?? true,
    thinkingMax: family.thinkingMax ?? true,
    ...(family.xhighBelowMax && { xhighBelowMax: true }),
    thinkingMedium: family.thinkingMedium ?? true,
    maxThinkingTokens: family.maxThinkingTokens ?? 32_768,
    boundThinking: family.boundThinking ?? false,
    thinkingOmitted: family.thinkingOmitted ?? false,
  };
}

function largeEdge({ details, tokens, vision }: Family): { largeEdge?: number } {
  if (!vision) return {};
  if (details?.includes('original')) return { largeEdge: 6000 };
  return tokens?.image?.by === 'patches' ? { largeEdge: tokens.image.maxEdge } : {};
}

/**
 * What a profile amounts to, in the words of a configuration.
 *
 * @example
 * console.log(capabilitiesOf(profileFor('ollama/llava')));
 */
export function capabilitiesOf(profile: Profile): Capabilities {
  if (!isRecord(profile))
    throw new SightlineError(
      'input',
      `capabilitiesOf takes a profile: capabilitiesOf(profileFor('${String(profile)}')).`,
    );
  const { image, document, audio, video } = profile.media;
  return {
    vision: image.types.length > 0,
    nativePdf: document.types.length > 0,
    thinking: profile.thinking !== 'none',
    audioInput: audio.types.length > 0,
    videoInput: video.types.length > 0,
    citations: profile.citations,
    toolMedia: image.result === 'inside',
  };
}

/** The row of the catalog that knows this model, whatever vendor prefixes and date suffixes its name carries. */
export function findFamily(id: string, wire: WireName): Family | undefined {
  const name = plainName(id.replace(/^ft:/, '')); // a model of one's own takes what the one it was made of takes
  return families.find((family) => (!family.wires || family.wires.includes(wire)) && family.match.test(name));
}

/** `us.anthropic.claude-sonnet-4-5-v1:0`, `openrouter/anthropic/claude-sonnet-4.5` → `claude-sonnet-4-5`. */
function plainName(id: string): string {
  const last = id.toLowerCase().split('/').at(-1) ?? '';
  const name = last
    .replace(
      /^(?:[a-z]{2,6}(?:-[a-z]+)?\.)?(?:anthropic|openai|google|meta|mistral|amazon|qwen|deepseek|moonshotai|xai)\./,
      '',
    )
    .replace(/@.*$/, '')
    .replace(/-(?:\d{4}-\d{2}-\d{2}|20\d{6})(?=$|-|:)/, '');
  return name.startsWith('claude') ? name.replaceAll('.', '-') : name;
}

/** The endpoint at an address, for requests of others. A host that nobody knows serves what the name of its model says. */
export function endpointAt({ hostname, pathname }: URL, wire: WireName, model: string): EndpointName | undefined {
  const rows = Object.entries(endpoints).filter(([, row]) => row.wire === wire) as [EndpointName, EndpointRow][];
  const isAt = ({ hosts = [], paths = [] }: EndpointRow): boolean =>
    hosts.some((ending) => hostname === ending || ['.', '-'].some((mark) => hostname.endsWith(mark + ending))) ||
    paths.some((part) => pathname.includes(part));
  const vendor = findFamily(model, wire)?.vendor;
  const found =
    rows.find(([, row]) => isAt(row)) ??
    rows.find(([, row]) => row.vendor !== undefined && row.vendor === vendor) ??
    rows.find(([, row]) => row.elsewhere) ??
    rows[0];
  return found?.[0];
}

function unknownModel(model: string, endpoint: string): SightlineError {
  const name = model.slice(model.indexOf('/') + 1);
  const guess = Object.values(endpoints).find((row) => row.vendor && findFamily(name, row.wire)?.vendor === row.vendor);
  const next = guess
    ? `Did you mean ${guess.name}/${name}? A model is written as endpoint/model.`
    : `A model is written as endpoint/model, with one of these endpoints: ${Object.keys(endpoints).join(', ')}.`;
  if (isEndpoint(endpoint))
    return new SightlineError(
      'config',
      `The model "${model}" has an endpoint and no name. Write one behind it: ${endpoint}/${usualModels[endpoint] ?? 'NAME'}.`,
    );
  const what = endpoint === '' ? 'has no endpoint' : `has an unknown endpoint "${endpoint}"`;
  return new SightlineError('config', `The model "${model}" ${what}. ${next}`);
}

/** Placements of the wire, narrowed to what the family can perceive at all. */
function mediaRules(family: Family, wire: WireName, row: EndpointRow): Record<MediaKind, MediumRule> {
  const base = wires[wire].media;
  const rule = (kind: MediaKind, on: boolean): MediumRule => {
    const types = on ? (family.types?.[kind] ?? base[kind].types) : [];
    if (types.length === 0) return unshown(base[kind]);
    const inside = family.toolMedia ?? isShownInside(base[kind], family);
    const result = base[kind].result === 'words' ? 'words' : inside && base[kind].insideAllowed ? 'inside' : 'after';
    const errorResult = result === 'inside' ? base[kind].errorResult : result;
    const carriers = carriersFor(carriersAt(row.name, kind), result);
    return { ...base[kind], types, result, errorResult, carriers, ...family.limits?.[kind] };
  };
  const image = rule('image', family.vision);
  return {
    image: { ...image, maxBase64: Math.min(image.maxBase64, row.maxImageBase64 ?? image.maxBase64) },
    document:
      row.pdf === false && family.vision
        ? { ...rule('document', false), carriers: carriersAt(row.name, 'document') } // by reference alone, if at all
        : rule('document', row.pdf === 'each' || ((row.pdf ?? true) && (family.pdf ?? false))),
    audio: rule('audio', family.audio ?? false),
    video: rule('video', family.video ?? false),
  };
}

/** Whether models of a family are shown a kind of media inside results. */
function isShownInside(
  { result, insideFor }: (typeof wires)[WireName]['media'][MediaKind],
  { vendor = '' }: Family,
): boolean {
  return result === 'inside' && (!insideFor || insideFor.includes(vendor));
}

/** A model that takes nothing inside results takes no reference there either. */
function carriersFor({ url, file }: Carriers, result: MediumRule['result']): Carriers {
  const settle = (carried: NonNullable<Carriers['url']>): typeof carried =>
    carried.result === 'inside' && result !== 'inside' ? { ...carried, result } : carried;
  return { ...(url && { url: settle(url) }), ...(file && { file: settle(file) }) };
}

function override(profile: Profile, stated: Partial<Capabilities> | undefined, family: Family): Profile {
  if (!stated) return profile;
  const base = wires[profile.wire].media;
  const kinds: [MediaKind, boolean | undefined][] = [
    ['image', stated.vision],
    ['document', stated.nativePdf],
    ['audio', stated.audioInput],
    ['video', stated.videoInput],
  ];
  const media = { ...profile.media };
  for (const [kind, on] of kinds) {
    if (on === true && media[kind].types.length === 0) {
      const hasToFollow = base[kind].result === 'inside' && !isShownInside(base[kind], family);
      const rule = hasToFollow
        ? { ...base[kind], result: 'after' as const, errorResult: 'after' as const }
        : base[kind];
      media[kind] = { ...rule, carriers: carriersFor(carriersAt(profile.endpoint, kind), rule.result) };
    }
    if (on === false) media[kind] = unshown(media[kind]);
  }
  if (stated.toolMedia !== undefined) {
    for (const kind of ['image', 'document'] as const) {
      if (media[kind].result === 'words') continue;
      const allowed = stated.toolMedia && base[kind].insideAllowed;
      const errorResult = allowed && base[kind].errorResult === 'inside' ? 'inside' : 'after';
      const result = allowed ? 'inside' : 'after';
      media[kind] = { ...media[kind], result, errorResult, carriers: carriersFor(media[kind].carriers, result) };
    }
  }
  const citations = wires[profile.wire].citations === true && (stated.citations ?? profile.citations);
  return { ...profile, media, citations, thinking: thinkingStyle(profile, stated.thinking) };
}

function thinkingStyle(profile: Profile, stated: boolean | undefined): ThinkingStyle {
  if (stated === false) return 'none';
  return stated && profile.thinking === 'none' ? wires[profile.wire].thinking : profile.thinking;
}
