// What a provider complains about, from its status and its literal words → a code that says what to do about it. The
// words come from the vendors' APIs and from reports of people who met them (2026-11); a new wording is a new row.
import type { MediaKind } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import type { ErrorCode, MessageError } from '../../message/error.ts';
import type { Dialect } from '../../window/rules.ts';
import { readErrorBody } from './error-body.ts';
import { redact } from '../redact.ts';

/** An error with what only healing looks at. */
export type Complaint = MessageError & {
  /** What the model does not take at all, in whatever form: a kind of media, or media inside results. */
  unable?: MediaKind | 'inside';
  /** What else these words may mean: said of a place where no such thing stands, they are about every place. */
  orElse?: MediaKind;
  /** How the same has to be written for this server, or for the account. */
  dialect?: Partial<Dialect>;
  /** How long an answer may be at most, where a longer one was asked for. */
  mostOutput?: number;
  /** The provider offers to leave out by itself the thinking that it does not take. */
  offersDrop?: true;
};

const signature = [
  /\b(?:invalid|missing|corrupt\w*|malformed)\b.{0,40}(?:\b|_)signature/i,
  /signature.{0,60}\b(?:invalid|not valid|could not be verified|does not match|missing|field required)/i,
  /thinking\W+(?:or\W+redacted_thinking\W+)?blocks.{0,80}cannot be modified/i,
  /thinking\W+is disabled.{0,80}cannot contain\W+(?:redacted_)?thinking/i,
  /final block in an assistant message cannot be\W+(?:redacted_)?thinking/i,
  /encrypted[ _]content.{0,80}(?:could not be|cannot be|invalid|not) ?(?:verified|decrypted|parsed)?/i,
  /invalid_encrypted_content/i,
  /of type 'reasoning' was provided without/i,
  /thinking block.{0,60}bound to a different/i,
  /block_binding|thinking-binding-controls/i,
];

/** The setting by which it does so. */
const dropping = /"drop_block"/;

const context = [
  /prompt is too long/i,
  /context[_ ]length[_ ]?exceeded/i,
  /context[_ ](?:length|window|size|limit)\b.{0,60}\bexceed|exceed\w*.{0,60}\bcontext[_ ](?:length|window|size|limit)/i,
  /maximum context length/i,
  /(?:maximum|max) prompt length/i,
  /input token count.{0,60}exceeds/i,
  /input (?:is too long|length exceeds)/i,
  /too many (?:input )?tokens/i,
  /reduce the length of the (?:messages|input|prompt)/i,
  /request too large for model.{0,200}tokens per minute/i,
];

const tooLarge = [
  /request_too_large/i,
  /request (?:entity|body|payload).{0,40}(?:too large|exceeds)/i,
  /payload (?:size )?(?:too large|exceeds)/i,
  /request exceeds the maximum (?:allowed )?(?:number of bytes|size)/i,
  /total (?:size|length) of (?:the )?(?:images|request|files).{0,40}exceed/i,
  /body (?:is )?too large/i,
];

/** The provider cannot get what an address or an id leads to; without a word that it is a medium, mostly. */
const reference = [
  /robots\.txt|URL_ROBOTED/i,
  /cannot fetch content from the provided url/i,
  /permission to access the file\b.{0,120}may not exist/i,
  /doesn't support the s3uri field/i,
  /error while downloading|(?:failed|unable|timeout while|could not|couldn't|error) (?:to )?(?:download|fetch|retriev|access)\w*.{0,60}\b(?:url|file|image|document|content)/i,
  /\bfile(?:_id)?\b.{0,80}(?:not found|does not exist|has expired|was deleted|no longer)|no such file\b.{0,20}file[_-]/i,
  /\burl sources? (?:is|are) not supported|\bfile_(?:id|url)\b.{0,40}not supported/i,
];
const referencePath = /(?:^|[.[\]])(?:file_id|file_url|fileUri|file_uri|source\.(?:type|url|file_id))\]?$/;
/** What providers call their files. */
const fileId = /\bfile[_-][A-Za-z0-9]{6,}|\bfiles\/[a-z0-9]{6,}/;

