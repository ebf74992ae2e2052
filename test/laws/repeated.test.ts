// Law: a document is sent once, and words that point to it never point to nothing.
import { describe, expect } from 'vitest';
import { shownMedia } from '../../src/window/shown.ts';
import type { Receipt } from '../../src/window/receipt.ts';
import { anyShape, withOneName } from './transcripts.ts';
import { lawOnEveryModel, oneOf } from './trial.ts';
import { planFor } from './world.ts';
import type { Ask, Planned } from './world.ts';

const isShown = ({ place, action }: Receipt): boolean =>
  place !== undefined && (place !== 'words' || action === 'text');

/** The words that point to a document of which nothing stands before them. */
function astray(receipts: readonly Receipt[]): Receipt[] {
  return receipts.filter(
    (one, at) =>
      one.why === 'the same document stands in this request already' &&
      !receipts.slice(0, at).some((other) => other.asset === one.asset && isShown(other)),
  );
}

describe('a document', () => {
  lawOnEveryModel('is sent once', anyShape, (transcript, model) => {
    const { plan, receipts } = planFor({
      transcript: { ...transcript, messages: withOneName(transcript.messages) },
      model,
    });
    const sent = shownMedia(plan).flatMap((one) => (one.type === 'document' ? [one.asset.id] : []));
    expect(sent).toEqual([...new Set(sent)]);
    expect(astray(receipts)).toEqual([]);
  });

  lawOnEveryModel('that is pointed to is there, whatever had to go', anyShape, (transcript, model) => {
    let before: Planned | undefined;
    const ways: Partial<Ask>[] = [
      { budget: { tokens: 4000 } },
      { budget: { bytes: 6000 } },
      { budget: { images: 2 } },
      { policy: { imagesToKeep: 2, strict: true } },
    ];
    const way = oneOf(transcript, ways);
    for (const cut of transcript.cuts) {
      const part = { ...transcript, messages: transcript.messages.slice(0, cut) };
      try {
        before = planFor({ transcript: part, model, ledger: before?.ledger, ...way });
      } catch (error) {
        expect(String(error)).toContain('does not fit');
        return;
      }
      expect(astray(before.receipts)).toEqual([]);
      const { asset } = before.receipts.find(({ action }) => action === 'inside' || action === 'after') ?? {};
      if (asset === undefined) continue;
      const lowered = planFor({ transcript: part, model, ledger: before.ledger, lower: new Set([asset]) });
      expect(astray(lowered.receipts)).toEqual([]);
    }
  });
});
