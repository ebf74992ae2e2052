// What the keys of the chat do, as terminals of both kinds send them.
import { expect, test } from 'vitest';
import { approvals } from '../../src/tui/approval.ts';
import { chatKeys } from '../../src/tui/keys.ts';
import type { Keys } from '../../src/tui/keys.ts';

type Table = {
  keys: Keys;
  did: string[];
  state: { running: boolean; line: string };
  ask: (name: string) => Promise<boolean>;
};

function table(): Table {
  const did: string[] = [];
  const state = { running: false, line: '' };
  const approval = approvals(
    () => true,
    () => undefined,
  );
  const keys = chatKeys(
    {
      stop: () => {
        if (state.running) did.push('stop');
        return state.running;
      },
      leave: () => did.push('leave'),
      clearLine: () => did.push('clear'),
      lineIsEmpty: () => state.line === '',
      completing: () => false,
      toggle: (what) => did.push(what),
      turnPage: (by) => did.push(`page ${by}`),
      toggleText: () => did.push('text'),
      paste: (text) => text.startsWith('/'),
    },
    approval,
  );
  const ask = (name: string): Promise<boolean> => approval.ask({ type: 'call', id: name, name, input: {} });
  return { keys, did, state, ask };
}

test.each<[name: string, pressed: string[], did: string[]]>([
  ['ctrl+c clears the line first and leaves at the second time', ['\u0003', '\u0003'], ['clear', 'leave']],
  ['another key between them begins anew', ['\u0003', 'x', '\u0003'], ['clear', 'clear']],
  ['a key and its release count once', ['\u001B[99;5u', '\u001B[99;5:3u'], ['clear']],
  ['a release between them changes nothing', ['\u001B[99;5u', '\u001B[99;5:3u', '\u001B[99;5u'], ['clear', 'leave']],
  ['folds open once', ['\u001B[116;5u', '\u001B[116;5:3u'], ['thinking']],
  ['results fold too', ['\u000F'], ['calls']],
  ['pages turn', ['\u001Bn', '\u001Bp', '\u001Bt'], ['page 1', 'page -1', 'text']],
  ['ctrl+d leaves an empty line', ['\u0004'], ['leave']],
  ['escape with nothing to stop is nobody’s', ['\u001B'], []],
])('%s', (_name, pressed, expected) => {
  const { keys, did } = table();
  for (const data of pressed) keys.press(data);
  expect(did).toEqual(expected);
});

test('escape and ctrl+c stop what runs', () => {
  const { keys, did, state } = table();
  state.running = true;
  expect(keys.press('\u001B')).toBe(true);
  keys.press('\u0003');
  expect(did).toEqual(['stop', 'stop']);
  expect(keys.leaving()).toBe(true);
});

test('a question is answered by y, n or A on an empty line, and by nothing else', async () => {
  const { keys, state, ask } = table();
  const first = ask('shot');
  expect(keys.press('h')).toBe(false); // it begins a line
  state.line = 'h';
  expect([keys.press('A'), keys.press('y')]).toEqual([false, false]);
  state.line = '';
  expect(keys.press('\u001B[121;1:3u')).toBe(false); // a release of y
  keys.press('n');
  expect(await first).toBe(false);
  const second = [ask('shot'), ask('shot'), ask('other')];
  keys.press('A');
  expect(await second[0]).toBe(true);
  expect(await second[1]).toBe(true);
  expect(await ask('shot')).toBe(true);
  keys.press('y');
  expect(await second[2]).toBe(true);
});

test('a paste is taken whole, also one that looks like keys', () => {
  const { keys, did } = table();
  expect(keys.press('\u001B[200~/tmp/x.png\u001B[201~')).toBe(true);
  expect(keys.press('\u001B[200~some \u0003 words\u001B[201~')).toBe(false);
  expect(did).toEqual([]);
});
