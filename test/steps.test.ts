// The short form of `npm run steps`: a few looks and clicks in a real Chromium.
import { expect, test } from 'vitest';
import { walk } from '../scripts/steps/walk.ts';
import { findBrowser } from '../src/toolbox/browser/launch.ts';

test.runIf(findBrowser() !== undefined)(
  'clicks fall within a pixel of what the model saw on a picture that was made smaller',
  async () => {
    const { clicks, farthest, refused, stop, messages } = await walk(4);
    expect({ clicks, refused, stop }).toEqual({ clicks: 2, refused: [], stop: 'end' });
    expect(farthest).toBeLessThanOrEqual(1);
    const shown = messages.flatMap(({ content }) => content.filter((block) => block.type === 'image'));
    expect(shown.length).toBe(2);
    expect(shown.every(({ width, original }) => width === 2000 && original?.width === 2560)).toBe(true);
  },
);
