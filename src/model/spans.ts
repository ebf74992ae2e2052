// Records of requests → spans of OpenTelemetry, for programs that trace with it. It is looked for once, and nothing
// depends on it. The names are those of its conventions for generative AI as of 2026-10.
import type { Receipt } from '../window/receipt.ts';
import type { Ended, RequestRecord } from '../record/record.ts';

type Attributes = Record<string, string | number | string[]>;
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

const [client, failed] = [2, 2]; // SpanKind.CLIENT, SpanStatusCode.ERROR

/** Tells the span in which another SDK sends its request what was decided about its media. Never throws. */
export function tellActiveSpan(model: string, receipts: readonly Receipt[]): void {
  const told = load().then((api) => api?.trace.getActiveSpan()?.setAttributes(decisions(model, receipts)));
  told.catch(() => undefined);
}

/** A span over all tries of a request; what comes back ends it. Never throws. */
export function openSpan(record: RequestRecord): (ended: Ended) => void {
  const begun = load().then((api) => api?.trace.getTracer('sightline').startSpan(...spanOf(record)));
  begun.catch(() => undefined);
  return (ended) => {
    const over = begun.then((span) => {
      span?.setAttributes(endOf(ended));
      if (ended.error) span?.setStatus({ code: failed, message: ended.error.message });
      span?.end();
    });
    over.catch(() => undefined);
  };
}

function spanOf({ model, url, receipts, time, purpose }: RequestRecord): [string, Begun] {
  const at = model.indexOf('/');
  const [provider, id] = [model.slice(0, at), model.slice(at + 1)];
  const address = URL.parse(url);
  const attributes: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': id,
    ...(address && { 'server.address': address.hostname }),
    ...(address && address.port !== '' && { 'server.port': Number(address.port) }),
    'sightline.purpose': purpose,
    ...decisions(model, receipts),
  };
  return [`chat ${id}`, { kind: client, startTime: time, attributes }];
}

function decisions(model: string, receipts: readonly Receipt[]): Attributes {
  return {
    'sightline.model': model,
    'sightline.media': receipts.filter(({ asset }) => asset !== undefined).length,
    'sightline.receipts': receipts.map(({ action, subject, why }) => `${action}: ${subject}: ${why}`),
  };
}

function endOf({ attempts, usage, latency, stop, error }: Ended): Attributes {
  return {
    'sightline.attempts': attempts.length,
    ...(stop && { 'gen_ai.response.finish_reasons': [stop] }),
    ...(latency && { 'gen_ai.response.time_to_first_chunk': latency.firstMs / 1000 }),
    ...(usage && {
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
    }),
    ...(usage?.cachedTokens !== undefined && { 'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens }),
    ...(usage?.writtenTokens !== undefined && { 'gen_ai.usage.cache_write.input_tokens': usage.writtenTokens }),
    ...(error && { 'error.type': error.code }),
  };
}
