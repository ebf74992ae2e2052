// A refused request as healing gets it: planned and written for real, with media of every way of travelling.
import type { Block, ImageBlock, ReferenceBlock } from '../../../src/content/block.ts';
import type { Message } from '../../../src/message/message.ts';
import type { RefusedRequest } from '../../../src/model/heal/suspects.ts';
import type { Ledger } from '../../../src/window/ledger.ts';
import { plan } from '../../../src/window/plan.ts';
import type { PlanInput } from '../../../src/window/plan.ts';
import { profileFor } from '../../../src/window/profile.ts';
import { wires } from '../../../src/wire/registry.ts';
import { put } from '../../laws/world.ts';

export const claude = 'anthropic/claude-sonnet-4-5';

export const picture = (name: string): ImageBlock => ({
  type: 'image',
  asset: put(name, 'image/png', `${name}.png`),
  width: 64,
  height: 48,
});

export const linked = (name: string): ReferenceBlock => ({
  type: 'reference',
  kind: 'image',
  at: { url: `https://example.org/${name}.png` },
});

export const says = (...content: Block[]): Message => ({ role: 'user', content });

/** What a call brought, with the call. */
export const brings = (id: string, ...content: Block[]): Message[] => [
  { role: 'assistant', model: claude, content: [{ type: 'call', id, name: 'look', input: {} }] },
  { role: 'tool', callId: id, name: 'look', content },
];

/** These messages, planned for a model and refused by it. */
export function refusedRequest(
  messages: Message[],
  { model = claude, ...more }: Partial<Omit<PlanInput, 'transcript' | 'profile'>> & { model?: string } = {},
  accepted?: Ledger,
): RefusedRequest {
  const transcript = { version: 1 as const, messages };
  const profile = profileFor(model);
  const result = plan({ transcript, profile, urls: { pass: 'all', fetch: false }, ...more });
  if (!result.plan) throw new Error('there is no plan');
  const { plan: made, ledger, totals } = result;
  const { skeleton } = wires[profile.wire].encode(made);
  return { plan: made, ledger, totals, transcript, accepted, skeleton, bytes: 1000 };
}

/** The same request, its pictures sent by ids of uploads: file_0, file_1 and so on. */
export function uploaded(refused: RefusedRequest): RefusedRequest {
  const { model } = refused.plan.profile;
  const ledger = structuredClone(refused.ledger);
  let count = 0;
  for (const { decisions } of ledger.entries[model]?.items ?? [])
    for (const { blocks } of decisions)
      for (const block of blocks) if ('asset' in block) block.at = { file: `files/file_${count++}` };
  return { ...refused, ledger };
}
