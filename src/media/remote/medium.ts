// A medium behind an address: fetched within the rules, bounded in time and size, and no more than its bytes.
import type { MediaKind } from '../../content/block.ts';
import type { Named } from '../../content/intake.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { safeName } from '../../content/text.ts';
import type { MediaOptions } from '../context.ts';
import { contextOf } from '../context.ts';
import { sourceBytes } from '../source.ts';
import type { UrlRules } from './address.ts';
import { get } from './get.ts';

const timeoutMs = 30_000;

/** The bytes of what lies at an address, or why there are none. Private addresses and large files are refused. */
export async function fetchMedium(
  url: string,
  kind: MediaKind,
  rules: UrlRules,
  { signal, ...options }: MediaOptions,
): Promise<Read<Named>> {
  const until = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  const got = await get(url, rules, until);
  if (!got.ok) return got;
  const { url: from, response } = got.value;
  if (!response.ok) {
    await response.body?.cancel();
    return refuse('not-found', `${from.host} answered ${response.status}`, 'Check the address, or send the file.');
  }
  const type = response.headers.get('content-type') ?? '';
  if (kind !== 'document' && /^text\/html\b/i.test(type)) {
    await response.body?.cancel();
    return refuse('unsupported', `${from.host} answered with a web page, not with ${kind}`, 'Send the file itself.');
  }
  const found = await sourceBytes(response, { signal: until }, contextOf(options));
  // What is given up in the middle ends as if it were whole.
  if (until.aborted)
    return refuse('timed-out', `${from.host} took too long`, 'Try again later.', `${timeoutMs / 1000} s`);
  if (!found.ok) return found;
  const last = from.pathname.split('/').at(-1) ?? '';
  return { ok: true, value: { ...found.value, ...(last !== '' && { name: found.value.name ?? safeName(last) }) } };
}
