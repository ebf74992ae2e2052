// Law: a request fits its ceilings, whatever has to go; calls stay answered, and what went is told.
import { describe, expect, test } from 'vitest';
import type { Block } from '../../src/content/block.ts';
import { isMedia } from '../../src/content/block.ts';
import type { Message, Transcript } from '../../src/message/message.ts';
import { weightOfFrame, weightOfItem } from '../../src/window/budget.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { plan } from '../../src/window/plan.ts';
import type { PlanInput } from '../../src/window/plan.ts';
import { profileFor } from '../../src/window/profile.ts';
import { ruleCheck } from '../judge/rules.ts';
import { profileOf } from './models.ts';
import { anyShape } from './transcripts.ts';
import { lawOnEveryModel } from './trial.ts';
import { moved as movedBetween } from './prefix.ts';
import { writeOutline, writeWhole } from './world.ts';
import type { Written } from './world.ts';

function picturesIn(items: readonly { role: string }[]): number {
  return (JSON.stringify(items).match(/"type":"image"/g) ?? []).length;
}

describe('a request fits its ceilings', () => {
  for (const bytes of [6000, 20_000]) {
    lawOnEveryModel(`of ${bytes} bytes, or is refused with the reason`, anyShape, async (transcript, model) => {
      try {
        const { body, receipts } = await writeWhole({ transcript, model, budget: { bytes } });
        expect(JSON.stringify(body).length).toBeLessThanOrEqual(bytes * 1.1); // names and ids beside the estimate
        expect(ruleCheck(profileOf(model).wire)(body as { [key: string]: never })).toEqual([]);
        const media = transcript.messages.flatMap(({ content }: { content: Block[] }) => content.filter(isMedia));
        const told = receipts.filter(({ asset, action }) => asset !== undefined || action === 'left-out');
        expect(media.length === 0 || told.length > 0).toBe(true);
      } catch (error) {
        expect(String(error)).toContain('does not fit');
      }
    });
  }

  for (const tokens of [900, 4000]) {
    lawOnEveryModel(`of ${tokens} tokens, and says truly what it weighs`, anyShape, async (transcript, model) => {
      try {
        const { plan: made, totals } = await writeOutline({ transcript, model, budget: { tokens } });
        const { tokens: rule } = made.profile;
        const weighed = made.items.reduce(
          (sum, item) => sum + weightOfItem(item, rule).tokens,
          weightOfFrame(made.system, made.tools).tokens,
        );
        expect(totals.used.tokens).toBeLessThanOrEqual(tokens);
        expect(Math.abs(weighed - totals.used.tokens)).toBeLessThan(60); // lines that open or close the conversation
      } catch (error) {
        if (!String(error).includes('does not fit')) throw error;
      }
    });
  }

  lawOnEveryModel('of two pictures', anyShape, async (transcript, model) => {
    const { plan: made } = await writeWhole({ transcript, model, budget: { images: 2 } });
    expect(picturesIn(made.items)).toBeLessThanOrEqual(2);
  });
});

describe('a conversation that keeps few pictures', () => {
  lawOnEveryModel('has no more than it may, and extends or says why not', anyShape, async (transcript, model) => {
    let before: Written | undefined;
    for (const cut of transcript.cuts) {
      const part = { ...transcript, messages: transcript.messages.slice(0, cut) };
      const policy = { imagesToKeep: 2, batch: 3 };
      const now = await writeOutline({ transcript: part, model, policy, ledger: before?.ledger });
      const reasons = now.receipts.filter(({ action }) => action === 'checkpoint');
      if (before && reasons.length === 0) expect(movedBetween(before.body, now.body)).toEqual([]);
      const alone = now.plan.items.map((item) => picturesIn([item]));
      expect(picturesIn(now.plan.items)).toBeLessThan(Math.max(5, 2 + Math.max(...alone)));
      before = now;
    }
  });
});

