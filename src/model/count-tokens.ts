// The exact number of tokens of a request, by the provider's own counting endpoint. An estimate needs no network and is
// what plans are made with; this is for those who have to know.
import { isRecord } from '../content/json.ts';
import { refuse } from '../content/refusal.ts';
import type { Read } from '../content/refusal.ts';
import { endpoints } from '../window/catalog.ts';
import type { EndpointName } from '../window/catalog.ts';
import { wires } from '../wire/registry.ts';
import { nodeFetch } from './http/http.ts';
import type { Prepared } from './prepared.ts';
import { redact } from './redact.ts';
import { authorised } from './send.ts';
import type { SendOptions } from './send.ts';

/**
 * Asks the provider. Refused: wires without such an endpoint, a missing key, an answer that is no number.
 *
 * @example
 * const tokens = await countTokens(await prepare({ messages }, { model: 'anthropic/claude-sonnet-5' }));
 * if (tokens.ok) console.log(tokens.value);
 */
export async function countTokens(request: Prepared, options: SendOptions = {}): Promise<Read<number>> {
  const { wire, plan } = request;
  const { countless } = endpoints[plan.profile.endpoint as EndpointName];
  const counter = countless ? undefined : wires[wire].route.count;
  if (!counter)
    return refuse(
      'unsupported',
      `${plan.profile.endpoint} has no endpoint that counts tokens`,
      'Use the estimate in `totals`.',
    );
  const secrets: string[] = [];
  const ready = await authorised(request, options, secrets);
  if ('type' in ready) return refuse('not-allowed', ready.message, 'Set the key and try again.');
  const body = new TextEncoder().encode(JSON.stringify(counter.body({ ...(await request.json()) }, plan.profile.id)));
  const signal = AbortSignal.any([
    AbortSignal.timeout(options.totalMs ?? 60_000),
    ...(options.signal ? [options.signal] : []),
  ]);
  try {
    const answer = await (options.fetch ?? nodeFetch)(counter.url(ready.url), {
      method: 'POST',
      headers: { ...ready.headers, 'content-length': String(body.length) },
      body: new Blob([body]).stream(),
      signal,
      redirect: 'manual',
      duplex: 'half',
    });
    const said: unknown = await answer.json();
    const count = isRecord(said) ? said[counter.read] : undefined;
    if (answer.ok && typeof count === 'number') return { ok: true, value: count };
    return refuse(
      'unsupported',
      `The provider did not count the tokens (${answer.status})`,
      'Use the estimate in `totals`.',
    );
  } catch (error) {
    const why = redact(error instanceof Error ? error.message : String(error), secrets);
    return refuse(
      'timed-out',
      `The tokens could not be counted: ${why}`,
      'Try again, or use the estimate in `totals`.',
    );
  }
}