/** There is no such model, or not for this key. Its name may hold the word of a medium, and so may those of tools. */
const noModel = [
  /\bmodels?[\s:/]+[`'"]?[\w.:/@-]+[`'"]?,? (?:(?:is|was|has been) )?(?:does not exist|not found|deprecated|decommissioned)/i,
  /\baccess (?:to )?(?:the )?model\b|\bis not a valid model\b|\bno endpoints found for (?!.*\bsupport)/i,
];
const ofTools = /\btools(?:\[|\.)\d|\bfunction_?declarations\b|\binvalid schema for\b/i;

const medium =
  /\b(?:images?|pictures?|pdfs?|documents?|audio|videos?|media[ _-]?types?|mime[ _-]?types?|multimodal|image_url|input_image|input_file|input_audio|file_data|inline_?data|base64|pixels?|mmproj|vision)\b|'file'|content type|image_parse|invalid_image|_image\b/i;

const objection =
  /exceed|maximum|\bmax\b|at most|too (?:many|much|large|big|small)|unsupported|not (?:\w+ )?(?:support|enabled|allowed|valid|permitted|available|loaded)|only (?:\w+ ){0,3}(?:support|accept|allow)|(?:does|do|did) not (?:match|represent|support|accept|have)|doesn't|don't|invalid|could not|couldn't|cannot|can't|unable|fail|malformed|corrupt|appears to be|(?:must|should) be|unknown variant|missing|empty|password|encrypted|no pages|unrecogni[sz]ed|unexpected|expected|refus|reject|no endpoints/i;

/** Amazon says it of a picture in a result, and of any picture to a model that sees none. */
const messagesWithResults = /doesn't support the image field for user messages/i;
/** Results take words alone; elsewhere the same media are welcome. */
const insideResults = [
  messagesWithResults,
  /content must be type 'text'/i,
  /output of tool call should be 'input text'/i,
  /multimodal function responses?.{0,40}not supported/i,
  /only allowed for messages with role 'user', but this message with role 'tool'/i,
];

/** The model has no eye or ear for it: no other form of the same medium will do. */
const kindWords = '(image|picture|vision|audio|video|pdf|document|multimodal|file)s?';
/** What follows when only some pictures are meant: those of a type, or above a size. */
const some = String.raw`(?![/\w]| (?:types?|formats?|sizes?|dimensions?|larger|bigger|of|with|above|over)\b)`;
const unable = [
  new RegExp(String.raw`(?:does not|doesn't|not|n't) (?:\w+ ){0,2}support\w*.{0,20}?\b${kindWords}${some}`, 'i'),
  new RegExp(
    String.raw`\b${kindWords}(?:[_ ]url)?(?: inputs?| content)* (?:is|are) (?:not (?:supported|enabled)|only supported by)`,
    'i',
  ),
  new RegExp(`no endpoints found that support ${kindWords}`, 'i'),
  new RegExp(`missing data required for ${kindWords} input`, 'i'),
  /only supports? text|expected `?text`?|not a multimodal model|vision add-on is not loaded/i,
];

const auth =
  /\bapi[ _-]?key\b.{0,60}(?:not valid|invalid|incorrect|expired|missing|not found)|(?:invalid|incorrect|missing)\b.{0,20}\bapi[ _-]?key|authentication_error|permission_error/i;
/** Amazon's complaints about the signature of a request, which have nothing to do with thinking. */
const signing =
  /signature (?:expired|not yet current)|request signature we calculated|security token included in the request/i;
const clock = /signature (?:expired|not yet current)/i;
const overloaded = /overloaded|capacity|unavailable_error|loading model/i;
const quota = /insufficient_quota|exceeded your current quota|credit balance is too low|billing/i;
/** A quota that is full again soon, and one that is not. */
const perMinute = /per ?minute/i;
const perDay = /per ?day/i;
/** The model wrote a call that its own host could not read; another try may do better. */
const misspoken = /\btool_use_failed\b/;

/** What an error response means. `body` is its text; `headers` may tell how long to wait. */
export function complaintOf(
  status: number | undefined,
  body: string,
  headers?: Pick<Headers, 'get'>,
  now = 0,
): Complaint {
  const { message, kinds, path, retryAfter: asked } = readErrorBody(body);
  const words = `${kinds.join(' ')} ${message}`;
  const code = codeOf(status, words, path);
  const blind = code === 'media' ? unableTo(words) : undefined;
  const said = waitIn(headers, now) ?? asked;
  const retryAfter = said ?? (code === 'rate-limited' ? (waitInWords(message) ?? minuteIn(words)) : undefined);
  return {
    type: 'message-error',
    code,
    message: redact(message === '' ? `The provider answered with the status ${status} and no words.` : told(message)),
    retryable: isRetryable(code, status, words, asked !== undefined),
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(path !== undefined && { path }),
    ...(blind && { unable: blind }),
    ...(messagesWithResults.test(words) && { orElse: 'image' as const }),
    ...dialectFor(`${words} ${path ?? ''}`),
    ...mostOutputIn(message),
    ...(code === 'signature' && dropping.test(message) && { offersDrop: true }),
  };
}

/** What helps, where the provider's words do not say it. */
function told(message: string): string {
  return clock.test(message) ? `${message} Set the clock of this machine: it is minutes off.` : message;
}

const habits: readonly (readonly [words: RegExp, dialect: Partial<Dialect>])[] = [
  // OpenAI, to accounts whose owner has not shown a passport
  [/must be verified to stream/i, { unstreamed: true }],
  [/must be verified to generate reasoning summaries/i, { unsummarised: true }],
  // Mistral's models, wherever they are served
  [/unexpected role '?user'? after role '?tool|conversation roles must alternate/i, { bridge: true }],
  // DeepSeek's
  [/reasoning_content\W+in the thinking mode must be passed back/i, { reasoning: 'reasoning_content' }],
  [/\bstream_options\b/, { streamUsage: false }],
];

function dialectFor(words: string): { dialect?: Partial<Dialect> } {
  const habit = habits.find(([row]) => row.test(words));
  return habit ? { dialect: habit[1] } : {};
}

const asksForLess = [
  /max\w*tokens\b.{0,40}too large.{0,80}at most ([\d,]+)/i,
  /max\w*tokens\b.{0,80}expected a value <= ([\d,]+)/i,
  /\bmax_tokens: [\d,]+ > ([\d,]+)/i,
  /max\w*tokens\b.{0,20}less than or equal to `?([\d,]+)/i,
  /max\w*tokens\b.{0,40}\[\d+, ?([\d,]+)\]/i,
];
/** The range that it names does not hold its end. */
const asksForLessThan = /max_?output_?tokens\b.{0,90}to ([\d,]+) \(exclusive\)/i;

function mostOutputIn(message: string): { mostOutput?: number } {
  const below = asksForLessThan.exec(message)?.[1];
  const most = asksForLess.map((row) => row.exec(message)?.[1]).find((found) => found !== undefined);
  const named = Number((below ?? most ?? '').replaceAll(',', '')) - (below === undefined ? 0 : 1);
  return named > 0 ? { mostOutput: named } : {};
}

function codeOf(status: number | undefined, words: string, path = ''): ErrorCode {
  if (status === 401 || signing.test(words)) return 'auth';
  const refused = status === undefined || (status >= 400 && status < 500 && status !== 429);
  if (refused || status === 500) {
    if (noModel.some((row) => row.test(words))) return status === 403 ? 'auth' : 'not-found';
    if (ofTools.test(`${words} ${path}`)) return status === 403 ? 'auth' : 'invalid';
    // Ollama and llama.cpp answer 500 to pictures that they cannot read.
    if (signature.some((row) => row.test(words))) return 'signature';
    if (context.some((row) => row.test(words))) return 'context';
    if (status === 413 || tooLarge.some((row) => row.test(words))) return 'too-large';
    if (referencePath.test(path) || reference.some((row) => row.test(words))) return 'reference';
    if (status === 404 && fileId.test(words)) return 'reference';
    if ((medium.test(words) && objection.test(words)) || insideResults.some((row) => row.test(words))) return 'media';
  }
  if (status === 402 || status === 403 || auth.test(words)) return 'auth';
  if (status === 404) return 'not-found';
  if (status === 429) return 'rate-limited';
  if (status === 503 || status === 529 || overloaded.test(words)) return 'overloaded';
  return status === undefined || status >= 500 ? 'server' : 'invalid';
}

function isRetryable(code: ErrorCode, status: number | undefined, words: string, asked: boolean): boolean {
  if (code === 'rate-limited') return !quota.test(words) || (!perDay.test(words) && (asked || perMinute.test(words)));
  if (code === 'invalid' && misspoken.test(words)) return true;
  return code === 'overloaded' || code === 'server' || status === 408 || status === 409;
}

function unableTo(words: string): Complaint['unable'] | undefined {
  if (insideResults.some((row) => row.test(words))) return 'inside';
  const found = unable.map((row) => row.exec(words)).find((one) => one !== null);
  if (!found) return undefined;
  const named = found
    .slice(1)
    .find((group) => group !== undefined)
    ?.toLowerCase();
  if (named === 'audio' || named === 'video') return named;
  return named === 'pdf' || named === 'document' || named === 'file' ? 'document' : 'image';
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function waitIn(headers: Pick<Headers, 'get'> | undefined, now: number): number | undefined {
  const exact = headers?.get('retry-after-ms');
  if (exact && Number(exact) >= 0) return Number(exact);
  const given = headers?.get('retry-after');
  if (!given) return undefined;
  if (Number(given) >= 0) return Number(given) * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** `Please try again in 6m0.5s`, `in 20ms`. */
function waitInWords(message: string): number | undefined {
  const [, minutes = '0', amount, unit] = /try again in (?:(\d+)m(?!s))?(\d+(?:\.\d+)?)?(ms|s)?/i.exec(message) ?? [];
  if (amount === undefined && minutes === '0') return undefined;
  return Number(minutes) * 60_000 + Number(amount ?? 0) * (unit === 'ms' ? 1 : 1000);
}

/** A quota by the minute that does not say when it is full again. */
function minuteIn(words: string): number | undefined {
  return quota.test(words) && perMinute.test(words) && !perDay.test(words) ? 60_000 : undefined;
}

const repairable: ReadonlySet<ErrorCode> = new Set(['media', 'reference', 'signature', 'context', 'too-large']);

/** An error that came in the middle of a stream, by the same words. */
export function judged(error: MessageError): MessageError {
  if (error.code !== 'server' && error.code !== 'invalid' && error.code !== 'media') return error;
  const { code } = complaintOf(error.status ?? 400, error.message);
  return repairable.has(code) ? { ...error, code, retryable: false } : error;
}

/** The same of anything that was thrown or told: an event of ours, or the error of a vendor's SDK. */
export function complaintFrom(error: unknown): Complaint {
  if (!isRecord(error) && !(error instanceof Error)) return complaintOf(undefined, String(error));
  const fields = error as Record<string, unknown>;
  const status = [fields['status'], fields['statusCode'], fields['status_code'], fields['code']].find(
    (value): value is number => typeof value === 'number' && value >= 400 && value < 600,
  );
  if (fields['type'] === 'message-error') return fromEvent(error as unknown as MessageError);
  const body = fields['error'] ?? fields['responseBody'] ?? fields['body'] ?? fields['message'];
  return complaintOf(
    status,
    typeof body === 'string' ? body.replace(/^\d{3}\s+/, '') : JSON.stringify({ error: body }),
  );
}

function fromEvent(event: MessageError): Complaint {
  const words = complaintOf(event.status, event.message);
  return { ...words, ...event, ...(event.code === 'media' && words.unable && { unable: words.unable }) };
}
