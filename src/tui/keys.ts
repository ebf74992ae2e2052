// What the keys do beside writing: stop, leave, fold, turn pages, answer a question.
import type { Approval } from './approval.ts';
import { isKeyRelease, matchesKey } from './kit.ts';

/** What keys bring about. */
export type KeyDeeds = {
  /** Stops what runs; false when nothing does. */
  stop: () => boolean;
  leave: () => void;
  clearLine: () => void;
  lineIsEmpty: () => boolean;
  /** Whether names are offered. */
  completing: () => boolean;
  /** Whether nothing is left to complete: a whole path, or no name at all. */
  isWhole: () => boolean;
  closeOffer: () => void;
  toggle: (what: 'thinking' | 'calls') => void;
  turnPage: (by: number) => void;
  toggleText: () => void;
  /** Hands the document to the viewer of the system. */
  openDocument: () => void;
  /** Takes a paste as something better than its text; false when it is only text. */
  paste: (text: string) => boolean;
};

export type Keys = {
  /** Whether the key was one of ours. */
  press: (data: string) => boolean;
  /** One more ctrl+c leaves. */
  leaving: () => boolean;
};

/** How a terminal marks what was pasted. */
const [pasteStart, pasteEnd] = ['\u001B[200~', '\u001B[201~'];

function run([, act]: [key: string, act: () => void]): true {
  act();
  return true;
}

export function chatKeys(deeds: KeyDeeds, approval: Approval): Keys {
  let leaving = false;
  let choosing = false;
  const answers: [key: string, act: () => void][] = [
    ['y', () => approval.settle(true)],
    ['shift+a', () => approval.settle(true, 'chat')],
    ['shift+p', () => approval.settle(true, 'project')],
    ['n', () => approval.settle(false)],
  ];
  const always: [key: string, act: () => void][] = [
    ['ctrl+t', () => deeds.toggle('thinking')],
    ['ctrl+o', () => deeds.toggle('calls')],
    ['alt+n', () => deeds.turnPage(1)],
    ['alt+p', () => deeds.turnPage(-1)],
    ['alt+t', () => deeds.toggleText()],
    ['alt+o', () => deeds.openDocument()],
  ];
  const interrupt = (): void => {
    if (leaving) return deeds.leave();
    leaving = true;
    if (!deeds.stop()) deeds.clearLine();
  };
  const press = (data: string): boolean => {
    if (isKeyRelease(data)) return false; // some terminals tell of both; a key counts once
    const is = (key: string): boolean => matchesKey(data, key as Parameters<typeof matchesKey>[1]);
    if (is('ctrl+c')) {
      interrupt();
      return true;
    }
    leaving = false;
    if (data.startsWith(pasteStart) && data.endsWith(pasteEnd))
      return deeds.paste(data.slice(pasteStart.length, -pasteEnd.length));
    const offered = deeds.completing();
    if (is('escape') && !offered && deeds.stop()) return true;
    // Enter takes an offered name when somebody went for it, or when there is something to complete; else it sends.
    if (offered && is('enter') && !choosing && deeds.isWhole()) deeds.closeOffer();
    choosing = offered && (is('up') || is('down') || is('pageUp') || is('pageDown'));
    const bound = always.find(([key]) => is(key));
    if (bound) return run(bound);
    // Whoever is writing a line must not answer by it.
    const given = approval.current() && deeds.lineIsEmpty() ? answers.find(([key]) => is(key)) : undefined;
    if (given) return run(given);
    if (!is('ctrl+d') || !deeds.lineIsEmpty()) return false;
    deeds.leave();
    return true;
  };
  return { press, leaving: () => leaving };
}
