// Data: what each wire, endpoint and model family takes. The only place with model names. Facts are from the vendors'
// SDK types, API documents and server sources as of the date below; the reason stands beside a value that needs one.
// First matching family wins; a model nobody knows gets the safe row: words only.
import type { Detail, MediaKind } from '../content/block.ts';
import type {
  Carried,
  Carriers,
  Dialect,
  ImageTokens,
  ManyImages,
  MediumRule,
  ThinkingStyle,
  TokenRule,
} from './rules.ts';

/** The day up to which the catalog knows. */
export const catalogDate = '2026-11-15';

const KiB = 1024;
const MiB = 1024 * KiB;
const unlimited: number = Number.MAX_SAFE_INTEGER;

const stillPictures = ['image/png', 'image/jpeg', 'image/webp']; // a GIF may move, which OpenAI refuses
export const fourPictures: readonly string[] = [...stillPictures, 'image/gif'];

/** Stands in a rule for every media type of its kind. */
export const anyType = '*';

type WireMedium = MediumRule & {
  /** Whether the dialect has a place for this kind inside a tool result at all. */
  insideAllowed: boolean;
  /** Inside results only models of these vendors are shown it. */
  insideFor?: readonly string[];
};

type WireRow = {
  media: Record<MediaKind, WireMedium>;
  details: readonly Detail[];
  tokens: TokenRule;
  contextTokens: number;
  maxOutputTokens: number;
  requestBytes: number;
  maxImages: number;
  maxDocuments?: number;
  manyImages?: ManyImages;
  callId: { pattern: string; max: number };
  cache: 'marks' | 'key' | 'none';
  toolChoice: boolean;
  strictThinking: boolean;
  userLast: boolean;
  errorFlag: boolean;
  temperature: boolean;
  interleaved: boolean;
  /** Whether a request can ask for the sources of an answer. */
  citations?: true;
  /** How a model that thinks is told to, unless its family knows better. */
  thinking: ThinkingStyle;
};

/** A rule for media of these types, with the usual limits unless others are told. */
export function medium(
  types: readonly string[],
  result: MediumRule['result'],
  more: Partial<WireMedium> = {},
): WireMedium {
  return {
    types,
    result,
    errorResult: result,
    user: types.length > 0 ? 'inside' : 'words',
    maxBase64: unlimited,
    maxEdge: 8000,
    maxPages: unlimited,
    carriers: {},
    insideAllowed: result === 'inside',
    ...more,
  };
}

const none: WireMedium = medium([], 'words');

/** Gemini's own scaling is not documented; Gemma 4 has the same budgets of tokens, each of 48×48 pixels. */
function geminiArea(tokens: number): ImageTokens {
  return { by: 'area', tokens, pixels: 48 * 48 };
}

/** The JSON dialects that are spoken. */
export type WireName =
  | 'anthropic-messages'
  | 'openai-chat'
  | 'openai-responses'
  | 'gemini'
  | 'ollama'
  | 'bedrock-converse';

/** What most dialects have in common; the rows below say what is otherwise. */
const usual = {
  details: [],
  contextTokens: 128_000,
  maxOutputTokens: 16_000,
  callId: { pattern: '^.+$', max: 256 },
  cache: 'none',
  toolChoice: true,
  strictThinking: false,
  userLast: false,
  errorFlag: false,
  temperature: true,
  interleaved: true,
} as const;

/** What both dialects of OpenAI have in common. */
const openaiAlike = {
  ...usual,
  details: ['auto', 'low', 'high'],
  tokens: { image: { by: 'tiles', base: 85, tile: 170 }, page: 1500, audioSecond: 0, videoSecond: 0 },
  requestBytes: 512 * MiB,
  maxImages: 1500,
  cache: 'key',
  thinking: 'effort',
} as const;

