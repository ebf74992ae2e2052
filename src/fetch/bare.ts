// Where media are checked and made. On Node that is the whole media stage, loaded with the first medium. Where it cannot
// be loaded, as on an edge worker, the workshop is bare: media are told by their first bytes and only their place is
// repaired.
import { wholeOf } from '../content/asset-store.ts';
import type { AssetStore } from '../content/asset-store.ts';
import type { AssetId, Block } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';
import { refusalText, refuse, SightlineError } from '../content/refusal.ts';
import { plan } from '../window/plan.ts';
import type { PlanInput, PlanResult } from '../window/plan.ts';
import { renditionKey } from '../window/rendition.ts';
import type { Fact } from '../window/rendition.ts';

export type Planned = Extract<PlanResult, { plan: object }>;

export type Workshop = {
  intake: Intake;
  assets: AssetStore;
  plan: (input: PlanInput, signal: AbortSignal | undefined) => Promise<Planned>;
  readPictures: boolean;
};

/** Opens the workshop. `assets` is where media are kept; by default in bounded memory. */
export async function openWorkshop(assets: AssetStore | undefined): Promise<Workshop> {
  const node = await Promise.all([
    import('../asset/memory.ts'),
    import('../media/index.ts'),
    import('../model/renditions.ts'),
  ]).catch(() => undefined);
  if (!node) return bareWorkshop(assets);
  const [{ sharedAssets }, { canReadPictures, openIntake }, { planWithFacts }] = node;
  const store = assets ?? sharedAssets();
  // Whoever wrote the request must not choose what is opened here.
  const intake = openIntake({ assets: store, roots: [] });
  return {
    intake,
    assets: store,
    readPictures: canReadPictures(),
    plan: (input, signal) => planWithFacts(input, store, intake, signal),
  };
}

const maxBytes = 64 * 1024 * 1024;

/** Media are what their first bytes say; nothing is decoded and nothing can be made of them. Web standards only. */
function bareWorkshop(given: AssetStore | undefined): Workshop {
  const assets = given ?? smallStore();
  const intake: Intake = {
    check: async (bytes, { name } = {}) => {
      const kind = kindOf(bytes);
      if (!kind) return refuse('unknown', 'It is no picture and no PDF that is known here', 'Send it as it is.');
      const asset = await assets.put(bytes, { mediaType: kind, ...(name !== undefined && { name }) });
      const block: Block =
        kind === 'application/pdf' ? { type: 'document', asset } : { type: 'image', asset, ...pngSize(bytes, kind) };
      return { ok: true, value: block };
    },
    open: () => Promise.resolve(refuse('not-allowed', 'nothing is opened here', 'Send the bytes.')),
    keep: (bytes, about) => assets.put(bytes, about),
    stored: (id) => assets.get(id),
    at: () => intake,
  };
  return { intake, assets, readPictures: false, plan: async (input) => planBare(input) };
}

const nothingMade = refuse(
  'missing-decoder',
  'Nothing can be made of media where this runs',
  'Run it on Node to have pictures resized and documents read.',
);

/** Every rendition that the planner asks for is refused, so that it steps on until it has what it needs. */
function planBare(input: PlanInput): Planned {
  const facts = new Map<string, Fact>();
  for (let round = 0; round < 10; round++) {
    const result = plan({ ...input, facts });
    if (result.plan) return result;
    if (result.refusal) throw new SightlineError('input', refusalText(result.refusal));
    for (const need of result.needs) facts.set(renditionKey(need), nothingMade);
  }
  throw new SightlineError('bug', 'The planner keeps asking for renditions.');
}

const heads: [mediaType: string, head: string][] = [
  ['image/png', '\u0089PNG\r\n\u001a\n'],
  ['image/jpeg', '\u00ff\u00d8\u00ff'],
  ['image/gif', 'GIF8'],
  ['application/pdf', '%PDF-'],
];

function kindOf(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  return heads.find(([, start]) => head.startsWith(start))?.[0];
}

/** A PNG says its size where everybody can read it; 0 is for not known. */
function pngSize(bytes: Uint8Array, kind: string): { width: number; height: number } {
  if (kind !== 'image/png' || bytes.length < 24) return { width: 0, height: 0 };
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Bytes by hash in memory, the oldest out first. */
function smallStore(): AssetStore {
  const kept = new Map<AssetId, Uint8Array>();
  let total = 0;
  const get = (id: AssetId): Uint8Array | undefined => kept.get(id);
  return {
    async put(source, about) {
      const bytes = await wholeOf(source);
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));
      const id: AssetId = `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
      if (!kept.has(id)) total += bytes.length;
      kept.delete(id);
      kept.set(id, bytes);
      for (const [oldest, old] of kept) {
        if (total <= maxBytes || oldest === id) break;
        kept.delete(oldest);
        total -= old.length;
      }
      return { id, size: bytes.length, ...about };
    },
    missing: (ids) => Promise.resolve(new Set(ids.filter((id) => !kept.has(id)))),
    get: (id, range) => Promise.resolve(range ? get(id)?.subarray(range.from, range.to) : get(id)),
    async *stream(id) {
      const bytes = get(id);
      if (!bytes) throw new SightlineError('storage', `The asset ${id} is gone.`);
      yield bytes;
    },
  };
}
