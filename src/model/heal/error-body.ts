// The body of an error response → the provider's own words, its name for the error, and the place in the request that
// it names. Every vendor wraps them differently, gateways wrap them again, and some send a web page.
import { isRecord } from '../../content/json.ts';

type ErrorBody = {
  message: string;
  /** Types, codes and states, as they came: `invalid_request_error`, `context_length_exceeded`, `INVALID_ARGUMENT`. */
  kinds: string[];
  /** A path in the request, such as `messages.5.content.0` or `input[3].output[1]`. */
  path?: string;
  /** Milliseconds that the body asks to wait. */
  retryAfter?: number;
};

/** Reads what came, whatever it is. */
export function readErrorBody(text: string): ErrorBody {
  const parsed = parse(text);
  const body = parsed === undefined ? { message: plainText(text), kinds: [] } : fromJson(parsed, 0);
  const path = body.path ?? pathIn(body.message);
  return { ...body, ...(path !== undefined && { path }) };
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A web page or plain words: without tags, on one line. */
function plainText(text: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1];
  return (title ?? text.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ').trim();
}

const maxDepth = 4;

function fromJson(value: unknown, depth: number): ErrorBody {
  if (typeof value === 'string') {
    const inner = depth < maxDepth && /^\s*[[{]/.test(value) ? parse(value) : undefined;
    return inner === undefined ? { message: value, kinds: [] } : fromJson(inner, depth + 1);
  }
  if (depth > maxDepth) return { message: JSON.stringify(value), kinds: [] };
  if (Array.isArray(value)) return fromList(value, depth);
  if (!isRecord(value)) return { message: String(value), kinds: [] };
  const inner = value['error'] ?? value['detail'] ?? value['message'] ?? value['errors'] ?? value['msg'];
  const body: ErrorBody =
    inner === undefined ? { message: JSON.stringify(value), kinds: [] } : fromJson(inner, depth + 1);
  const more = wrapped(value['metadata'], depth);
  const names = [value['type'], value['code'], value['status'], value['reason'], ...quotasIn(value['details'])];
  const kinds = names.filter((kind) => typeof kind === 'string');
  const path = body.path ?? placeOf(value);
  const wait = body.retryAfter ?? retryDelay(value['details']);
  return {
    message: more ? `${body.message} ${more.message}` : body.message,
    kinds: [...body.kinds, ...kinds, ...(more?.kinds ?? [])],
    ...(path !== undefined && { path }),
    ...(wait !== undefined && { retryAfter: wait }),
  };
}

/** Validators list one complaint per place; the first says enough. */
function fromList(list: readonly unknown[], depth: number): ErrorBody {
  const [first] = list;
  return first === undefined ? { message: '', kinds: [] } : fromJson(first, depth + 1);
}

/** A gateway puts what its upstream said beside its own words. */
function wrapped(metadata: unknown, depth: number): ErrorBody | undefined {
  const raw = isRecord(metadata) ? metadata['raw'] : undefined;
  return typeof raw === 'string' && raw !== '' ? fromJson(raw, depth + 1) : undefined;
}

function placeOf(value: Record<string, unknown>): string | undefined {
  if (typeof value['param'] === 'string') return value['param'];
  if (Array.isArray(value['loc'])) return value['loc'].filter((step) => step !== 'body').join('.');
  const details: readonly unknown[] = Array.isArray(value['details']) ? value['details'] : [];
  for (const detail of details) {
    const violations: unknown = isRecord(detail) ? detail['fieldViolations'] : undefined;
    const [first] = Array.isArray(violations) ? (violations as unknown[]) : [];
    if (isRecord(first) && typeof first['field'] === 'string') return first['field'];
  }
  return undefined;
}

/** Google's way to say how long to wait: `"retryDelay": "34s"`. */
function retryDelay(details: unknown): number | undefined {
  for (const detail of Array.isArray(details) ? (details as unknown[]) : []) {
    const delay = isRecord(detail) ? detail['retryDelay'] : undefined;
    const seconds = typeof delay === 'string' ? Number.parseFloat(delay) : Number.NaN;
    if (seconds >= 0) return seconds * 1000;
  }
  return undefined;
}

/** Google's names for the quotas that were used up: `GenerateRequestsPerMinutePerProjectPerModel`. */
function quotasIn(details: unknown): unknown[] {
  return (Array.isArray(details) ? (details as unknown[]) : []).flatMap((detail) => {
    const violations: unknown = isRecord(detail) ? detail['violations'] : undefined;
    return Array.isArray(violations) ? violations.filter(isRecord).map((one) => one['quotaId']) : [];
  });
}

const step = String.raw`(?:\.\w+|\[\d+\])`;
const place = new RegExp(String.raw`\b(?:messages|input|contents|system)${step}+`);

/** The first path into a request that a sentence mentions. */
function pathIn(text: string): string | undefined {
  return place.exec(text)?.[0];
}