export const wires: Record<WireName, WireRow> = {
  'anthropic-messages': {
    ...usual,
    media: {
      // An error result may hold text only (400 "all content must be type 'text' if 'is_error' is true").
      image: medium(fourPictures, 'inside', { errorResult: 'after', maxBase64: 10 * MiB }),
      document: medium(['application/pdf'], 'inside', { errorResult: 'after', maxBase64: 32 * MiB, maxPages: 100 }),
      audio: none,
      video: none,
    },
    tokens: {
      image: { by: 'patches', patch: 28, maxEdge: 1568, maxTokens: 1568 },
      page: 2325,
      audioSecond: 0,
      videoSecond: 0,
    },
    contextTokens: 200_000,
    requestBytes: 32 * MiB,
    maxImages: 100,
    manyImages: { above: 20, maxEdge: 2000 }, // counts the whole history, so it reaches back to pictures already sent
    callId: { pattern: '^[a-zA-Z0-9_-]+$', max: 64 },
    cache: 'marks',
    strictThinking: true,
    userLast: true,
    errorFlag: true,
    temperature: false, // the current version of the API has no sampling options (SDK 1.8)
    citations: true,
    thinking: 'adaptive',
  },
  'openai-chat': {
    ...openaiAlike,
    media: {
      // "For tool messages, only type `text` is supported" (OpenAPI, 2026-08): media follow in a user message.
      image: medium(stillPictures, 'after', { maxBase64: 20 * MiB - 64 }),
      document: medium(['application/pdf'], 'after', { maxBase64: 50 * MiB }),
      audio: medium(['audio/wav', 'audio/mpeg'], 'after'),
      video: none,
    },
    tokens: { ...openaiAlike.tokens, audioSecond: 10 },
    callId: { pattern: '^.+$', max: 40 },
  },
  'openai-responses': {
    ...openaiAlike,
    media: {
      image: medium(stillPictures, 'inside', { maxBase64: 20 * MiB - 64 }),
      document: medium(['application/pdf'], 'inside', { maxBase64: 50 * MiB }),
      audio: none, // the audio part is not in the union of inputs (SDK 7.53)
      video: none,
    },
    callId: { pattern: '^.+$', max: 64 },
  },
  gemini: {
    ...usual,
    media: {
      image: medium(['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'], 'inside'), // no GIF
      document: medium(['application/pdf'], 'inside', { maxBase64: 50 * MiB, maxPages: 1000 }),
      // Sound and film are typed but refused inside a function response; in user content they are at home.
      audio: medium(['audio/wav', 'audio/mpeg', 'audio/aac', 'audio/ogg', 'audio/flac', 'audio/aiff'], 'after'),
      video: medium(['video/mp4', 'video/mpeg', 'video/quicktime', 'video/webm'], 'after'),
    },
    tokens: { image: geminiArea(1120), page: 560, audioSecond: 32, videoSecond: 263 },
    contextTokens: 1_000_000,
    requestBytes: 20 * MiB,
    maxImages: 3600,
    errorFlag: true,
    interleaved: false,
    thinking: 'level',
  },
  ollama: {
    ...usual,
    media: {
      image: medium(['image/png', 'image/jpeg', 'image/webp'], 'after', { insideAllowed: true }),
      document: none,
      audio: medium(['audio/wav', 'audio/mpeg'], 'after', { insideAllowed: true }),
      video: none,
    },
    tokens: { image: { by: 'flat', tokens: 768 }, page: 1500, audioSecond: 32, videoSecond: 0 },
    contextTokens: 32_768,
    maxOutputTokens: 8_192,
    requestBytes: unlimited,
    maxImages: unlimited,
    toolChoice: false,
    interleaved: false,
    thinking: 'switch',
  },
  'bedrock-converse': {
    ...usual,
    media: {
      // 3.75 MB and 4.5 MB of bytes. A PDF inside a result is shown to some families alone: Claude answers 200 and sees none.
      // "This model doesn't support the image field for user messages" is what others say of a picture in a result.
      image: medium(fourPictures, 'inside', {
        errorResult: 'after',
        maxBase64: 5_000_000,
        maxPerMessage: 20,
        insideFor: ['anthropic', 'amazon', 'meta'],
      }),
      document: medium(['application/pdf'], 'after', {
        maxBase64: 6_000_000,
        maxPages: 100,
        insideAllowed: true,
      }),
      audio: none,
      video: medium(['video/mp4', 'video/quicktime', 'video/webm', 'video/mpeg'], 'after', { maxPerMessage: 1 }),
    },
    tokens: {
      image: { by: 'patches', patch: 28, maxEdge: 1568, maxTokens: 1568 },
      page: 2325,
      audioSecond: 0,
      videoSecond: 300,
    },
    maxOutputTokens: 8_192,
    requestBytes: 20 * MiB,
    maxImages: 100,
    maxDocuments: 5, // "You can't include more than 5 documents in a request."
    manyImages: { above: 20, maxEdge: 2000 },
    callId: { pattern: '^[a-zA-Z0-9_-]+$', max: 64 },
    cache: 'marks',
    strictThinking: true,
    userLast: true,
    errorFlag: true,
    citations: true,
    thinking: 'adaptive',
  },
};

/** The header that carries a key. A token goes as a bearer token everywhere. */
export type Auth = 'bearer' | 'x-api-key' | 'api-key' | 'x-goog-api-key';

/** The variables of the environment in which people keep what reaches an endpoint, the usual one first. */
export type EnvironmentNames = {
  readonly key?: readonly string[];
  readonly token?: readonly string[];
  readonly baseUrl?: readonly string[];
  /** Like a base URL, but written as a server takes it that listens: often without a scheme. */
  readonly listen?: readonly string[];
  readonly apiVersion?: readonly string[];
  /** Where its region and its project are told. */
  readonly places?: Cloud;
};

/** The clouds whose addresses name a region. */
export type Cloud = 'google' | 'aws';

/** Who serves models: where, in which dialect, how it is reached, and what it takes otherwise than its wire. */
export type EndpointRow = {
  readonly name: string;
  readonly wire: WireName;
  /** Models of some families take function tools here only while their reasoning is off. */
  readonly toolsOrThinking?: true;
  /** Where it is. What stands in braces has to be given. */
  readonly base: string;
  readonly auth: Auth;
  readonly env: EnvironmentNames;
  /** What every address of it goes on with; the part that a given base URL lacks is added to it. */
  readonly path?: string;
  /** A base URL with a version anywhere in it has its path already, as those of Google Cloud do. */
  readonly versioned?: true;
  /** Instead of the last part of its path, a request may name a dated version of the API. */
  readonly dated?: true;
  /** How its hosts end, and what stands only in its paths: so a request of others is known. */
  readonly hosts?: readonly string[];
  readonly paths?: readonly string[];
  /** It stands for the hosts of its wire that nobody knows; else the first of the wire does. */
  readonly elsewhere?: true;
  /** Requests without a key are signed with those of AWS, in the name of this service. */
  readonly signing?: string;
  /** A token is asked for in the name of whoever the machine or its files say. */
  readonly tokens?: 'google';
  /** This version of the API stands in the body, and the model in the address. */
  readonly versionInBody?: string;
  /** It lists no models; this is one of them. */
  readonly unlisted?: string;
  /** It has no address that counts tokens. */
  readonly countless?: true;
  /** The largest picture as base64, where that is less than elsewhere on the wire. */
  readonly maxImageBase64?: number;
  /** Hosts of it that take a token and no key. */
  readonly tokenHosts?: readonly string[];
  /** Whether it answers without a key, as servers on one's own machine do. */
  readonly keyless?: true;
  readonly vendor?: string;
  /** The model to plan as when the name says nothing, as with Azure's deployment names. */
  readonly assume?: string;
  /** Whether documents may be sent as files; `each`: to each of its models, since it reads them itself. */
  readonly pdf?: boolean | 'each';
  readonly requestBytes?: number;
  readonly cache?: WireRow['cache'];
  /** Only models of these vendors know its cache marks. */
  readonly markedVendors?: readonly string[];
  /** Beside its cache key it knows marks in the body, for the models that do. */
  readonly breakpoints?: true;
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  readonly callId?: WireRow['callId'];
  readonly maxImages?: number;
  readonly dialect?: Partial<Dialect>;
  /** Whose file ids it takes, by the name of the endpoint that gives them. */
  readonly files?: string;
};

