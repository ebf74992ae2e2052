// Any source in; what a person reads, the blocks a model sees and a few facts out. Order: size, kind by the bytes,
// limits, header, decode, block. Whatever is wrong with a file is a refusal; only a bug rejects.
import type { Read, Refusal } from '../content/refusal.ts';
import { refuse, SightlineError } from '../content/refusal.ts';
import { contextOf } from './context.ts';
import { emptyRefusal, readerFor } from './readers.ts';
import type { Reading, ReadOptions } from './reading.ts';
import { cancelled, unsupported } from './reading.ts';
import { nameFor, sniff, sniffBytes } from './sniff.ts';
import type { Source } from './source.ts';
import { openSource } from './source.ts';

/** The only way to read media: paths, URLs, bytes, blobs, responses and streams all come in here. */
export async function read(source: Source, options: ReadOptions = {}): Promise<Read<Reading>> {
  const context = contextOf(options);
  const result = await openSource(source, options);
  if (!result.ok) return result;
  const opened = result.value;
  try {
    const head = await opened.head(sniffBytes);
    const seen = sniff(head);
    const name = nameFor(options.name ?? opened.name, seen);
    if (context.signal?.aborted === true) return cancelled(name);
    if (head.length === 0) return emptyRefusal(name);
    const visit = { opened, head, name, options, context, ...(seen && { seen }) };
    return (await readerFor(seen, name, head)?.read(visit)) ?? unsupported(name, seen);
  } catch (error) {
    return sourceRefusal(error, nameFor(options.name ?? opened.name, undefined));
  } finally {
    await opened.close();
  }
}

/** A source that fails while it is read is a refusal; everything else is thrown on. */
function sourceRefusal(error: unknown, name: string): { ok: false; refusal: Refusal } {
  if (!(error instanceof SightlineError) || error.code !== 'input') throw error;
  return refuse('corrupt', `${name} broke off while it was read`, 'Get it again.');
}
