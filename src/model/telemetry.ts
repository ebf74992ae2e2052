// Requests → spans of OpenTelemetry, for programs that trace with it. It is looked for once, and nothing depends on it.
// Names and shapes are those of its conventions for generative AI (open-telemetry/semantic-conventions-genai, 2026-11).
import type { Asset, MediaKind } from '../content/block.ts';
import { hashIn } from '../content/block.ts';
import type { AssistantMessage } from '../message/message.ts';
import type { Ended, RequestRecord } from '../record/record.ts';
import { providerNames } from '../window/catalog.ts';
import type { Plan, PlanItem, Said, Shown } from '../window/plan-types.ts';
import type { Receipt } from '../window/receipt.ts';

/** What tracers are told: nothing, how each request went, or also what was said; media by their hash either way. */
export type Telemetry = 'off' | 'spans' | 'content';

type Attributes = Record<string, string | number | boolean | string[]>;
type Span = {
  setAttributes: (attributes: Attributes) => unknown;
  setStatus: (status: { code: number; message: string }) => unknown;
  end: () => void;
};
type Begun = { kind: number; startTime: number; attributes: Attributes };
type Api = {
  trace: {
    getActiveSpan: () => Span | undefined;
    getTracer: (name: string) => { startSpan: (name: string, options: Begun) => Span };
    getTracerProvider?: () => { getDelegateTracer?: (name: string) => object | undefined };
    setSpan: (context: unknown, span: Span) => unknown;
  };
  context: { active: () => unknown; with: <T>(context: unknown, work: () => T) => T };
  propagation: {
    inject: (context: unknown, carrier: Record<string, string>) => void;
    extract: (context: unknown, carrier: Readonly<Record<string, string>>) => unknown;
  };
};

/** Kept out of the import statement, so that no bundler looks for a package that need not be there. */
const packageName = '@opentelemetry/api';

let loading: Promise<Api | undefined> | undefined;

function load(): Promise<Api | undefined> {
  loading ??= import(packageName).then(
    (api: Api) => api,
    () => undefined,
  );
  return loading;
}

/** The same where somebody traces: the package alone may be there because others need it. */
async function loadTracing(): Promise<Api | undefined> {
  const api = await load();
  return safely(() => {
    const provider = api?.trace.getTracerProvider?.();
    return provider?.getDelegateTracer && !provider.getDelegateTracer('sightline') ? undefined : api;
  });
}

/** Whether spans of requests go to anybody. */
export async function isTraced(telemetry: Telemetry = 'spans'): Promise<boolean> {
  return telemetry !== 'off' && (await loadTracing()) !== undefined;
}

const [internal, server, client, failed] = [0, 1, 2, 2]; // SpanKind.INTERNAL, SERVER and CLIENT, SpanStatusCode.ERROR

/** Tells the span in which another SDK sends its request what was decided about its media. Never throws. */
export function tellActiveSpan(model: string, receipts: readonly Receipt[]): void {
  const told = load().then((api) => api?.trace.getActiveSpan()?.setAttributes(decisions(model, receipts)));
  told.catch(() => undefined);
}

/** A span that is open, and the headers by which a server can go on with its trace. */
export type OpenSpan = {
  headers: Readonly<Record<string, string>>;
  /** `broke` says where its prefix differs from the request before it. */
  end: (ended: Ended, answer: AssistantMessage, broke?: string) => void;
};

const noSpan: OpenSpan = { headers: {}, end: () => undefined };

/** A span over all tries of a request. Never throws. */
export async function openSpan(
  record: RequestRecord,
  plan: Plan,
  { telemetry = 'spans', conversation }: { telemetry?: Telemetry | undefined; conversation?: string | undefined },
): Promise<OpenSpan> {
  if (telemetry === 'off') return noSpan;
  try {
    const api = await loadTracing();
    if (!api) return noSpan;
    const tells = telemetry === 'content';
    const attributes = {
      ...requestAttributes(record, plan),
      ...(conversation && { 'gen_ai.conversation.id': conversation }),
    };
    const begun = {
      kind: client,
      startTime: record.time,
      attributes: { ...attributes, ...(tells && askedContent(plan)) },
    };
    const span = api.trace.getTracer('sightline').startSpan(`chat ${plan.profile.id}`, begun);
    const headers: Record<string, string> = {};
    api.propagation.inject(api.trace.setSpan(api.context.active(), span), headers);
    const end: OpenSpan['end'] = (ended, answer, broke) => {
      const own = { ...endAttributes(ended), ...(broke !== undefined && { 'sightline.prefix.broke': broke }) };
      safely(() => span.setAttributes({ ...own, ...(tells && saidContent(answer, ended)) }));
      if (ended.error) safely(() => span.setStatus({ code: failed, message: ended.error?.message ?? '' }));
      safely(() => span.end());
    };
    return { headers, end };
  } catch {
    return noSpan;
  }
}

