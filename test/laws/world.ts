// A small world for the pure stages: assets with real bytes, and somebody who makes the renditions a plan asks for.
// Two worlds of different number make different renditions of the same asset, or refuse where the other did not.
import { createHash } from 'node:crypto';
import type { Asset, AssetId, Block } from '../../src/content/block.ts';
import { refuse } from '../../src/content/refusal.ts';
import { plan } from '../../src/window/plan.ts';
import type { PlanInput, PlanResult } from '../../src/window/plan.ts';
import { renditionKey } from '../../src/window/rendition.ts';
import type { Fact, Rendition } from '../../src/window/rendition.ts';
import type { BytesOf } from '../../src/wire/body.ts';
import { inline, outline } from '../../src/wire/body.ts';
import { wires } from '../../src/wire/registry.ts';
import { profileOf } from './models.ts';

const stored = new Map<AssetId, Uint8Array>();

/** Names bytes and keeps them, as the asset store does. */
export function put(text: string, mediaType: string, name?: string): Asset {
  return putBytes(new TextEncoder().encode(text), mediaType, name);
}

export function putBytes(bytes: Uint8Array, mediaType: string, name?: string): Asset {
  const id: AssetId = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  stored.set(id, bytes);
  return { id, mediaType, size: bytes.length, ...(name !== undefined && { name }) };
}

export const bytesOf: BytesOf = (id) => {
  const bytes = stored.get(id);
  if (bytes === undefined) throw new Error(`nobody stored ${id}`);
  return [bytes];
};

/** The assets that stand for another one: its pages, its smaller picture, some of its pages. */
const sources = new Map<AssetId, AssetId>();

/** The asset a rendition was made of; itself when it is an original. */
export function sourceOf(shortId: string): string {
  for (const [made, from] of sources) if (short(made) === shortId) return sourceOf(short(from));
  return shortId;
}

/** Says that one asset stands for another. */
export function standsFor(made: Asset, source: Asset): Asset {
  sources.set(made.id, source.id);
  return made;
}

export function short(id: string): string {
  return id.slice(7, 15);
}

const unreachable = refuse('not-found', 'Nobody answers there', 'Try something else.');

function fact(rendition: Rendition, world: number): Fact {
  const key = `${world} ${renditionKey(rendition)}`;
  const dice = createHash('sha256').update(key).digest()[0] ?? 0;
  if (dice % 4 === 0) return refuse('corrupt', 'It cannot be made', 'Try something else.');
  const make = (mediaType: string, part: string): Asset => {
    return standsFor(put(`${key} ${part}`, mediaType, `${rendition.to}.bin`), rendition.asset);
  };
  const picture = (part: string): Block => ({
    type: 'image',
    asset: make('image/png', part),
    width: 100,
    height: 80 + world,
    ...(dice % 2 === 0 && { origin: { source: 'here', made: `made in world ${world}` } }),
  });
  switch (rendition.to) {
    case 'text':
    case 'words':
      return { ok: true, value: [{ type: 'text', text: `words of world ${world}` }] };
    case 'description':
      return { ok: true, value: [{ type: 'text', text: `described in world ${world}` }] };
    case 'tiles':
      return { ok: true, value: ['first', 'second'].map(picture) };
    case 'illustrated':
      return {
        ok: true,
        value: [{ type: 'text', text: `before in world ${world}` }, picture('inner'), { type: 'text', text: 'after' }],
      };
    case 'pages': {
      const [start, end] = rendition.range ?? [0, 2];
      return { ok: true, value: Array.from({ length: end - start }, (_, page) => picture(`page ${page}`)) };
    }
    case 'pdf':
      return { ok: true, value: [{ type: 'document', asset: make('application/pdf', 'cut'), pages: 1 }] };
    case 'image':
      return { ok: true, value: [picture('smaller')] };
  }
}

export type Planned = Extract<PlanResult, { plan: object }>;

export type Ask = Omit<PlanInput, 'profile' | 'facts'> & {
  model: string;
  world?: number;
  profile?: PlanInput['profile'];
  /** Who plans; the plain function unless said otherwise. */
  planner?: { plan: typeof plan };
};

/** Plans, with facts made as they are asked for. */
export function planFor({ model, world = 1, profile = profileOf(model), planner = { plan }, ...input }: Ask): Planned {
  const facts = new Map<string, Fact>();
  for (let round = 0; round < 4; round++) {
    const result = planner.plan({ ...input, profile, facts });
    if (result.plan) return result;
    if (result.refusal) throw new Error(result.refusal.what);
    for (const need of result.needs)
      facts.set(renditionKey(need), need.to === 'bytes' || need.to === 'file' ? unreachable : fact(need, world));
  }
  throw new Error('the planner asked for renditions more than three times');
}

export type Written = Planned & { body: Record<string, unknown> };

/** A request with a short note where base64 would stand. */
export async function writeOutline(ask: Ask): Promise<Written> {
  const planned = planFor(ask);
  const body = await outline<object>(wires[planned.plan.profile.wire].encode(planned.plan));
  return { ...planned, body: asSent(body) };
}

/** A request as it would be sent. */
export async function writeWhole(ask: Ask): Promise<Written> {
  const planned = planFor(ask);
  const body = await inline<object>(wires[planned.plan.profile.wire].encode(planned.plan), bytesOf);
  return { ...planned, body: asSent(body) };
}

/** Through JSON, as a server reads a body and as a session keeps a ledger. */
export function asSent<Value>(value: Value): Value & Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Value & Record<string, unknown>;
}