/** A screenshot in every turn. */
function loop(turns: number): Message[] {
  const start: Message = { role: 'user', content: [{ type: 'text', text: 'Find the door.' }] };
  const turnsOf = Array.from({ length: turns }, (_, turn): Message[] => {
    const id = `sha256:${String(turn).padStart(64, '0')}` as const;
    const asset = { id, mediaType: 'image/png', size: 300_000, name: `shot-${turn}.png` };
    return [
      { role: 'assistant', model: '', content: [{ type: 'call', id: `c${turn}`, name: 'look', input: {} }] },
      {
        role: 'tool',
        callId: `c${turn}`,
        name: 'look',
        content: [
          { type: 'text', text: `Step ${turn}.` },
          { type: 'image', asset, width: 1280, height: 800 },
        ],
      },
    ];
  }).flat();
  return [start, ...turnsOf];
}

type Step = { moved: string[]; pictures: number; newest: boolean };

function walk(turns: number, input: Omit<PlanInput, 'transcript'>): Step[] {
  let ledger: Ledger | undefined;
  return Array.from({ length: turns }, (_, turn): Step => {
    const transcript: Transcript = { version: 1, messages: loop(turn + 1) };
    const result = plan({ ...input, transcript, ledger });
    if (!result.plan) throw new Error('there is no plan');
    ledger = JSON.parse(JSON.stringify(result.ledger)) as Ledger;
    const moved = result.receipts.filter(({ action }) => action === 'checkpoint').map(({ subject }) => subject);
    const last = JSON.stringify(result.plan.items.slice(-2));
    return {
      moved,
      pictures: picturesIn(result.plan.items),
      newest: last.includes(`shot-${turn}.png`) && last.includes('"image"'),
    };
  });
}

describe('a long loop of screenshots', () => {
  const steps = walk(120, { profile: profileFor('anthropic/claude-sonnet-4-5') });

  test('never passes what the model takes', () => {
    expect(Math.max(...steps.map(({ pictures }) => pictures))).toBeLessThanOrEqual(100);
  });

  test('always shows the newest', () => {
    expect(steps.every(({ newest }) => newest)).toBe(true);
  });

  test('moves its prefix rarely, and says why', () => {
    const moves = steps.flatMap(({ moved }) => moved);
    expect(moves.length).toBeGreaterThan(0);
    expect(moves.length).toBeLessThanOrEqual(6);
    expect(new Set(moves)).toEqual(new Set(['budget']));
  });

  test('drops thinking that was bound to what has gone', () => {
    const profile = profileFor('anthropic/claude-opus-5-5');
    const seal = {
      wire: profile.wire,
      endpoint: profile.endpoint,
      model: profile.id,
      item: { type: 'thinking', thinking: 'hm', signature: 's' },
    };
    const messages = loop(8).map((message): Message => {
      return message.role === 'assistant'
        ? { ...message, content: [{ type: 'thinking', text: 'hm', seal }, ...message.content] }
        : message;
    });
    const before = plan({ transcript: { version: 1, messages: messages.slice(0, -2) }, profile });
    const after = plan({
      transcript: { version: 1, messages },
      profile,
      ledger: before.plan ? before.ledger : undefined,
      budget: { images: 4 },
    });
    const thoughts = (result: typeof before): number =>
      JSON.stringify(result.plan?.items).split('"signature"').length - 1;
    expect(thoughts(before)).toBe(7);
    expect(thoughts(after)).toBe(2); // the first, before anything that went, and the newest, made after it
  });
});

describe('a loop of screenshots in a window that holds few of them', () => {
  test('moves its prefix once in several steps, for its budget alone', () => {
    const steps = walk(60, { profile: profileFor('ollama/qwen3-vl') });
    const at = steps.flatMap(({ moved }, step) => (moved.length > 0 ? [step] : []));
    const apart = at.slice(1).map((step, index) => step - (at[index] as number));
    expect(at.length).toBeGreaterThan(2);
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(5);
    expect(new Set(steps.flatMap(({ moved }) => moved))).toEqual(new Set(['budget']));
  });
});