/** Runs work inside the trace that somebody's headers name, where there is a tracer. Only work throws. */
async function inTraceOf<Result>(
  headers: Readonly<Record<string, string>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const api = headers['traceparent'] === undefined ? undefined : await loadTracing();
  const context = api && safely(() => api.propagation.extract(api.context.active(), headers));
  return api && context !== undefined ? await api.context.with(context, work) : await work();
}

/** Runs the answer to a client's request inside its trace, in a span of the server's own. Only work throws. */
export function inServerSpan(
  { method, path, headers }: { method: string; path: string; headers: Readonly<Record<string, string>> },
  work: () => Promise<void>,
  statusOf: () => number,
): Promise<void> {
  const attributes = { 'http.request.method': method, 'url.path': path };
  const tell = (): { attributes: Attributes; error?: string } => {
    const status = statusOf();
    const error = status >= 500 && { error: String(status) };
    return { attributes: { 'http.response.status_code': status }, ...error };
  };
  return inTraceOf(headers, () => inSpan({ name: `${method} ${path}`, attributes, kind: server }, work, tell));
}

/** The headers that hand somebody's trace on; none where a span of ours does. */
export async function passedTrace(headers: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  if (headers['traceparent'] === undefined || (await loadTracing())) return {};
  return Object.fromEntries(
    ['traceparent', 'tracestate'].flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

/** Runs work in a span of its own, so that what it sends stands below it. `tell` says how it went; only work throws. */
export async function inSpan<Result>(
  {
    telemetry = 'spans',
    name,
    attributes,
    kind = internal,
  }: { telemetry?: Telemetry | undefined; name: string; attributes: Attributes; kind?: number },
  work: () => Promise<Result>,
  tell: (result: Result) => { attributes?: Attributes; error?: string },
): Promise<Result> {
  const api = telemetry === 'off' ? undefined : await loadTracing();
  if (!api) return await work();
  const begun = { kind, startTime: Date.now(), attributes };
  const span = safely(() => api.trace.getTracer('sightline').startSpan(name, begun));
  if (!span) return await work();
  try {
    const result = await api.context.with(api.trace.setSpan(api.context.active(), span), work);
    const { attributes: more = {}, error } = tell(result);
    safely(() => span.setAttributes({ ...more, ...(error !== undefined && { 'error.type': error }) }));
    if (error !== undefined) safely(() => span.setStatus({ code: failed, message: error }));
    return result;
  } finally {
    safely(() => span.end());
  }
}

/** A tracer that fails is no reason to fail. */
function safely<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function requestAttributes(
  { id, model, url, receipts, purpose }: RequestRecord,
  { profile, options }: Plan,
): Attributes {
  const address = URL.parse(url);
  const { maxTokens, temperature, topP, topK, seed, stop, thinking, output, json } = options;
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerNames[profile.endpoint] ?? profile.endpoint,
    'gen_ai.request.model': profile.id,
    'gen_ai.request.stream': true,
    ...(maxTokens !== undefined && { 'gen_ai.request.max_tokens': maxTokens }),
    ...(temperature !== undefined && { 'gen_ai.request.temperature': temperature }),
    ...(topP !== undefined && { 'gen_ai.request.top_p': topP }),
    ...(topK !== undefined && { 'gen_ai.request.top_k': topK }),
    ...(seed !== undefined && { 'gen_ai.request.seed': seed }),
    ...(stop && { 'gen_ai.request.stop_sequences': [...stop] }),
    ...(thinking !== undefined && { 'gen_ai.request.reasoning.level': thinking }),
    ...((output || json) && { 'gen_ai.output.type': 'json' }),
    ...(address && { 'server.address': address.hostname }),
    ...(address && { 'server.port': Number(address.port) || (address.protocol === 'http:' ? 80 : 443) }),
    'sightline.request': id,
    'sightline.purpose': purpose,
    ...decisions(model, receipts),
  };
}

function decisions(model: string, receipts: readonly Receipt[]): Attributes {
  return {
    'sightline.model': model,
    'sightline.media': receipts.filter(({ asset }) => asset !== undefined).length,
    'sightline.receipts': receipts.map(({ action, subject, why }) => `${action}: ${subject}: ${why}`),
  };
}

function endAttributes({ attempts, usage, latency, stop, response, error }: Ended): Attributes {
  return {
    ...(response?.id !== undefined && { 'gen_ai.response.id': response.id }),
    ...(response?.model !== undefined && { 'gen_ai.response.model': response.model }),
    'sightline.attempts': attempts.length,
    ...(stop && { 'gen_ai.response.finish_reasons': [finishOf(stop)] }),
    ...(latency && { 'gen_ai.response.time_to_first_chunk': latency.firstMs / 1000 }),
    ...(usage && {
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
    }),
    ...(usage?.cachedTokens !== undefined && { 'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens }),
    ...(usage?.writtenTokens !== undefined && { 'gen_ai.usage.cache_write.input_tokens': usage.writtenTokens }),
    ...(error && { 'error.type': error.status === undefined ? error.code : String(error.status) }),
  };
}

const finishes: Partial<Record<NonNullable<Ended['stop']>, string>> = {
  end: 'stop',
  calls: 'tool_call',
  declined: 'content_filter',
};

function finishOf(stop: NonNullable<Ended['stop']>): string {
  return finishes[stop] ?? stop;
}

type TracedPart = { type: string; [field: string]: unknown };

/** What the model is given, as JSON: attributes of spans hold no objects everywhere. */
function askedContent({ system, tools, items }: Plan): Attributes {
  const definitions = tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    parameters: inputSchema,
  }));
  return {
    ...(system !== undefined && { 'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: system }]) }),
    ...(definitions.length > 0 && { 'gen_ai.tool.definitions': JSON.stringify(definitions) }),
    'gen_ai.input.messages': JSON.stringify(items.flatMap(messagesOf)),
  };
}

function saidContent({ content }: AssistantMessage, { stop }: Ended): Attributes {
  if (content.length === 0) return {};
  const parts = content.flatMap(partOf);
  const message = { role: 'assistant', parts, finish_reason: stop ? finishOf(stop) : 'error' };
  return { 'gen_ai.output.messages': JSON.stringify([message]) };
}

function messagesOf(item: PlanItem): { role: string; parts: TracedPart[] }[] {
  if (item.role !== 'batch') return [{ role: item.role, parts: item.content.flatMap(partOf) }];
  const results = item.results.map(({ callId, content }) => ({
    role: 'tool',
    parts: [{ type: 'tool_call_response', id: callId, response: content.flatMap(partOf) }],
  }));
  const bridge =
    item.bridge === undefined ? [] : [{ role: 'assistant', parts: [{ type: 'text', content: item.bridge }] }];
  const after = item.after.length === 0 ? [] : [{ role: 'user', parts: item.after.flatMap(partOf) }];
  return [...results, ...bridge, ...after];
}

function partOf(block: Shown | Said | AssistantMessage['content'][number]): TracedPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', content: block.text }];
    case 'thinking':
      return block.text === '' ? [] : [{ type: 'reasoning', content: block.text }];
    case 'call':
      return [{ type: 'tool_call', id: block.id, name: block.name, arguments: block.input }];
    case 'sealed':
      return []; // its provider's own, and for it alone
    case 'reference':
    case 'remote':
      return []; // where it lies may be a secret
    default:
      return [uriPart(block)];
  }
}

/** A medium by its hash (RFC 6920): bytes are named, never carried. */
function uriPart({ type, asset: { id, mediaType } }: { type: MediaKind; asset: Asset }): TracedPart {
  const hash = Buffer.from(hashIn(id), 'hex').toString('base64url');
  return { type: 'uri', modality: type, mime_type: mediaType, uri: `ni:///sha-256;${hash}` };
}
