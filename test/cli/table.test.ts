// Tables and wrapped lines: whole in a pipe, fitting on a terminal.
import { describe, expect, test } from 'vitest';
import { cellsOf, tableLines, wrapped } from '../../src/cli/table.ts';
import type { Column } from '../../src/cli/table.ts';

const columns: Column[] = [
  { title: 'id' },
  { title: 'title' },
  { title: 'model', keepsEnd: true, spare: 1 },
  { title: 'size', right: true, spare: 2 },
];
const rows = [
  ['k3f9', 'A long walk through the harbour of Marseille', 'anthropic/claude-sonnet-5', '6 kB'],
  ['p0q1', '日本語のとても長い題名がここにあります', 'openai/gpt-5.2', '12 MB'],
];

function titles(room: number): string {
  return (tableLines(columns, rows, room)[0] ?? '').replaceAll(/ +/g, ' ');
}

describe('a table', () => {
  test('is whole in a pipe', () => {
    const text = tableLines(columns, rows, Infinity).join('\n');
    for (const cell of rows.flat()) expect(text).toContain(cell);
  });

  test.each([40, 60, 80])('fits into %i columns, words shortened with an ellipsis', (room) => {
    const lines = tableLines(columns, rows, room);
    for (const line of lines) expect(cellsOf(line)).toBeLessThanOrEqual(room);
    expect(lines[1]).toMatch(/^k3f9 {2}A long walk.*…/);
    expect(lines[2]).toMatch(/^p0q1 {2}日本語/);
  });

  test('leaves out what it can spare, the highest first, before words become unreadable', () => {
    expect([80, 50, 40].map(titles)).toEqual(['id title model size', 'id title model', 'id title']);
  });

  test('shortens a cell without end at once', () => {
    const [, row = ''] = tableLines(columns, [['k3f9', 'long'.repeat(50_000), `${'far/'.repeat(50_000)}end`, '']], 60);
    expect(row).toMatch(/^k3f9 +longlong.*… +….*far\/end$/);
  });

  test('keeps the end of names that differ there', () => {
    expect(tableLines(columns, rows, 60)[1]).toMatch(/ …\S*claude-sonnet-5/);
  });
});

test.each([
  [Infinity, ['read     a picture: the model takes it there']],
  [32, ['read     a picture: the model', '         takes it there']],
])('a line of words breaks between words within %d columns', (room, lines) => {
  expect(wrapped('read     a picture: the model takes it there', 9, room)).toEqual(lines);
});
