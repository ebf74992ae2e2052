// Any source in; what a person reads, the blocks a model sees and a few facts out. Order: size, kind by the bytes,
// limits, header, decode, block. Whatever is wrong with a file is a refusal; only a bug rejects.
import type { Read } from '../content/refusal.ts';
import { refuse } from '../content/refusal.ts';
import { runJob } from './child/pool.ts';
import { noPagesNote } from '../content/words.ts';
import type { Context } from './context.ts';
import { contextOf, rulesFor, tooLarge } from './context.ts';
import { askedPages } from './pdf/pages.ts';
import { emptyRefusal, readerFor } from './readers.ts';
import type { Reading, ReadOptions } from './reading.ts';
import { cancelled, unsupported } from './reading.ts';
import { nameFor, sniff, sniffBytes } from './sniff.ts';
import type { Opened } from './bytes.ts';
import type { Source } from './source.ts';
import { openSource, sourceRefusal } from './source.ts';

/** The only way to read media: paths, URLs, bytes, blobs, responses and streams all come in here. */
export async function read(source: Source, options: ReadOptions = {}): Promise<Read<Reading>> {
  const context = contextOf(options);
  const result = await openSource(source, options);
  if (!result.ok) return result;
  const opened = result.value;
  try {
    const head = await opened.head(sniffBytes);
    const seen = sniff(head);
    const name = nameFor(options.name ?? opened.name, seen, { mediaType: opened.mediaType, head });
    if (context.signal?.aborted === true) return cancelled(name);
    if (head.length === 0) return emptyRefusal(name);
    if (options.part !== undefined && options.part !== '') return await readPart(opened, name, options, context);
    const visit = { opened, head, name, options, context, ...(seen && { seen }) };
    const reading = (await readerFor(seen, name, head)?.read(visit)) ?? unsupported(name, seen);
    return reading.ok && asksForSome(options) ? { ok: true, value: withoutPages(reading.value) } : reading;
  } catch (error) {
    return sourceRefusal(error, nameFor(options.name ?? opened.name, undefined));
  } finally {
    await opened.close();
  }
}

/** From the first page on is all of what has no pages. */
function asksForSome(options: ReadOptions): boolean {
  const asked = askedPages(options);
  return asked !== undefined && !(asked.ok && asked.value.start === 0 && asked.value.end === undefined);
}

/** Whoever asks for pages of what has none gets all of it, and is told so. */
function withoutPages(reading: Reading): Reading {
  const { data } = reading;
  const hasPages =
    data.type === 'pdf' || data.type === 'image' || (data.type === 'document' && data.parts?.unit === 'slides');
  if (hasPages) return reading;
  const note = noPagesNote(data.name);
  const output = `${note}\n${reading.output}`;
  const [first, ...others] = reading.blocks;
  const blocks =
    first?.type === 'text'
      ? [{ ...first, text: `${note}\n${first.text}` }, ...others]
      : [{ type: 'text' as const, text: note }, ...reading.blocks];
  return { ...reading, output, blocks };
}

/** So deep may parts lie in each other. */
const deepest = 4;

async function readPart(opened: Opened, name: string, options: ReadOptions, context: Context): Promise<Read<Reading>> {
  const { documentBytes, documentMs } = context.limits;
  let bytes = await opened.all(documentBytes);
  let [inside, part] = [name, options.part ?? ''];
  for (let depth = 0; part !== ''; depth += 1) {
    if (bytes === undefined)
      return tooLarge(`Too large: ${inside}`, documentBytes + 1, documentBytes, 'Unpack it first.');
    if (depth >= deepest)
      return refuse('too-large', `${name} has parts inside each other`, 'Unpack it first.', `${deepest} levels`);
    const { password, encoding } = options;
    const input = {
      bytes,
      name: inside,
      part,
      limits: context.limits,
      ...(password !== undefined && { password }),
      ...(encoding !== undefined && { encoding }),
    };
    const found = await runJob('open-part', input, rulesFor(inside, documentMs, context));
    if (!found.ok) return found;
    ({ bytes, name: inside, rest: part } = found.value);
  }
  const { part: _, ...rest } = options;
  return await read(bytes ?? new Uint8Array(), { ...rest, name: inside });
}
