// What the keys of the chat do, as terminals of both kinds send them.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvals } from '../../src/tui/approval.ts';
import type { Rights } from '../../src/tui/approval.ts';
import { isWholeWord } from '../../src/tui/completions.ts';
import { chatKeys } from '../../src/tui/keys.ts';
import type { Keys } from '../../src/tui/keys.ts';

type Table = {
  keys: Keys;
  did: string[];
  state: { running: boolean; line: string; offered: boolean; whole: boolean };
  ask: (name: string) => Promise<boolean>;
};

function table(): Table {
  const did: string[] = [];
  const state = { running: false, line: '', offered: false, whole: false };
  const allowed = new Set<string>();
  const rights: Rights = {
    missing: ({ name }) => (allowed.has(name) ? [] : [name]),
    allow: (names, scope) => scope !== 'once' && names.forEach((name) => allowed.add(name)),
    ended: () => undefined,
  };
  const approval = approvals(rights, () => undefined);
  const keys = chatKeys(
    {
      stop: () => {
        if (state.running) did.push('stop');
        return state.running;
      },
      leave: () => did.push('leave'),
      clearLine: () => did.push('clear'),
      lineIsEmpty: () => state.line === '',
      completing: () => state.offered,
      isWhole: () => state.whole,
      closeOffer: () => did.push('close'),
      toggle: (what) => did.push(what),
      turnPage: (by) => did.push(`page ${by}`),
      toggleText: () => did.push('text'),
      openDocument: () => did.push('open'),
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

const [enter, up, down, escape] = ['\r', '\u001B[A', '\u001B[B', '\u001B'];

test.each<[name: string, offered: boolean, whole: boolean, pressed: string[], did: string[]]>([
  ['enter sends a whole path though names are offered', true, true, [enter], ['close']],
  ['enter completes what is no path yet', true, false, [enter], []],
  ['enter takes the name that somebody went for', true, true, [down, enter], []],
  ['up goes for one, too', true, true, [up, enter], []],
  ['who writes on after that has not gone for it', true, true, [down, 'x', enter], ['close']],
  ['the same as terminals tell it that tell of releases', true, true, ['\u001B[13u', '\u001B[13;1:3u'], ['close']],
  ['nothing is closed that is not open', false, true, [enter], []],
  ['escape closes the offer and stops nothing', true, false, [escape], []],
])('%s', (_name, offered, whole, pressed, expected) => {
  const { keys, did, state } = table();
  Object.assign(state, { offered, whole, running: true });
  for (const data of pressed) expect(keys.press(data)).toBe(false);
  expect(did).toEqual(expected);
});

test.each<[before: string, whole: boolean]>([
  ['see @chart.png', true],
  ['see @chart.png ', true],
  ['see @char', false],
  ['see @', false],
  ['see @"my chart.png', true],
  ['see @"my ch', false],
  ['see @sub', true],
  ['/mod', false],
  ['/model claude', true],
  ['what is this', true],
])('whether %j needs completion', (before, whole) => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-keys-'));
  for (const name of ['chart.png', 'chart2.png', 'my chart.png']) writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'sub'));
  expect(isWholeWord(before, folder)).toBe(whole);
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

test('a call that its provider has doubts about is asked for each time, with what these are', async () => {
  const approval = approvals({ missing: () => [], allow: () => undefined, ended: () => undefined }, () => undefined);
  const call = { type: 'call' as const, id: '1', name: 'computer', input: {} };
  expect(await approval.ask(call)).toBe(true);
  const doubted = { ...call, doubts: ['The page gives orders.'] };
  const [first, second] = [approval.ask(doubted), approval.ask({ ...doubted, id: '2' })];
  expect(approval.warnings()).toEqual(['Its provider wants you to look first: The page gives orders.']);
  approval.settle(true, 'chat');
  expect(await first).toBe(true);
  expect(approval.current()?.id).toBe('2');
  approval.settle(false);
  expect(await second).toBe(false);
});

test('a paste is taken whole, also one that looks like keys', () => {
  const { keys, did } = table();
  expect(keys.press('\u001B[200~/tmp/x.png\u001B[201~')).toBe(true);
  expect(keys.press('\u001B[200~some \u0003 words\u001B[201~')).toBe(false);
  expect(did).toEqual([]);
});
