// The Markdown of a document in, what a reading prints of it out. Pure. When it is cut, the note stands first and says
// how to read on.
import type { Read } from '../../content/refusal.ts';
import { cutText } from '../../content/text.ts';
import type { Excerpt } from '../text/page.ts';

const noteRoom = 160;

/** As much as fits, ending with a whole line where one ends not too far back. */
export function documentOutput(name: string, markdown: string, maxCharacters: number): Read<Excerpt> {
  const lines = lineCount(markdown);
  if (markdown.trim() === '') {
    return { ok: true, value: { output: `[${name} has no words in it]`, lines: 0, shown: [0, 0], whole: true } };
  }
  if (markdown.length <= maxCharacters) {
    return { ok: true, value: { output: markdown, lines, shown: [1, lines], whole: true } };
  }
  const room = cutText(markdown, Math.max(1, maxCharacters - noteRoom));
  const end = room.lastIndexOf('\n');
  const body = end > room.length / 2 ? room.slice(0, end).trimEnd() : room;
  const last = lineCount(body);
  const isWhole = body.length < room.length;
  const place = isWhole ? `offset=${last + 1}` : `offset=${last} character=${body.length - body.lastIndexOf('\n')}`;
  const next = `Use ${place} to continue.`;
  const note = `[Showing characters 1-${body.length} of ${markdown.length}, lines 1-${last} of ${lines}. ${next}]`;
  return { ok: true, value: { output: `${note}\n\n${body}`, lines, shown: [1, last], whole: false } };
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
