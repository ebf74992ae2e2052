// Laws: every call is answered exactly once, in order; seals go back verbatim to the model that made them alone.
import { describe, expect } from 'vitest';
import type { Block, CallBlock, Seal } from '../../src/content/block.ts';
import { afterResults } from '../../src/content/words.ts';
import { pair } from '../../src/message/pair.ts';
import type { Json } from '../../src/content/json.ts';
import { ruleCheck } from '../judge/rules.ts';
import { profileOf } from './models.ts';
import { node, read } from './reading.ts';
import { anyShape, orderlyShape } from './transcripts.ts';
import type { Built } from './transcripts.ts';
import { lawOnEveryModel } from './trial.ts';
import { writeOutline, writeWhole } from './world.ts';

describe('every call is answered exactly once', () => {
  lawOnEveryModel('by results that stand together, in the order of the calls', anyShape, async (transcript, model) => {
    const { body } = await writeOutline({ transcript, model });
    const entries = read(profileOf(model).wire, body);
    for (const [index, entry] of entries.entries()) {
      if (entry.role !== 'assistant') continue;
      const next = entries[index + 1];
      const answered = next?.role === 'results' ? next.results.map(({ id }) => id) : [];
      expect(answered).toEqual(entry.calls.map(({ id }) => id));
      expect(new Set(answered).size).toBe(answered.length);
    }
  });

  lawOnEveryModel('with as many calls as the model made', anyShape, async (transcript, model) => {
    const { body } = await writeOutline({ transcript, model });
    const made = transcript.messages.flatMap(({ content }) => content.filter((block) => block.type === 'call'));
    const sent = read(profileOf(model).wire, body).flatMap((entry) => (entry.role === 'assistant' ? entry.calls : []));
    expect(sent.map(({ name }) => name)).toEqual(made.map(({ name }) => name));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
  });

  lawOnEveryModel('as the rules of each provider want it', anyShape, async (transcript, model) => {
    const { body } = await writeWhole({ transcript, model });
    expect(ruleCheck(profileOf(model).wire)(body as { [key: string]: never })).toEqual([]);
  });

  lawOnEveryModel('and only what was out of order is called repaired', orderlyShape, async (transcript, model) => {
    const { receipts } = await writeOutline({ transcript, model });
    const repaired = receipts.filter(({ action, subject }) => action === 'repaired' && subject !== afterResults);
    expect(repaired).toEqual([]);
  });
});

function seals(blocks: readonly Block[]): { block: Block; seal: Seal }[] {
  return blocks.flatMap((block) => ('seal' in block && block.seal ? [{ block, seal: block.seal }] : []));
}

function holds(value: unknown, item: Json): boolean {
  if (JSON.stringify(value) === JSON.stringify(item)) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => holds(inner, item));
}

/** On these two wires a seal is a field of the message it came in, not an item of its own. */
function holdsFields(value: unknown, item: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = Object.entries(node(item));
  const here = fields.every(
    ([key, inner]) => JSON.stringify(inner) === JSON.stringify(node(value)[key]) || joined(node(value)[key], inner),
  );
  return here || Object.values(value).some((inner) => holdsFields(inner, item));
}

function joined(text: unknown, part: unknown): boolean {
  return typeof text === 'string' && typeof part === 'string' && text.split('\n').includes(part);
}

/** Calls that had to be renamed can no longer go as their seal has them. */
function keptIds(transcript: Built, pattern: RegExp, max: number): Set<CallBlock> {
  const { items } = pair(transcript.messages);
  const calls = items.flatMap((item) =>
    item.role === 'assistant' ? item.content.filter((block) => block.type === 'call') : [],
  );
  return new Set(calls.filter(({ id }) => pattern.test(id) && id.length <= max && id.isWellFormed()));
}

describe('seals', () => {
  lawOnEveryModel('of this model go back word for word', anyShape, async (transcript, model) => {
    const profile = profileOf(model);
    const { body } = await writeOutline({ transcript, model });
    const kept = keptIds(transcript, new RegExp(profile.callId.pattern, 'u'), profile.callId.max);
    const found = profile.wire === 'ollama' || profile.wire === 'openai-chat' ? holdsFields : holds;
    const lost = transcript.messages
      .flatMap(({ content }) => seals(content))
      .filter(({ seal }) => JSON.stringify(seal.item).includes('OWN'))
      .filter(({ block }) => block.type !== 'call' || kept.has(block))
      .filter(({ seal }) => !found(body, seal.item));
    expect(lost).toEqual([]);
  });

  lawOnEveryModel('and thoughts of others go nowhere', anyShape, async (transcript, model) => {
    const { body } = await writeOutline({ transcript, model });
    expect(JSON.stringify(body)).not.toMatch(/FOE\d{5}/);
    expect(JSON.stringify(body)).not.toContain('thinking of ');
  });
});
