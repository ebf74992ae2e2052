// What can be used on an open page: links, buttons and fields with a selector for each, so that nobody has to guess one
// from a picture. All of it comes from the page: it is data, checked and made harmless here.
import { isRecord } from '../../content/json.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { safeWords } from '../../content/text.ts';
import type { Page } from './launch.ts';
import { inPage } from './visit.ts';

const maxElements = 50;

/** Runs in the page. An element is named by its id where that is enough, else by its tag and its number among those. */
const look = `(where) => {
  const root = document.querySelector(where);
  if (!root) return null;
  const usable = 'a[href],button,input,select,textarea,summary,[onclick],[contenteditable=""],[contenteditable=true],' +
    ['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'option', 'textbox', 'combobox']
      .map((role) => '[role=' + role + ']').join(',');
  const line = (text) => String(text || '').replace(/\\s+/g, ' ').trim().slice(0, 200);
  const nameOf = (element, tag) => {
    const { id } = element;
    if (/^[A-Za-z][\\w-]*$/.test(id) && document.querySelectorAll('#' + id).length === 1) return '#' + id;
    return tag + ' >> nth=' + [...document.querySelectorAll(tag)].indexOf(element);
  };
  const found = [...root.querySelectorAll(usable)].filter((element) => element.checkVisibility({ visibilityProperty: true }));
  const elements = found.slice(0, ${maxElements}).map((element) => {
    const tag = element.tagName.toLowerCase();
    const { x, y, width, height } = element.getBoundingClientRect();
    const type = tag === 'input' ? element.type : element.getAttribute('role');
    const label = element.labels && element.labels[0] && element.labels[0].innerText;
    const own = tag === 'select' ? '' : element.innerText;
    const said = own || element.getAttribute('aria-label') || label || element.placeholder || element.title || element.name;
    const silent = tag === 'button' || ['password', 'checkbox', 'radio', 'submit', 'file'].includes(type);
    const value = silent || !('value' in element) ? '' : element.value;
    const [left, top] = [Math.round(x + width / 2), Math.round(y + height / 2)];
    const inside = left >= 0 && top >= 0 && left < innerWidth && top < innerHeight;
    return {
      selector: nameOf(element, tag), tag, type: line(type), said: line(said), value: line(value),
      checked: element.checked === true, disabled: element.disabled === true, ...(inside && { left, top }),
    };
  });
  return { total: found.length, elements };
}`;

/** The elements of a page, or of a part of it, that can be clicked or filled in; one line each. */
export async function inspect(page: Page, selector = 'html'): Promise<Read<string>> {
  const found = await inPage(page, `(${look})(${JSON.stringify(selector)})`);
  return isRecord(found)
    ? { ok: true, value: told(found) }
    : refuse('not-found', `Nothing was found at ${safeWords(selector)}`, 'Check the selector, or take a screenshot.');
}

function told({ elements, total: claimed }: Record<string, unknown>): string {
  const shown = Array.isArray(elements) ? elements.filter(isRecord).slice(0, maxElements) : [];
  const total = Math.max(shown.length, Number(claimed) || 0);
  if (shown.length === 0) return 'There is nothing to click or fill in.';
  const more = total > shown.length ? `, the first ${shown.length} of them below; give a selector to see others` : '';
  return [`[${total} ${total === 1 ? 'element' : 'elements'} can be used${more}.]`, ...shown.map(lineOf)].join('\n');
}

function lineOf(element: Record<string, unknown>): string {
  const word = (key: string): string => safeWords(typeof element[key] === 'string' ? element[key] : '');
  const [type, said, value] = [word('type'), word('said'), word('value')];
  const { left, top } = element;
  return [
    `${word('selector')}: ${word('tag')}${type === '' ? '' : ` (${type})`}`,
    ...(said === '' ? [] : [`"${said}"`]),
    ...(value === '' || value === said ? [] : [`holds "${value}"`]),
    ...(element['checked'] === true ? ['checked'] : []),
    ...(element['disabled'] === true ? ['disabled'] : []),
    ...(Number.isInteger(left) && Number.isInteger(top) ? [`x=${String(left)} y=${String(top)}`] : ['not in sight']),
  ].join(' ');
}
