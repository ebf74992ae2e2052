// A list to choose from: keys in, what is shown and chosen out.
import { expect, test } from 'vitest';
import { visibleWidth } from '../../src/tui/kit.ts';
import { picker } from '../../src/tui/picker.ts';
import { themeOf } from '../../src/tui/theme.ts';

const choices = Array.from({ length: 30 }, (_, at) => ({
  value: `v${at}`,
  label: `model-${at}`,
  about: at % 2 === 0 ? 'pictures' : 'blind',
}));
const [up, down, pageDown, enter, escape, back] = ['\u001B[A', '\u001B[B', '\u001B[6~', '\r', '\u001B', '\u007F'];

test.each([
  ['enter takes the first', [enter], 'v0'],
  ['arrows move, and stop at both ends', [up, down, down, enter], 'v2'],
  ['a page at a time', [pageDown, pageDown, pageDown, pageDown, enter], 'v29'],
  ['every word that is typed must be found, in the name or beside it', ['1 blind', down, enter], 'v11'],
  ['a space stays between what is typed quickly', ['1 ', 'blind', down, enter], 'v11'],
  ['what was typed can be taken back', ['29x', back, enter], 'v29'],
  ['enter goes on searching where nothing is found', ['zebra', enter, escape], undefined],
  ['a name can be pasted', ['\u001B[200~model-17\n\u001B[201~', enter], 'v17'],
  ['escape chooses nothing', [down, escape], undefined],
  ['ctrl+c chooses nothing', [down, '\u0003'], undefined],
])('%s', async (_name, keys, chosen) => {
  const { choose, press, isOpen } = picker(themeOf(false), () => undefined);
  const choosing = choose('Which?', choices);
  for (const key of keys) expect(press(key)).toBe(true); // several letters at once are typed, too
  expect(isOpen()).toBe(false);
  expect(press('x')).toBe(false);
  expect(await choosing).toBe(chosen);
});

test.each([
  ['what holds now is where it begins, so that enter changes nothing', 'v17', [enter], 'v17'],
  ['from there arrows go on', 'v17', [up, enter], 'v16'],
  ['who searches begins at the first that is found', 'v17', ['model-2', enter], 'v2'],
  ['what is not in the list is no beginning', 'elsewhere', [enter], 'v0'],
])('%s', async (_name, now, keys, chosen) => {
  const { choose, press } = picker(themeOf(false), () => undefined);
  const choosing = choose('Which?', choices, now);
  for (const key of keys) press(key);
  expect(await choosing).toBe(chosen);
});

test.each([40, 80])('%s columns are enough, and nothing in a name steers the terminal', (width) => {
  const { choose, press, component } = picker(themeOf(false), () => undefined);
  void choose('Which?', [{ value: 'x', label: `\u001B[2J${'long'.repeat(20)}`, about: 'beside' }, ...choices]);
  press('l');
  const lines = component.render(width);
  expect(Math.max(...lines.map(visibleWidth))).toBeLessThanOrEqual(width);
  expect(lines.join('')).not.toContain('\u001B[2J');
  expect(lines[0]).toContain('Which? l▏');
  expect(lines.at(-1)).toContain('1 of 31');
  press('o');
  expect(component.render(width).filter((row) => row !== '')).toHaveLength(3);
  expect(component.render(width)).toHaveLength(lines.length); // nothing below it moves while somebody types
});

test('a paste without end is shown by its end, at once', () => {
  const { choose, press, component } = picker(themeOf(false), () => undefined);
  void choose('Which?', choices);
  press(`\u001B[200~${'long'.repeat(50_000)}-end\u001B[201~`);
  expect(component.render(40)[0]).toMatch(/^ …\S*long-end▏$/);
});

test('what is typed is seen beside a title that is too long for the screen', () => {
  const { choose, press, component } = picker(themeOf(false), () => undefined);
  void choose('Now anthropic/claude-sonnet-5. Go on with:', choices);
  press('model-1');
  const [title = ''] = component.render(40);
  expect(title).toContain('model-1▏');
  expect(title).toContain('Now anthropic');
  expect(visibleWidth(title)).toBeLessThanOrEqual(40);
  press('x'.repeat(50));
  expect(component.render(40)[0]).toMatch(/xxx▏$/);
});

test('a second list closes the first', async () => {
  const { choose, press } = picker(themeOf(false), () => undefined);
  const first = choose('One?', choices);
  const second = choose('Two?', choices);
  press(enter);
  expect(await first).toBeUndefined();
  expect(await second).toBe('v0');
});
