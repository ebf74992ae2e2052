// A list to choose from, above the line that is being written: search as you type, arrows, enter, escape.
import { shownLine } from './shown.ts';
import { decodeKittyPrintable, isKeyRelease, matchesKey, truncateToWidth, visibleWidth } from './kit.ts';
import type { Component } from './kit.ts';
import type { Theme } from './theme.ts';
import { lastOf, line, view } from './view/view.ts';

/** `about` stands beside the name and is searched, too. */
export type Choice = { value: string; label: string; about?: string };

/** Lets the person choose, beginning at what holds now; nothing when she does not. */
export type Choose = (title: string, choices: readonly Choice[], now?: string) => Promise<string | undefined>;

export type Picker = {
  component: Component;
  choose: Choose;
  isOpen: () => boolean;
  /** Takes every key while it is open. */
  press: (data: string) => boolean;
};

type Open = {
  title: string;
  choices: readonly Choice[];
  search: string;
  at: number;
  settle: (value: string | undefined) => void;
};

const mostRows = 10;
const widestLabel = 44;

export function picker(theme: Theme, changed: () => void): Picker {
  let open: Open | undefined;
  const close = (value: string | undefined): void => {
    open?.settle(value);
    open = undefined;
    changed();
  };
  const press = (data: string): boolean => {
    if (!open) return false;
    if (isKeyRelease(data)) return true;
    const is = (key: Parameters<typeof matchesKey>[1]): boolean => matchesKey(data, key);
    const found = matching(open);
    const move = (by: number): void => {
      if (open) open.at = Math.min(Math.max(open.at + by, 0), Math.max(0, found.length - 1));
    };
    if (is('escape') || is('ctrl+c')) close(undefined);
    else if (is('enter')) {
      if (found.length > 0) close(found[open.at]?.value); // where nothing is called so, there is nothing to choose
    } else if (is('up')) move(-1);
    else if (is('down') || is('tab')) move(1);
    else if (is('pageUp')) move(-mostRows);
    else if (is('pageDown')) move(mostRows);
    else if (is('backspace')) Object.assign(open, { search: Array.from(open.search).slice(0, -1).join(''), at: 0 });
    else {
      const typed = decodeKittyPrintable(data) ?? pastedText(data);
      if (/^[^\p{Cc}]+$/u.test(typed)) Object.assign(open, { search: open.search + typed, at: 0 });
    }
    changed();
    return true;
  };
  return {
    press,
    isOpen: () => open !== undefined,
    component: view((width) => (open ? pickerLines(open, theme, width) : [])),
    choose: async (title, choices, now) => {
      close(undefined);
      return await new Promise((settle) => {
        const at = choices.findIndex(({ value }) => value === now);
        open = { title, choices, search: '', at: Math.max(0, at), settle };
        changed();
      });
    },
  };
}

/** What was typed, or pasted: a terminal marks that. */
function pastedText(data: string): string {
  const text = data.replaceAll(/\p{Cc}\[20[01]~/gu, '');
  return text === data ? data : text.trim();
}

/** Those that hold every word of the search. */
function matching({ choices, search }: Open): Choice[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ label, about = '' }) => {
    const text = `${label} ${about}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function pickerLines(open: Open, theme: Theme, width: number): string[] {
  const found = matching(open);
  const first = Math.max(0, Math.min(open.at - Math.floor(mostRows / 2), found.length - mostRows));
  const shown = found.slice(first, first + mostRows);
  const room = Math.min(widestLabel, Math.max(1, width - 4));
  const labels = shown.map(({ label }) => truncateToWidth(shownLine(label), room));
  const column = Math.max(0, ...labels.map(visibleWidth));
  const count = found.length > shown.length ? ` · ${open.at + 1} of ${found.length}` : '';
  const rows = shown.map(({ about = '' }, at) => {
    const label = labels[at] ?? '';
    const isHere = first + at === open.at;
    const name = `${label}${' '.repeat(column - visibleWidth(label))}`;
    const text = isHere ? theme.accent(`→ ${name}`) : `  ${name}`;
    return line(` ${text}  ${theme.dim(shownLine(about))}`, width);
  });
  return [
    titleLine(open, theme, width),
    ...(rows.length === 0 ? [line(theme.dim('   nothing is called so; backspace widens the search'), width)] : rows),
    line(theme.dim(` ${rows.length === 0 ? '' : 'enter chooses · '}esc closes${count}`), width),
    ...Array.from({ length: Math.min(open.choices.length, mostRows) - Math.max(1, rows.length) }, () => ''),
  ];
}

/** The end of what is typed is always seen; a long title makes room for it. */
function titleLine({ title, search }: Open, theme: Theme, width: number): string {
  const typed = search === '' ? theme.dim('type to search') : lastOf(shownLine(search), width - 3);
  const room = width - visibleWidth(typed) - 3;
  return line(` ${room > 0 ? `${theme.bold(truncateToWidth(title, room))} ` : ''}${typed}▏`, width);
}
