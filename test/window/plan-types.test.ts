// What counts as a picture, wherever it lies.
import { expect, test } from 'vitest';
import { isPicture } from '../../src/window/plan-types.ts';
import type { Shown } from '../../src/window/plan-types.ts';

const asset = { id: 'sha256:aa', mediaType: 'image/png', size: 1 } as const;
const at = { url: 'https://example.org/x' };

test.each<[Shown, boolean]>([
  [{ type: 'image', asset, width: 1, height: 1 }, true],
  [{ type: 'remote', kind: 'image', at }, true],
  [{ type: 'remote', kind: 'document', at }, false],
  [{ type: 'document', asset }, false],
  [{ type: 'text', text: 'image' }, false],
])('%j: %s', (block, picture) => {
  expect(isPicture(block)).toBe(picture);
});
