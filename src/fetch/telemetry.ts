// Receipts as attributes of the span in which an SDK sends its request, for programs that trace with OpenTelemetry. It
// is looked for once, and nothing here depends on it.
import type { Receipt } from '../window/receipt.ts';

type Api = { trace: { getActiveSpan: () => Span | undefined } };
type Span = { setAttributes: (attributes: Record<string, string | number | string[]>) => unknown };

/** Kept out of the import statement, so that no bundler looks for a package that need not be there. */
const packageName = '@opentelemetry/api';

let loading: Promise<Api | undefined> | undefined;

export async function tellSpan(receipts: readonly Receipt[], model: string): Promise<void> {
  loading ??= import(packageName).then(
    (api: Api) => api,
    () => undefined,
  );
  const span = (await loading)?.trace.getActiveSpan();
  span?.setAttributes({
    'sightline.model': model,
    'sightline.media': receipts.filter(({ asset }) => asset !== undefined).length,
    'sightline.receipts': receipts.map(({ action, subject, why }) => `${action}: ${subject}: ${why}`),
  });
}
