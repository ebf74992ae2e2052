// jq in the child: what it answers, and how a program that has no end is ended.
import { expect, test } from 'vitest';
import type { Limits } from '../../src/media/limits.ts';
import { queryJson } from '../../src/media/json/query.ts';
import { effort } from '../effort.ts';
import { some } from '../some.ts';

const mebibyte = 1024 * 1024;

function ask(text: string, program: string, limits: Partial<Limits> = {}): ReturnType<typeof queryJson> {
  return queryJson({ text, name: 'rows.json', program, offset: 0, limit: 10, room: 1000 }, { limits });
}

test.each([
  ['{"a":[1,2]}', '.a[]', ['1', '2']],
  ['{"a":1}\n{"a":2}\n', 'map(.a)', ['[1,2]']],
  ['{"n":12345678901234567890.10}', '.n', ['12345678901234567890.10']],
  ['["é","😀"]', '.[]', ['"é"', '"😀"']],
])('%s | %s', async (text, program, texts) => {
  expect(await ask(text, program)).toEqual({ ok: true, value: { total: texts.length, texts } });
});

const endless = [
  ['an endless loop', 'def f: f; f', { jsonMs: 300 }, 'timed-out', 'The query took too long to answer', '0.3 s'],
  [
    'an endless list',
    '[range(1e12)]',
    { childBytes: 300 * mebibyte },
    'too-large',
    'The query needs too much memory to answer',
    '300 MiB of memory',
  ],
  [
    'endless results',
    'range(1e12)',
    { childBytes: 300 * mebibyte },
    'too-large',
    'The query needs too much memory to answer',
    '300 MiB of memory',
  ],
] as const;

test.each(some(endless, 1))(
  '%s is ended with a sentence, and the next program is answered',
  async (_, program, limits, code, what, limit) => {
    const next = 'Look at less of it: bound it with limit(100; …), .rows[0:100] or first(…).';
    expect(await ask('{"a":1}', program, limits)).toEqual({ ok: false, refusal: { code, what, limit, next } });
    expect(await ask('{"a":1}', '.a')).toEqual({ ok: true, value: { total: 1, texts: ['1'] } });
  },
);

test.runIf(effort.isLong)('calls without an end leave no broken jq behind', async () => {
  const deep = await ask('1', 'def f: 1 + f; f');
  expect(deep).toMatchObject({ refusal: { code: 'too-large', what: expect.stringContaining('memory') as string } });
  expect(await ask('{"a":1}', '.a')).toEqual({ ok: true, value: { total: 1, texts: ['1'] } });
});
