// What reading says, in the flags of the command line.
import { expect, test } from 'vitest';
import { lineRange, nextInFlags, notesInFlags } from '../../src/cli/read/flags.ts';

test.each([
  ['200-400', { offset: 200, limit: 201 }],
  ['200-', { offset: 200 }],
  ['7', { offset: 7, limit: 1 }],
])('--lines %s means %j', (given, lines) => {
  expect(lineRange(given)).toEqual(lines);
});

test.each(['0', '5-2', '-3', 'a-b', ''])('--lines %j is refused', (given) => {
  expect(() => lineRange(given)).toThrow('Write it like 200-400');
});

test.each([
  [
    '[Lines 1-9 of 20. Use offset=10 to continue.]\nUse offset=1 to continue.',
    '[Lines 1-9 of 20. --lines 10- shows more.]\nUse offset=1 to continue.',
  ],
  [
    '[Line 3 of 20, characters 1-99 of 200. Use offset=3 character=100 to continue.]\nx',
    '[Line 3 of 20, characters 1-99 of 200. --lines 3 --character 100 shows more.]\nx',
  ],
  [
    '[Showing pages 1-1 of 2. Use page_start=1 to continue.]\n\n[Lines 2-4 of 7. Use offset=5 to continue.]\nx',
    '[Showing pages 1-1 of 2. --pages 2- shows more.]\n\n[Lines 2-4 of 7. --lines 5- shows more.]\nx',
  ],
  [
    '[Showing pages 1-20 of 40. Use page_start=20 to continue.]\n\nx',
    '[Showing pages 1-20 of 40. --pages 21- shows more.]\n\nx',
  ],
  [
    '[Lines 1-2 of 2.]\nabc [1,000 more characters; offset=1 limit=1 shows more]\nd',
    '[Lines 1-2 of 2.]\nabc [1,000 more characters; --lines 1 shows more]\nd',
  ],
  ['A chart: ![](a.png) [part="a.png" shows it].', 'A chart: ![](a.png) [--part a.png shows it].'],
  [
    '- my bill.pdf (application/pdf, 9 bytes; part="my bill.pdf" reads it)',
    '- my bill.pdf (application/pdf, 9 bytes; --part "my bill.pdf" reads it)',
  ],
  ['He wrote [part="a" shows it].', 'He wrote [part="a" shows it].'],
  ['plain words', 'plain words'],
])('%j is shown as %j', (output, shown) => {
  expect(notesInFlags(output)).toBe(shown);
});

test('what to do next names flags', () => {
  expect(nextInFlags('Put it into a file and read some of its lines with offset and limit.')).toMatch(
    /with --lines\.$/,
  );
});