/** A row as it stands below: what it is called stands before it, its key goes as a bearer token unless it says otherwise, and
 * what it does not say is as with the endpoint that it is like. */
type RowAsWritten = Pick<EndpointRow, 'wire'> & Partial<EndpointRow> & { readonly like?: 'azure' };

/** What stands in braces in the addresses of a cloud, and the variables that tell it, the usual one first. */
export const placeVariables: Record<Cloud, Readonly<Record<string, readonly string[]>>> = {
  google: {
    project: ['GOOGLE_CLOUD_PROJECT', 'GCLOUD_PROJECT', 'ANTHROPIC_VERTEX_PROJECT_ID'],
    region: ['GOOGLE_CLOUD_LOCATION', 'GOOGLE_CLOUD_REGION', 'CLOUD_ML_REGION'],
  },
  aws: { region: ['AWS_REGION', 'AWS_DEFAULT_REGION'] },
};

// One row an endpoint, written out: the types of `prepare` are made from it. Nothing is known about a compatible server,
// so nothing is sent to one that OpenAI's own API added lately.
const rows = {
  anthropic: {
    wire: 'anthropic-messages',
    vendor: 'anthropic',
    base: 'https://api.anthropic.com',
    path: '/v1',
    auth: 'x-api-key',
    env: { key: ['ANTHROPIC_API_KEY'], token: ['ANTHROPIC_AUTH_TOKEN'], baseUrl: ['ANTHROPIC_BASE_URL'] },
    files: 'anthropic',
  },
  openai: {
    wire: 'openai-responses',
    vendor: 'openai',
    base: 'https://api.openai.com/v1',
    env: { key: ['OPENAI_API_KEY'], baseUrl: ['OPENAI_BASE_URL'] },
    breakpoints: true,
    files: 'openai',
  },
  'openai-chat': {
    wire: 'openai-chat',
    vendor: 'openai',
    base: 'https://api.openai.com/v1',
    env: { key: ['OPENAI_API_KEY'], baseUrl: ['OPENAI_BASE_URL'] },
    hosts: ['api.openai.com'],
    files: 'openai',
    toolsOrThinking: true,
  },
  azure: {
    wire: 'openai-responses',
    assume: 'gpt-4.1',
    base: 'https://{resource}.openai.azure.com',
    path: '/openai/v1',
    dated: true,
    auth: 'api-key',
    env: {
      key: ['AZURE_OPENAI_API_KEY'],
      token: ['AZURE_OPENAI_AD_TOKEN'],
      baseUrl: ['AZURE_OPENAI_ENDPOINT'],
      apiVersion: ['AZURE_OPENAI_API_VERSION', 'OPENAI_API_VERSION'],
    },
    hosts: ['azure.com'],
    paths: ['/deployments/'],
  },
  'azure-chat': {
    wire: 'openai-chat',
    like: 'azure',
    toolsOrThinking: true,
    pdf: false, // its chat refuses `file` parts
  },
  gemini: {
    wire: 'gemini',
    vendor: 'google',
    base: 'https://generativelanguage.googleapis.com',
    path: '/v1beta',
    versioned: true,
    auth: 'x-goog-api-key',
    tokenHosts: ['aiplatform.googleapis.com'],
    env: {
      key: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      token: ['CLOUDSDK_AUTH_ACCESS_TOKEN'],
      baseUrl: ['GOOGLE_GEMINI_BASE_URL'],
    },
    files: 'gemini',
  },
  vertex: {
    wire: 'gemini',
    base: 'https://{region}-aiplatform.googleapis.com/v1/projects/{project}/locations/{region}/publishers/google',
    env: { token: ['CLOUDSDK_AUTH_ACCESS_TOKEN'], places: 'google' },
    tokens: 'google',
    unlisted: 'vertex/gemini-3-flash-preview',
    files: 'vertex',
    hosts: ['aiplatform.googleapis.com'],
  },
  'vertex-claude': {
    wire: 'anthropic-messages',
    base: 'https://{region}-aiplatform.googleapis.com/v1/projects/{project}/locations/{region}/publishers/anthropic',
    env: { token: ['CLOUDSDK_AUTH_ACCESS_TOKEN'], baseUrl: ['ANTHROPIC_VERTEX_BASE_URL'], places: 'google' },
    tokens: 'google',
    unlisted: 'vertex-claude/claude-sonnet-5',
    versionInBody: 'vertex-2023-10-16',
    countless: true,
    maxImageBase64: 5_242_880,
    hosts: ['aiplatform.googleapis.com'],
  },
  'bedrock-claude': {
    wire: 'anthropic-messages',
    base: 'https://bedrock-mantle.{region}.api.aws/anthropic',
    path: '/v1',
    env: { key: ['AWS_BEARER_TOKEN_BEDROCK'], baseUrl: ['ANTHROPIC_BEDROCK_MANTLE_BASE_URL'], places: 'aws' },
    signing: 'bedrock-mantle',
    countless: true,
    requestBytes: 20_971_520,
    maxImageBase64: 5_242_880,
    hosts: ['api.aws'],
  },
  'bedrock-openai': {
    wire: 'openai-responses',
    base: 'https://bedrock-mantle.{region}.api.aws/openai/v1',
    env: { key: ['AWS_BEARER_TOKEN_BEDROCK'], places: 'aws' },
    signing: 'bedrock-mantle',
    cache: 'none',
    hosts: ['api.aws'],
  },
  bedrock: {
    wire: 'bedrock-converse',
    base: 'https://bedrock-runtime.{region}.amazonaws.com',
    env: {
      key: ['AWS_BEARER_TOKEN_BEDROCK'],
      baseUrl: ['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'],
      places: 'aws',
    },
    signing: 'bedrock',
    unlisted: 'bedrock/us.amazon.nova-pro-v1:0',
    markedVendors: ['anthropic'],
    hosts: ['amazonaws.com'],
    files: 'bedrock',
  },
  ollama: {
    wire: 'ollama',
    vendor: 'ollama',
    base: 'http://localhost:11434',
    env: { key: ['OLLAMA_API_KEY'], listen: ['OLLAMA_HOST'] },
    keyless: true,
  },
  openrouter: {
    wire: 'openai-chat',
    base: 'https://openrouter.ai/api/v1',
    env: { key: ['OPENROUTER_API_KEY'] },
    hosts: ['openrouter.ai'],
    cache: 'none',
    maxTokensField: 'max_tokens',
  },
  deepseek: {
    wire: 'openai-chat',
    base: 'https://api.deepseek.com/v1',
    env: { key: ['DEEPSEEK_API_KEY'] },
    hosts: ['deepseek.com'],
    pdf: false,
    cache: 'none',
    maxTokensField: 'max_tokens',
    // Its newest models want a reasoning field on every assistant message, empty where there was none.
    dialect: { reasoning: 'reasoning_content' },
  },
  groq: {
    wire: 'openai-chat',
    base: 'https://api.groq.com/openai/v1',
    env: { key: ['GROQ_API_KEY'] },
    hosts: ['groq.com'],
    pdf: false,
    cache: 'none',
    maxTokensField: 'max_completion_tokens',
    maxImages: 5,
  },
  // It refuses fields it does not know, ids that are not its own, and a user message right after a tool message.
  mistral: {
    wire: 'openai-chat',
    base: 'https://api.mistral.ai/v1',
    env: { key: ['MISTRAL_API_KEY'] },
    hosts: ['mistral.ai'],
    pdf: 'each',
    cache: 'none',
    maxTokensField: 'max_tokens',
    callId: { pattern: '^[a-zA-Z0-9]{9}$', max: 9 },
    maxImages: 8,
    dialect: { toolName: true, bridge: true, streamUsage: false, documentUrl: true },
  },
  // Its Chat API is deprecated.
  xai: {
    wire: 'openai-responses',
    vendor: 'xai',
    base: 'https://api.x.ai/v1',
    env: { key: ['XAI_API_KEY'] },
    hosts: ['x.ai'],
    pdf: false,
    cache: 'none',
    files: 'xai',
  },
  llamacpp: {
    wire: 'openai-chat',
    base: 'http://localhost:8080/v1',
    env: { key: ['LLAMA_API_KEY'] },
    keyless: true,
    pdf: false,
    cache: 'none',
    maxTokensField: 'max_tokens',
  },
  vllm: {
    wire: 'openai-chat',
    base: 'http://localhost:8000/v1',
    env: { key: ['VLLM_API_KEY'] },
    keyless: true,
    pdf: false,
    cache: 'none',
    maxTokensField: 'max_tokens',
  },
  lmstudio: {
    wire: 'openai-chat',
    base: 'http://localhost:1234/v1',
    env: { key: ['LM_API_TOKEN'] },
    keyless: true,
    pdf: false,
    cache: 'none',
    maxTokensField: 'max_tokens',
  },
  compatible: {
    wire: 'openai-chat',
    base: 'http://localhost:8000/v1',
    env: {},
    elsewhere: true,
    keyless: true,
    pdf: false,
    cache: 'none',
    maxTokensField: 'max_tokens',
  },
} as const;

