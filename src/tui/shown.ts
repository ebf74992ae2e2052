// Text on its way to the screen of the chat: without secrets, and with nothing in it that could steer a terminal.
import { hide } from '../config/secrets.ts';
import { visible, visibleLine } from '../content/visible.ts';

/** Text of several lines as it may be shown. */
export function shownText(text: string): string {
  return visible(hide(text));
}

/** The same as one line. */
export function shownLine(text: string): string {
  return visibleLine(hide(text));
}
