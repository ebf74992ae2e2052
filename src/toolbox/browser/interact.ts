// What can be done on an open page: one action with its arguments in, a sentence about what was done out.
import { setTimeout } from 'node:timers/promises';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { safeWords } from '../../content/text.ts';
import type { JsonSchema } from '../../tool/schema.ts';
import type { Given } from '../argument.ts';
import { integer, numberAt, string, textAt } from '../argument.ts';
import type { Locator, Page } from './launch.ts';

const actions = ['click', 'type', 'press', 'scroll', 'hover', 'select', 'wait', 'back', 'forward', 'reload'] as const;

const actionMs = 5000;
/** How much longer each letter may take. */
const letterMs = 20;
/** How long a click may take to open another window. */
const newWindowMs = 150;

export const actionSchema: Record<string, JsonSchema> = {
  action: { type: 'string', enum: actions, description: 'What to do' },
  selector: string('Where: a CSS selector, or text=… for visible text'),
  x: integer('Where: pixels from the left of the window'),
  y: integer('Where: pixels from the top of the window'),
  text: string('type: what to type (replaces what a field holds); select: the option'),
  key: string('press: a key such as Enter, Tab, ArrowDown or Control+A'),
  dx: integer('scroll: pixels to the right'),
  dy: integer('scroll: pixels down'),
  ms: integer('wait: how long, in milliseconds', { minimum: 0, maximum: 10_000 }),
};

/** Does one thing on the page. */
export async function actOn(page: Page, given: Given): Promise<Read<string>> {
  try {
    return outsideWindow(page, given) ?? (await done(page, given));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const where = textAt(given, 'selector');
    if (where !== undefined && /Timeout|strict mode/.test(message)) {
      const what = `Nothing that can be used was found at ${safeWords(where)}`;
      return refuse('not-found', what, 'Take a screenshot and use another selector, or x and y.', `${actionMs} ms`);
    }
    return refuse(
      'not-allowed',
      `It did not work: ${safeWords(message.split('\n')[0] ?? '')}`,
      'Take a screenshot first.',
    );
  }
}

async function done(page: Page, given: Given): Promise<Read<string>> {
  const timeout = actionMs;
  const [x, y, text] = [numberAt(given, 'x'), numberAt(given, 'y'), textAt(given, 'text')];
  const selector = textAt(given, 'selector');
  const target: Locator | undefined = selector === undefined ? undefined : page.locator(selector).first();
  const point = x === undefined || y === undefined ? undefined : { x, y };
  const where = selector === undefined ? `x=${x} y=${y}` : safeWords(selector);
  switch (given['action'] as (typeof actions)[number]) {
    case 'click':
      if (target) await target.click({ timeout });
      else if (point) await taken(page.mouse.click(point.x, point.y));
      else return needs('click', 'a selector, or x and y');
      await page.waitForTimeout(newWindowMs);
      return said(`Clicked ${where}.`);
    case 'hover':
      if (target) await target.hover({ timeout });
      else if (point) await taken(page.mouse.move(point.x, point.y));
      else return needs('hover', 'a selector, or x and y');
      return said(`Pointing at ${where}.`);
    case 'type':
      if (text === undefined) return needs('type', 'text');
      if (target) await target.fill(text, { timeout });
      else {
        if (point) await taken(page.mouse.click(point.x, point.y));
        await taken(page.keyboard.type(text), text.length * letterMs);
      }
      return said(`Typed ${text.length} characters.`);
    case 'press': {
      const key = textAt(given, 'key');
      if (key === undefined) return needs('press', 'a key');
      if (target) await target.press(key, { timeout });
      else await taken(page.keyboard.press(key));
      return said(`Pressed ${safeWords(key)}.`);
    }
    case 'select':
      if (!target || text === undefined) return needs('select', 'a selector and the option as text');
      return await select(target, text, where);
    case 'scroll':
      if (target) await target.scrollIntoViewIfNeeded({ timeout });
      else await taken(page.mouse.wheel(numberAt(given, 'dx') ?? 0, numberAt(given, 'dy') ?? 0));
      return said('Scrolled.');
    case 'wait':
      if (target) await target.waitFor({ timeout: numberAt(given, 'ms') ?? timeout });
      else await page.waitForTimeout(numberAt(given, 'ms') ?? 1000);
      return said('Waited.');
    case 'back':
      await page.goBack({ timeout: 15_000 });
      return said('Went back.');
    case 'forward':
      await page.goForward({ timeout: 15_000 });
      return said('Went forward.');
    case 'reload':
      await page.reload({ timeout: 15_000 });
      return said('Loaded again.');
  }
}

/** Mouse and keys wait for the page without end, and one that is busy with itself takes nothing. */
async function taken<Value>(deed: Promise<Value>, moreMs = 0): Promise<Value> {
  const late = setTimeout(actionMs + moreMs, undefined, { ref: false }).then(() => {
    throw new Error('the page is busy with itself and takes no input');
  });
  return await Promise.race([deed, late]);
}

/** Refuses a place that is not in the window; a selector is looked for wherever it is. */
function outsideWindow(page: Page, given: Given): Read<never> | undefined {
  const [x, y, window] = [numberAt(given, 'x'), numberAt(given, 'y'), page.viewportSize()];
  if (textAt(given, 'selector') !== undefined || x === undefined || y === undefined || !window) return undefined;
  if (x >= 0 && y >= 0 && x < window.width && y < window.height) return undefined;
  const size = `${window.width}×${window.height}`;
  return refuse('bad-range', `x=${x} y=${y} lies outside the window`, 'Scroll there, and take a screenshot.', size);
}

/** Waits for an option as for everything on a page; one that does not come is told with those that are there. */
async function select(list: Locator, option: string, where: string): Promise<Read<string>> {
  try {
    await list.selectOption(option, { timeout: actionMs });
    return said(`Selected ${safeWords(option)}.`);
  } catch (error) {
    const there = await taken(list.locator('option').allTextContents());
    if (there.length === 0) throw error;
    const names = there.slice(0, 50).map((name) => `"${safeWords(name.trim())}"`);
    return refuse(
      'not-found',
      `${where} has no option "${safeWords(option)}" to select`,
      `It has ${names.join(', ')}.`,
    );
  }
}

function said(words: string): Read<string> {
  return { ok: true, value: words };
}

function needs(action: string, what: string): Read<never> {
  return refuse('bad-range', `The action ${action} lacks something`, `Give it ${what}.`);
}
