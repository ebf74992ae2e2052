// What one reads who makes a mistake: the page of them is what happens, and every sentence helps.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { nameOf, placed } from '../scripts/house/tree.ts';
import type { Node } from '../scripts/house/tree.ts';

test('the page of mistakes is what happens when they are made: `npm run mistakes` writes it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/mistakes.ts', '--check']).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

test('no mistake goes unnoticed, and none is told in the words of the machine', () => {
  const rows = readFileSync('docs/mistakes.md', 'utf8').match(/^\| `.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThanOrEqual(60);
  const useless = /\| (?:nothing\b|thrown:|TypeError|RangeError|ReferenceError|Hi\.)/;
  expect(rows.filter((row) => useless.test(row))).toEqual([]);
});

type Template = Node & { quasis: { value: { cooked: string } }[] };

/** The sentences with which a file throws, `…` for what is put in; those that are made elsewhere are left out. */
function thrownIn(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('new SightlineError(')) return [];
  const nodes = placed(parseSync(file, text).program as unknown as Node).map(({ node }) => node);
  return nodes.flatMap((node): string[] => {
    if (node.type !== 'NewExpression' || nameOf(node['callee']) !== 'SightlineError') return [];
    const [code, sentence] = node['arguments'] as [Node, Node?];
    if (code['value'] === 'bug') return []; // who meets it can only report it, and is told so
    if (sentence?.type === 'Literal') return [String(sentence['value'])];
    if (sentence?.type !== 'TemplateLiteral') return [];
    return [(sentence as Template).quasis.map(({ value }) => value.cooked).join('…')];
  });
}

test('whatever is thrown says what to do next', () => {
  const all = globSync('src/**/*.ts').flatMap(thrownIn);
  expect(all.length).toBeGreaterThan(120);
  const helps = /[.;:?] \S|must be|^Name |^…+$/;
  expect(all.filter((sentence) => !helps.test(sentence) && sentence !== 'Stopped.')).toEqual([]);
});
