// The sources that an answer names, as numbers behind its words and a list below it.
import { clipped } from '../../content/text.ts';
import type { Block } from '../../content/block.ts';
import { citationLine } from '../../content/block.ts';
import { visibleLine } from '../terminal.ts';

type Sources = {
  /** The numbers of a block's sources, such as `[1][3]`. */
  marks: (block: Block) => string;
  /** All sources so far, one a line. They are told once. */
  list: () => string;
};

/** The words of a source that are shown. */
const longest = 300;

export function sources(): Sources {
  let lines: string[] = [];
  return {
    marks: (block) => {
      const cited = block.type === 'text' ? (block.citations ?? []).map(citationLine) : [];
      for (const line of cited) if (!lines.includes(line)) lines.push(line);
      return [...new Set(cited)].map((line) => `[${lines.indexOf(line) + 1}]`).join('');
    },
    list: () => {
      const told = lines.map((line, at) => `[${at + 1}] ${clipped(visibleLine(line), longest)}\n`).join('');
      lines = [];
      return told === '' ? '' : `\n${told}`;
    },
  };
}
