// A folder that a person names is handed over as the list of what is in it.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attach } from '../../src/agent/attach.ts';
import { namedFiles } from '../../src/agent/mentions.ts';
import { textIn } from '../../src/content/block.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';

const folder = mkdtempSync(join(tmpdir(), 'named-'));
mkdirSync(join(folder, 'docs'));
writeFileSync(join(folder, 'docs', 'plan.md'), '# Plan\n');
writeFileSync(join(folder, 'chart.png'), 'x');

test.each([
  ['what is in @docs?', ['[attached: docs]', 'plan.md  7 B']],
  ['what is in @docs/', ['[attached: docs]', 'plan.md  7 B']],
  ['what is here: @.', ['chart.png  1 B', 'docs/']],
])('%s', async (words, expected) => {
  const { files, notices } = namedFiles(words, folder);
  expect([files.length, notices]).toEqual([1, []]);
  const attached = await attach(words, files, { assets: memoryAssets() });
  const text = attached.ok ? textIn(attached.value, '\n') : '';
  expect(text.endsWith(words)).toBe(true);
  for (const part of expected) expect(text).toContain(part);
});

test('a person or a package after an @ is no folder', () => {
  expect(namedFiles('ask @anna about @types/node', folder)).toEqual({ files: [], notices: [] });
});