const anywhere: Carried = { result: 'inside', user: 'inside' };
const asUser: Carried = { result: 'after', user: 'inside' };
const both: Carriers = { url: anywhere, file: anywhere };

/** Which media were seen by reference, and where, in recorded traffic. A status of 200 is no sign of it: Gemini takes an id
 * inside a function response and shows nothing. Azure's own downloads fail. */
const seenByReference: Readonly<Record<string, Partial<Record<MediaKind, Carriers>>>> = {
  anthropic: { image: both, document: both },
  openai: { image: both, document: both },
  'openai-chat': { image: { url: asUser }, document: { file: asUser } }, // a picture has no id there, a PDF no address
  gemini: {
    image: { file: asUser },
    document: { file: asUser },
    audio: { file: asUser },
    video: { file: asUser, url: { ...asUser, hosts: ['youtube.com', 'youtu.be'] } },
  },
  vertex: {
    image: { file: anywhere }, // the address of one was refused
    document: both,
    audio: { file: asUser, url: asUser },
    video: { file: asUser, url: asUser },
  },
  groq: { image: { url: asUser } },
  mistral: { image: { url: asUser }, document: { url: asUser } },
  xai: { image: { url: asUser, file: asUser }, document: { file: asUser } },
};

/** By which references an endpoint shows media of a kind. */
export function carriersAt(endpoint: string, kind: MediaKind): Carriers {
  return seenByReference[endpoint]?.[kind] ?? {};
}

/**
 * How an endpoint or a model can be held to a schema: as it is written, when all its objects are closed, only while it is
 * offered no tools (`alone`), or not at all.
 */
export type OutputRule = 'as-is' | 'closed' | 'alone' | 'words';

