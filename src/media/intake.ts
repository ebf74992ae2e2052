// Bytes in, a checked block out; a path or a URL in, its bytes out; bytes nobody can be shown in, an asset out. This is
// the port through which the pure stages reach the world. None of them throws for what is wrong with a file; it comes
// back as a refusal. What looks at the bytes is loaded with the first of them.
import { assetId } from '../asset/hash.ts';
import { memoOf } from '../asset/memo.ts';
import { isMedia } from '../content/block.ts';
import type { AssetId, Block } from '../content/block.ts';
import type { Hint, Intake, Place } from '../content/intake.ts';
import type { Read } from '../content/refusal.ts';
import { refuse, SightlineError } from '../content/refusal.ts';
import { safeName } from '../content/text.ts';
import type { MediaOptions } from './context.ts';
import { contextOf } from './context.ts';
import type * as Readers from './readers.ts';

/** Relative paths begin at `base`, else at the working directory; a tool names files below `roots` only, else below there. */
export type IntakeOptions = Omit<MediaOptions, 'signal'> & Place;

/**
 * Opens the intake, once for a run: where assets go and what may come in.
 *
 * @example
 * const intake = openIntake({ assets, roots: ['reports'] });
 * const block = await intake.check(await readFile('chart.png'));
 */
export function openIntake(options: IntakeOptions = {}): Intake {
  return intakeAt(options);
}

/** The intake at a place: where paths begin, which folders are open to tools, and what ends it. */
function intakeAt(options: IntakeOptions): Intake {
  const { base, roots = [base ?? process.cwd()], signal, ...media } = options;
  const context = contextOf({ ...media, ...(signal && { signal }) });
  const checked = memoOf<Block>(context.assets, 'block');
  const glances = memoOf<true>(context.assets, 'glance');
  const check: Intake['check'] = async (bytes, hint = {}) => {
    const keyOf = (id: AssetId): string => JSON.stringify([id, hint.name, hint.mediaType, hint.range, options.limits]);
    const glance = glanceAt(bytes);
    // Bytes that nobody has seen look different from all that are known: their hash is not needed yet.
    const id = glances.get(glance) && assetId(bytes);
    const known = id && checked.get(keyOf(id));
    if (known && isMedia(known) && (await context.assets.missing([known.asset.id])).size === 0)
      return { ok: true, value: known };
    const { blockOf } = await (readers ??= import('./readers.ts'));
    const block = await blockOf(bytes, hint, context).catch((error: unknown) => unstored(error, hint));
    if (!block.ok) return block;
    // A conversation that is resent every turn is decoded once.
    glances.set(glance, true);
    checked.set(keyOf(id ?? storedAsGiven(block.value, bytes) ?? assetId(bytes)), block.value);
    return block;
  };
  const reach = { ...(base !== undefined && { base }), ...(signal && { signal }) };
  const open: Intake['open'] = async (source, by) => {
    const url = 'url' in source ? source.url : undefined;
    if (url !== undefined && !URL.canParse(url)) return refuse('not-found', 'That is no URL', 'Check its spelling.');
    const access = by === 'person' ? reach : { ...reach, roots };
    const { sourceBytes } = await import('./source.ts');
    return await sourceBytes('path' in source ? source.path : new URL(source.url), access, context);
  };
  return {
    check,
    open,
    keep: (bytes, about) => context.assets.put(bytes, about),
    stored: (id) => context.assets.get(id),
    at: (place) => intakeAt({ ...options, assets: context.assets, ...place }),
  };
}

/** Loaded once: each import of the same would be looked up anew. */
let readers: Promise<typeof Readers> | undefined;

/** Their length and some of their bytes, from all over. */
function glanceAt(bytes: Uint8Array): string {
  const step = Math.max(1, Math.floor(bytes.length / 32));
  let seen = `${bytes.length}`;
  for (let at = 0; at < bytes.length; at += step) seen += ` ${bytes[at]}`;
  return seen;
}

/** The name of a picture that was stored as it came: the store has just worked it out. */
function storedAsGiven(block: Block, { length }: Uint8Array): AssetId | undefined {
  const isSame = block.type === 'image' && block.origin?.made === undefined && block.asset.size === length;
  return isSame ? block.asset.id : undefined;
}

/** A full disk must not end a conversation; a bug of ours must be seen. */
function unstored(error: unknown, { name = 'It' }: Hint): Read<Block> {
  if (!(error instanceof SightlineError) || error.code !== 'storage') throw error;
  return refuse(
    'not-allowed',
    `${safeName(name)} could not be stored`,
    'Make room for assets, or choose another store.',
  );
}
