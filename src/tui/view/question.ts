// The question before a call runs: what would run, all of it where the person wants to see that, and what she should know.
import type { CallBlock } from '../../content/block.ts';
import { toJsonText } from '../../content/json.ts';
import { shownLine } from '../shown.ts';
import { block as wrapped, line } from './view.ts';
import type { Scene } from './view.ts';

type Asked = {
  call: CallBlock;
  /** What she should know before she answers. */
  warnings: readonly string[];
  /** A line that is being written takes the keys. */
  lineIsEmpty: boolean;
};

const foldedRows = 6;

export function questionLines(
  { call, warnings, lineIsEmpty }: Asked,
  { theme, open }: Pick<Scene, 'theme' | 'open'>,
  width: number,
): string[] {
  const words = `Allow ${theme.bold(shownLine(call.name))} ${theme.dim(shownLine(toJsonText(call.input)))}?`;
  const question = wrapped(words, width, (text) => text, ' ');
  const hidden = open.calls ? 0 : Math.max(0, question.length - foldedRows);
  const more = `… ${hidden} more ${hidden === 1 ? 'line' : 'lines'} of what would run · ctrl+o shows all`;
  const answers = lineIsEmpty
    ? ['y yes · n no · A always in this chat', 'P always in this folder · esc stop']
    : ['send or clear your line first · esc stop'];
  const oneRow = ` ${answers.join(' · ')}`;
  return [
    ...question.slice(0, question.length - hidden),
    ...(hidden > 0 ? [line(theme.warn(` ${more}`), width)] : []),
    ...warnings.flatMap((warning) => wrapped(shownLine(warning), width, theme.warn, ' ')),
    ...(oneRow.length <= width ? [oneRow] : answers.map((part) => ` ${part}`)).map((row) =>
      line(theme.warn(row), width),
    ),
  ];
}