const outputRules: readonly [endpoint: RegExp, model: RegExp, rule: OutputRule][] = [
  [/^(?:vertex|bedrock)-claude$/, /^/, 'words'], // nobody has seen it taken there
  [/^anthropic$/, /^claude-(?:3|instant|2|(?:opus|sonnet)-4(?:-[01])?(?:-\d{8})?$)/, 'words'],
  [/^anthropic$/, /^/, 'closed'],
  [/^(?:gemini|vertex)$/, /^gemini-[12]/, 'alone'], // "Function calling with a response mime type: 'application/json' is unsupported"
  [/^(?:openai|azure)/, /^(?:gpt-3|gpt-4(?:$|-)|gpt-5-chat|o1-(?:mini|preview))/, 'words'],
  [/^(?:deepseek|groq|openrouter|compatible)$/, /^/, 'words'], // refused, or by the model behind it
  [/^(?:ollama|llamacpp|vllm|lmstudio|mistral)$/, /^/, 'alone'], // a grammar leaves no room for calls
];

/** Options that not every API has. `among` and `json` have another way where they are not taken. */
export type PlainOption =
  | 'stop'
  | 'topP'
  | 'topK'
  | 'seed'
  | 'parallelCalls'
  | 'verbosity'
  | 'user'
  | 'among'
  | 'mustAmong'
  | 'noCalls'
  | 'json';

const plainOptions: readonly [wire: WireName, options: readonly PlainOption[]][] = [
  ['anthropic-messages', ['stop', 'parallelCalls', 'user', 'noCalls']], // no sampling options (SDK 1.8)
  ['openai-chat', ['stop', 'topP', 'seed', 'parallelCalls', 'verbosity', 'user', 'noCalls', 'json']],
  ['openai-responses', ['noCalls', 'topP', 'parallelCalls', 'verbosity', 'user', 'among', 'mustAmong', 'json']],
  ['gemini', ['noCalls', 'stop', 'topP', 'topK', 'seed', 'mustAmong', 'json']], // it names tools only for calls that must be made
  ['ollama', ['stop', 'topP', 'topK', 'seed', 'json']],
  ['bedrock-converse', ['stop', 'topP']],
];

/** What OpenAI's own API added lately; servers that only speak like it may refuse it. */
const ofOpenai: ReadonlySet<PlainOption> = new Set<PlainOption>(['verbosity', 'user', 'parallelCalls']);

/** Whether an API has such an option. */
export function takesOption(option: PlainOption, endpoint: string, wire: WireName): boolean {
  const known = plainOptions.find(([name]) => name === wire)?.[1].includes(option) ?? false;
  if (endpoint === 'mistral' && option === 'seed') return false; // it has another name for it, and refuses this one
  return known && (wire !== 'openai-chat' || !ofOpenai.has(option) || /^(?:openai|azure)/.test(endpoint));
}

/** The shortest answer that can be asked for. OpenAI's document of Responses has a minimum (2.3.0, 2026-08). */
export function leastOutputTokens(wire: WireName): number {
  return wire === 'openai-responses' ? 16 : 1;
}

/** Whether thinking that is bought by the token must be less than the longest answer, which is then said, too. */
export function boundsThinking(wire: WireName): boolean {
  return wire !== 'gemini';
}

/** How many words may end an answer. */
export function mostStops(wire: WireName): number {
  return wire === 'openai-chat' ? 4 : wire === 'gemini' ? 5 : unlimited;
}

/** Whether a model that reasons can be told words to end at. OpenAI's Chat Completions have no such parameter for those. */
export function stopsReasoners(wire: WireName): boolean {
  return wire !== 'openai-chat';
}

/** Whether effort `max` is known besides `xhigh`: on Chat Completions GPT-5.6 refuses it (`@ai-sdk/openai`). */
export function takesMaxEffort(wire: WireName): boolean {
  return wire !== 'openai-chat';
}

/** How many letters the name of who asks may have. OpenAI answers more with "string too long"; Claude Code has some 200. */
export function mostOfUser(wire: WireName): number {
  return wire === 'openai-chat' || wire === 'openai-responses' ? 64 : unlimited;
}

/** How a model on an endpoint can be held to a schema. */
export function outputRule(endpoint: string, id: string): OutputRule {
  return outputRules.find(([at, model]) => at.test(endpoint) && model.test(id))?.[2] ?? 'as-is';
}

/** Whether a schema may hold a text to one value by `const`. Google knows a list of one for that. */
export function takesConst(endpoint: string): boolean {
  return !/^(?:gemini|vertex)$/.test(endpoint);
}

/** Fields that rows have and nobody reads, such as misspelt ones; there must be none. */
type Unread = Exclude<
  { [Name in keyof typeof rows]: keyof (typeof rows)[Name] }[keyof typeof rows],
  keyof RowAsWritten
>;

type Rows = [Unread] extends [never] ? typeof rows & { google: (typeof rows)['gemini'] } : Unread;

/** The part of a model's name before the first slash: who serves it, and in which dialect. */
export type EndpointName = keyof Rows;

const named = Object.fromEntries(
  Object.entries<RowAsWritten>(rows).map(([name, row]) => [
    name,
    { auth: 'bearer', ...(row.like && rows[row.like]), ...row, name },
  ]),
) as Record<keyof typeof rows, EndpointRow>;

/** The endpoints by the prefix of a model's name; Google's has two. */
export const endpoints: Record<EndpointName, EndpointRow> = { ...named, google: named.gemini };

