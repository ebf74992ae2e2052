// What a plan shows, by where it stands.
import { expect, test } from 'vitest';
import type { Plan, PlanItem, PlannedImage, PlannedRemote, Shown } from '../../src/window/plan-types.ts';
import { insideMedia, kindOfShown, shownMedia } from '../../src/window/shown.ts';

function picture(name: string): PlannedImage {
  return { type: 'image', asset: { id: `sha256:${name}`, mediaType: 'image/png', size: 1 }, width: 1, height: 1 };
}

const words: Shown = { type: 'text', text: 'words' };
const seal = { wire: 'gemini', endpoint: 'gemini', model: 'm', item: {} } as const;
const remote: PlannedRemote = { type: 'remote', kind: 'video', at: { url: 'https://example.org/v' } };
const items: PlanItem[] = [
  { role: 'user', content: [words, picture('asked')] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Look.' },
      { ...picture('made by the model'), seal },
    ],
  },
  {
    role: 'batch',
    results: [
      { callId: 'a', name: 'shot', isError: false, content: [words, picture('inside')] },
      { callId: 'b', name: 'shot', isError: true, content: [remote] },
    ],
    after: [words, picture('after')],
  },
];
const plan = { items } as unknown as Plan;

test('the media of users and results are shown, wherever these have them; what the model said is not', () => {
  expect(shownMedia(plan)).toEqual([picture('asked'), picture('inside'), remote, picture('after')]);
});

test('those inside results stand in results alone', () => {
  expect(insideMedia(plan)).toEqual([picture('inside'), remote]);
});

test('the kind of a medium is known wherever it lies', () => {
  expect(kindOfShown(picture('x'))).toBe('image');
  expect(kindOfShown(remote)).toBe('video');
});