/** What tracers call those who serve a model, where that is not the name of the endpoint. */
export const providerNames: Readonly<Record<string, string>> = {
  'openai-chat': 'openai',
  azure: 'azure.ai.openai',
  'azure-chat': 'azure.ai.openai',
  gemini: 'gcp.gemini',
  google: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  'vertex-claude': 'gcp.vertex_ai',
  bedrock: 'aws.bedrock',
  'bedrock-claude': 'aws.bedrock',
  'bedrock-openai': 'aws.bedrock',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** The wire that a literal model name speaks; any of them for a name known only at run time. */
export type WireOf<Model extends string> = Model extends `${infer Name extends EndpointName}/${string}`
  ? Rows[Name]['wire']
  : WireName;

export type Family = {
  name: string;
  match: RegExp;
  vendor?: string;
  wires?: readonly WireName[];
  vision: boolean;
  pdf?: boolean;
  audio?: boolean;
  video?: boolean;
  /** Overrides the wire's habit of placing media inside or after results. */
  toolMedia?: boolean;
  types?: Partial<Record<MediaKind, readonly string[]>>;
  limits?: Partial<Record<MediaKind, Partial<MediumRule>>>;
  details?: readonly Detail[];
  tokens?: Partial<TokenRule>;
  /** What media cost when the whole request asks for a low resolution, where it can. */
  lowTokens?: Partial<TokenRule>;
  contextTokens?: number;
  maxOutputTokens?: number;
  maxImages?: number;
  thinking?: ThinkingStyle;
  thinkingOff?: boolean;
  thinkingMax?: boolean;
  xhighBelowMax?: true;
  thinkingMedium?: boolean;
  maxThinkingTokens?: number;
  boundThinking?: boolean;
  thinkingOmitted?: boolean;
  temperature?: boolean;
  signedCalls?: boolean;
  toolsNeedNoThinking?: true | 'unsaid';
  breakpoints?: boolean;
  /** The assistant says a few words between results and a message of the user. */
  bridge?: boolean;
};

export const safeFamily: Family = { name: 'unknown', match: /^/, vision: false };

const claude = { vendor: 'anthropic', vision: true, pdf: true } as const;
const large = {
  contextTokens: 1_000_000,
  maxImages: 600,
  limits: { document: { maxPages: 600 } },
  tokens: { image: { by: 'patches', patch: 28, maxEdge: 2576, maxTokens: 4784 } },
  thinking: 'adaptive',
  thinkingOmitted: true, // from Opus 4.7 on
  xhighBelowMax: true, // likewise (`@ai-sdk/anthropic`)
  temperature: false,
} as const;

const gpt = { vendor: 'openai', vision: true, pdf: true } as const;
const reasoning = { thinking: 'effort', temperature: false, contextTokens: 400_000 } as const;
const patches = (factor: number, high: number, original: number): Partial<TokenRule> => ({
  image: { by: 'budget', factor, high, original },
});
const tiles = (base: number, tile: number): Partial<TokenRule> => ({ image: { by: 'tiles', base, tile } });
const allDetails: readonly Detail[] = ['auto', 'low', 'high', 'original'];

const gpt6 = {
  ...gpt,
  ...reasoning,
  details: allDetails,
  tokens: patches(1.2, 2500, 12_000),
  toolsNeedNoThinking: true,
  xhighBelowMax: true,
  breakpoints: true, // `prompt_cache_options` is "supported for gpt-5.6 and later models" (SDK 7.53)
} as const;

/** Before GPT-5.1 thinking could not be switched off, and `high` was the most there was. */
const firstReasoners = { thinkingOff: false, thinkingMax: false } as const;

const gemini = { vendor: 'google', vision: true, pdf: true, audio: true, video: true } as const;
const newer = { ...gemini, lowTokens: { image: geminiArea(280), page: 280 } } as const;
const older = { ...gemini, toolMedia: false, tokens: { image: { by: 'gemini-tiles' }, page: 258 } } as const;

const nova = {
  vendor: 'amazon',
  vision: true,
  pdf: true,
  video: true,
  limits: {
    image: { carriers: { file: anywhere } },
    document: { carriers: { file: asUser } },
    video: { carriers: { file: asUser } },
  },
} as const;

const onBedrock: Pick<Family, 'wires'> = { wires: ['bedrock-converse'] };

const gemma3 = { image: { by: 'square', edge: 896, tokens: 256 } } as const;

/** Models of Moonshot that see. */
const kimiSight = 'kimi-k(?:2\\.[5-9]|[3-9])';

/** Mistral's models see since 2503 (small), 2505 (medium), 2509 (Magistral) and 2512 (large and Ministral). */
const mistralSight =
  'mistral-(?:small|medium|large)-?(?:[34]|latest|2[6-9]\\d\\d)|mistral-small-25(?:0[3-9]|1)|mistral-medium-25|mistral-large-2512|' +
  'magistral-(?:small|medium)-(?:latest|25(?:09|1)|2[6-9]\\d\\d)|ministral-(?:3(?:[:-]|$)|\\d+b-(?:latest|2512|2[6-9]\\d\\d))';

/** Open models that see, by name. */
const openSight =
  'llava|bakllava|smolvlm|llama-?3\\.2-vision|llama-?4|moondream|minicpm-v|' +
  'qwen-?2(?:\\.5)?-?vl|qwen-?3-vl|granite.*vision|pixtral|internvl|kimi-vl|deepseek-ocr|glm-[45](?:\\.\\d)?v(?:$|[:-])';

export const families: readonly Family[] = [
  // Claude. Always-on thinking cannot be switched off in the newest large ones, and it is bound to its prefix.
  // From Fable 5.1 on it is; the first one still can be made to call a tool.
  { name: 'claude-fable-5', match: /^claude-fable-5(?!-\d)/, ...claude, ...large, thinkingOff: false },
  {
    name: 'claude-5-5',
    match: /^claude-(?:opus|sonnet)-5-5|^claude-(?:fable|mythos)/,
    ...claude,
    ...large,
    thinkingOff: false,
    boundThinking: true,
  },
  { name: 'claude-haiku-5-5', match: /^claude-haiku-5-5/, ...claude, ...large, boundThinking: true },
  { name: 'claude-5', match: /^claude-(?:opus|sonnet|haiku)-(?:5|[6-9])/, ...claude, ...large },
  { name: 'claude-4-7', match: /^claude-opus-4-[78]/, ...claude, ...large },
  { name: 'claude-4-6', match: /^claude-(?:opus|sonnet)-4-6/, ...claude, thinking: 'adaptive' },
  { name: 'claude-4', match: /^claude-(?:opus|sonnet|haiku)-4|^claude-3-7/, ...claude, thinking: 'budget' },
  { name: 'claude-3', match: /^claude-3/, ...claude },

  // OpenAI. Names that hear, speak or write only come before the ones that see.
  { name: 'gpt-audio', match: /^gpt-(?:audio|4o-(?:mini-)?audio)/, vendor: 'openai', vision: false, audio: true },
  {
    name: 'gpt-speech',
    match: /^(?:gpt-4o-(?:mini-)?(?:transcribe|tts|realtime)|gpt-realtime|whisper|tts)/,
    vendor: 'openai',
    vision: false,
  },
  // The two largest always think.
  { name: 'gpt-6-astra', match: /^gpt-(?:6-astra|6\.1-sol)/, ...gpt6, thinkingOff: false },
  { name: 'gpt-6', match: /^gpt-(?:[6-9]|5\.[6-9])/, ...gpt6 },
  {
    name: 'gpt-5.4',
    match: /^gpt-5\.[45]/,
    ...gpt,
    ...reasoning,
    details: allDetails,
    tokens: patches(1.2, 2500, 10_000),
    toolsNeedNoThinking: 'unsaid', // "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions."
  },
  { name: 'gpt-5.2', match: /^gpt-5\.[23]/, ...gpt, ...reasoning, tokens: patches(1.2, 2500, 2500) },
  {
    name: 'gpt-5.1',
    match: /^gpt-5\.1/,
    ...gpt,
    ...reasoning,
    thinkingMax: false,
    tokens: tiles(70, 140),
  },
  // It answers at once: it has no reasoning that could be asked for, or kept.
  { name: 'gpt-5-chat', match: /^gpt-5-chat/, ...gpt, tokens: tiles(70, 140) },
  {
    name: 'gpt-5-nano',
    match: /^gpt-5-nano/,
    ...gpt,
    ...reasoning,
    ...firstReasoners,
    tokens: patches(1.5, 1536, 1536),
  },
  {
    name: 'gpt-5-mini',
    match: /^gpt-5-mini/,
    ...gpt,
    ...reasoning,
    ...firstReasoners,
    tokens: patches(1.2, 1536, 1536),
  },
  {
    name: 'gpt-5',
    match: /^gpt-5/,
    ...gpt,
    ...reasoning,
    ...firstReasoners,
    tokens: tiles(70, 140),
  },
  {
    name: 'gpt-4.1-nano',
    match: /^gpt-4\.1-nano/,
    ...gpt,
    contextTokens: 1_000_000,
    tokens: patches(2.46, 1536, 1536),
  },
  {
    name: 'gpt-4.1-mini',
    match: /^gpt-4\.1-mini/,
    ...gpt,
    contextTokens: 1_000_000,
    tokens: patches(1.62, 1536, 1536),
  },
  { name: 'gpt-4.1', match: /^gpt-4\.[15]/, ...gpt, contextTokens: 1_000_000 },
  { name: 'gpt-4o-mini', match: /^gpt-4o-mini/, ...gpt, tokens: tiles(2833, 5667) },
  { name: 'gpt-4o', match: /^(?:chatgpt-4o|gpt-4o)/, ...gpt },
  { name: 'gpt-4-turbo', match: /^gpt-4-(?:turbo(?!-preview)|vision)/, ...gpt, pdf: false },
  {
    name: 'o-text',
    match: /^(?:o1-mini|o1-preview|o3-mini)/,
    vendor: 'openai',
    vision: false,
    ...reasoning,
    ...firstReasoners,
    contextTokens: 128_000,
  },
  {
    name: 'o4-mini',
    match: /^o4-mini/,
    ...gpt,
    ...reasoning,
    ...firstReasoners,
    contextTokens: 200_000,
    tokens: patches(1.72, 1536, 1536),
  },
  {
    name: 'o-series',
    match: /^o[134](?:-|$)/,
    ...gpt,
    ...reasoning,
    ...firstReasoners,
    contextTokens: 200_000,
    tokens: tiles(75, 150),
  },
  { name: 'gpt-oss', match: /^gpt-oss/, vision: false, thinking: 'effort', ...firstReasoners, contextTokens: 128_000 },

  // Gemini. From 3 on, media stand inside the function response and the first call of a turn is signed.
  {
    name: 'gemini-3-pro',
    match: /^gemini-(?:3-pro|pro-latest)/,
    ...newer,
    thinking: 'level',
    thinkingOff: false,
    thinkingMedium: false,
    signedCalls: true,
  },
  {
    name: 'gemini-3',
    match: /^gemini-(?:[3-9]|\d\d|(?:pro|flash|flash-lite)-latest)/,
    ...newer,
    thinking: 'level',
    thinkingOff: false,
    signedCalls: true,
  },
  { name: 'gemini-2.5-flash', match: /^gemini-2\.5-flash/, ...older, thinking: 'budget', maxThinkingTokens: 24_576 },
  { name: 'gemini-2.5', match: /^gemini-2\.5/, ...older, thinking: 'budget', thinkingOff: false },
  { name: 'gemini-2', match: /^gemini-(?:1|2)/, ...older },
  { name: 'gemma-3', match: /^gemma-3(?!n)/, wires: ['gemini'], vision: true, toolMedia: false, tokens: gemma3 },
  { name: 'gemma', match: /^gemma-(?:3|4)/, wires: ['gemini'], vision: true, toolMedia: false },

  // Grok sees PNG and JPEG only.
  {
    name: 'grok',
    match: /^grok-(?:[4-9]|2-vision)/,
    vendor: 'xai',
    vision: true,
    types: { image: ['image/png', 'image/jpeg'] },
    contextTokens: 256_000,
  },

  // On Bedrock. A film and a PDF are seen outside results alone; by their place in S3, a picture is seen anywhere.
  {
    name: 'nova-2',
    match: /^nova-2/,
    ...onBedrock,
    ...nova,
    thinking: 'level',
    thinkingMax: false,
    contextTokens: 1_000_000,
  },
  { name: 'nova-micro', match: /^nova-micro/, ...onBedrock, vendor: 'amazon', vision: false },
  { name: 'nova', match: /^nova-(?:lite|pro|premier)/, ...onBedrock, ...nova, contextTokens: 300_000 },
  {
    name: 'llama-4',
    match: /^llama4/,
    ...onBedrock,
    vendor: 'meta',
    vision: true,
    pdf: true,
    maxImages: 8,
    limits: { document: { result: 'inside' } },
  },
  {
    name: 'pixtral',
    match: /^pixtral/,
    ...onBedrock,
    vision: true,
    pdf: true,
    bridge: true,
    limits: { document: { result: 'inside' } },
  },
  {
    name: 'mistral',
    match: /^mi(?:stral|nistral|xtral)|^magistral/,
    ...onBedrock,
    vision: false,
    bridge: true,
  },
  {
    name: 'open-sight',
    match: new RegExp(`^(?:qwen3-vl|gemma-3|${kimiSight})`),
    ...onBedrock,
    vision: true,
  },
  { name: 'qwen3', match: /^qwen3/, ...onBedrock, vision: false, thinking: 'switch' },

  // Models people run themselves. On Ollama some renderers show the pictures of a tool message, the others drop them.
  {
    name: 'qwen3-vl',
    match: /^qwen-?3-vl|^qwen-?3\.[5-9]/,
    wires: ['ollama'],
    vision: true,
    toolMedia: true,
    tokens: { image: { by: 'pixels', patch: 32, min: 65_536, max: 16_777_216 } }, // ollama x/models/qwen3_5
    thinking: 'switch',
  },
  {
    name: 'gemma4',
    match: /^gemma-?4|^glm-ocr|^lfm-?2.*-vl/,
    wires: ['ollama'],
    vision: true,
    toolMedia: true,
    thinking: 'switch',
  },
  {
    name: 'gemma3',
    match: /^gemma-?3(?!n|[:-](?:1b|270m))/,
    wires: ['ollama', 'openai-chat'],
    vision: true,
    tokens: gemma3,
  },
  {
    name: 'open-sight',
    match: new RegExp(`^(?:${openSight}|${mistralSight})`),
    wires: ['ollama', 'openai-chat'],
    vision: true,
  },
  {
    name: 'open-sight',
    match: new RegExp(
      `^(?:qwen-?3\\.(?:[5-7](?!.*(?:max|coder))|[89](?!.*coder))|gemma-?4|${kimiSight}|deepseek-v4\\.1-flash)`,
    ),
    wires: ['openai-chat'],
    vision: true,
  },
  {
    name: 'open-thinking',
    match: /^(?:qwen-?3|qwq|deepseek|magistral|glm|nemotron)/,
    wires: ['ollama'],
    vision: false,
    thinking: 'switch',
  },
];

/** Who gives the ids that somebody has for files: endpoints of one provider share them, and some have other names elsewhere. */
export function ownerOfFiles(name: string): string {
  const plain = name.split('.')[0] ?? name;
  return isEndpoint(plain) ? (endpoints[plain].files ?? endpoints[plain].name) : name;
}

/** Whether an endpoint of this name is known. */
export function isEndpoint(name: string): name is EndpointName {
  return Object.hasOwn(endpoints, name);
}

/** Names that are offered while one is typed: current models whose price is known. */
export const knownModels = {
  anthropic: [
    'claude-fable-5-2',
    'claude-opus-5-5',
    'claude-opus-5',
    'claude-opus-4-8',
    'claude-sonnet-5',
    'claude-sonnet-4-6',
    'claude-haiku-4-5',
  ],
  openai: [
    'gpt-6-astra',
    'gpt-6-sol',
    'gpt-6-luna',
    'gpt-5.6-sol',
    'gpt-5.6-terra',
    'gpt-5.6-luna',
    'gpt-5.5',
    'gpt-5.4',
    'gpt-5.4-mini',
    'gpt-5.4-nano',
    'gpt-5.2',
    'gpt-5-mini',
    'gpt-4.1',
    'gpt-4.1-mini',
    'gpt-4o',
    'gpt-4o-mini',
    'o4-mini',
    'o3',
  ],
  gemini: [
    'gemini-3-pro-preview',
    'gemini-3-flash-preview',
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
  ],
} as const;

type Known = typeof knownModels;

/** The names that editors offer. Every other name of an endpoint is as good. */
export type KnownModel = { [Name in keyof Known]: `${Name}/${Known[Name][number]}` }[keyof Known];

/** `endpoint/model`, such as `anthropic/claude-sonnet-5`. */
export type ModelName = KnownModel | (string & {});

/** Who is asked when a person has a key but names no model: the vendor's middle one that sees pictures and PDFs. */
export const usualModels: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-5',
  openai: 'gpt-5.2',
  gemini: 'gemini-2.5-pro',
  openrouter: 'anthropic/claude-sonnet-5',
};

/** The server on one's own machine that is looked for when nobody names a model. */
export const localServer: EndpointName = 'ollama';
