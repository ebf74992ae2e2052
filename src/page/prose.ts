// The little of Markdown that models write: headings, lists in lists, code, tables, formulas, emphasis, links to the web.
// Everything else stays text. The text is escaped piece by piece; only the tags written here are tags.
import type { Html } from './html.ts';
import { markup } from './html.ts';
import { typeset } from './maths.ts';

/** Words of a model or a person, as a page shows them. */
export function prose(text: string): Html {
  return proseOf(text.split('\n'), 0);
}

/** Quotations and lists inside each other, deeper than anybody writes them, are shown as they stand. */
const mostLevels = 16;

function proseOf(lines: readonly string[], level: number): Html {
  if (level > mostLevels) return markup`<p>${lines.join('\n')}</p>`;
  const pieces: Html[] = [];
  for (let at = 0; at < lines.length;) {
    const [piece, next] = pieceAt(lines, at, level);
    pieces.push(piece);
    at = next;
  }
  return markup`${pieces}`;
}

type Piece = [Html, next: number];

const item = /^(\s*)([-*+]|\d{1,3}[.)])(\s+)\S/;
const isEmpty = (line: string): boolean => line.trim() === '';
const isItem = (line: string): boolean => item.test(line);
const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);
const isPlain = (line: string): boolean =>
  line.trim() !== '' && !/^(?:#{1,6}\s|\s*```|>|\s*(?:\$\$|\\\[))/.test(line) && !isItem(line);

function pieceAt(lines: readonly string[], at: number, level: number): Piece {
  const line = lines[at] ?? '';
  if (line.trim() === '') return [markup``, at + 1];
  if (/^\s*```/.test(line)) return codeAt(lines, at);
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading) return [markup`<h4>${inline(heading[2] ?? '')}</h4>`, at + 1];
  if (isItem(line)) return listAt(lines, at, level);
  const formula = formulaAt(lines, at);
  if (formula) return formula;
  if (line.startsWith('>')) {
    const end = endOf(lines, at, (one) => one.startsWith('>'));
    return [
      markup`<blockquote>
        ${proseOf(
          lines.slice(at, end).map((one) => one.replace(/^>\s?/, '')),
          level + 1,
        )}
      </blockquote>`,
      end,
    ];
  }
  if (isTable(lines, at)) return tableAt(lines, at);
  const end = Math.max(
    at + 1,
    endOf(lines, at, (one, index) => isPlain(one) && !isTable(lines, index)),
  );
  const spans = lines.slice(at, end).map((one, index) => (index === 0 ? inline(one) : markup`<br />${inline(one)}`));
  return [markup`<p>${spans}</p>`, end];
}

function isTable(lines: readonly string[], at: number): boolean {
  return isRow(lines[at] ?? '') && /^\s*\|[\s:|-]+\|\s*$/.test(lines[at + 1] ?? '');
}

function endOf(lines: readonly string[], at: number, goesOn: (line: string, index: number) => boolean): number {
  let end = at;
  while (end < lines.length && goesOn(lines[end] ?? '', end)) end++;
  return end;
}

function codeAt(lines: readonly string[], at: number): Piece {
  const end = endOf(lines, at + 1, (line) => !/^\s*```\s*$/.test(line));
  const said = (lines[at] ?? '').trim().slice(3);
  const code = lines.slice(at + 1, end);
  const isLanguage = /^\s*[\w+#.-]*$/.test(said);
  return [markup`<pre><code>${(isLanguage ? code : [said, ...code]).join('\n')}</code></pre>`, end + 1];
}

/** A formula on lines of its own; one that nobody closes, or that is not understood, is text. */
function formulaAt(lines: readonly string[], at: number): Piece | undefined {
  const [, open, rest = ''] = /^\s*(\$\$|\\\[)(.*)$/.exec(lines[at] ?? '') ?? [];
  if (open === undefined) return undefined;
  const close = open === '$$' ? '$$' : String.raw`\]`;
  const source: string[] = [];
  for (let end = at; end < lines.length && end < at + mostFormulaLines; end++) {
    const line = end === at ? rest : (lines[end] ?? '');
    const stop = line.indexOf(close);
    source.push(stop < 0 ? line : line.slice(0, stop));
    if (stop < 0) continue;
    const after = line.slice(stop + close.length).trim();
    const made = typeset(source.join('\n'), true);
    if (!made) return [markup`<pre><code>${lines.slice(at, end + 1).join('\n')}</code></pre>`, end + 1];
    return [after === '' ? made : markup`${made}<p>${inline(after)}</p>`, end + 1];
  }
  return undefined;
}

const mostFormulaLines = 100;

/** The items of a list, each with what is indented below it: more words, code, lists. */
function listAt(lines: readonly string[], at: number, level: number): Piece {
  const [, margin = '', mark = ''] = item.exec(lines[at] ?? '') ?? [];
  const isNumbered = /^\d/.test(mark);
  const items: string[][] = [];
  let end = at;
  let inside = 0;
  let emptyUntil = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const [, before = '', sign = '', gap = ''] = item.exec(line) ?? [];
    const isNext = sign !== '' && before.length < Math.max(inside, margin.length + 2);
    if (isNext && (before.length < margin.length || /^\d/.test(sign) !== isNumbered)) break;
    if (isNext) {
      inside = before.length + sign.length + Math.min(gap.length, 4);
      items.push([line.slice(inside)]);
    } else if (isEmpty(line)) {
      if (end >= emptyUntil) emptyUntil = endOf(lines, end, isEmpty); // looked for once, however many there are
      if (!resumes(lines[emptyUntil], margin.length)) break;
      items.at(-1)?.push('');
    } else if (indentOf(line) <= margin.length) break;
    else items.at(-1)?.push(line.slice(Math.min(inside, indentOf(line))));
  }
  const rows = items.map((rest) => markup`<li>${itemOf(rest, level + 1)}</li>`);
  const first = Number.parseInt(mark, 10);
  const begins = isNumbered && first !== 1 ? markup` start="${first}"` : markup``;
  return [isNumbered ? markup`<ol${begins}>${rows}</ol>` : markup`<ul>${rows}</ul>`, Math.max(end, at + 1)];
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whether a list goes on with what stands behind empty lines. */
function resumes(next: string | undefined, margin: number): boolean {
  return next !== undefined && (indentOf(next) > margin || (isItem(next) && indentOf(next) === margin));
}

/** The words of an item stand without a paragraph of their own. */
function itemOf(lines: readonly string[], level: number): Html {
  const end = Math.max(1, endOf(lines, 0, isPlain));
  const words = lines.slice(0, end).map((one, index) => (index === 0 ? inline(one) : markup` ${inline(one.trim())}`));
  return markup`${words}${proseOf(lines.slice(end), level)}`;
}

const cells = (line: string): string[] => line.trim().slice(1, -1).split('|');

function tableAt(lines: readonly string[], at: number): Piece {
  const end = endOf(lines, at, isRow);
  const head = cells(lines[at] ?? '').map((cell) => markup`<th>${inline(cell.trim())}</th>`);
  const rows = lines.slice(at + 2, end).map(
    (line) =>
      markup`<tr>
        ${cells(line).map((cell) => markup`<td>${inline(cell.trim())}</td>`)}
      </tr>`,
  );
  return [
    markup`<table>
      <tr>
        ${head}
      </tr>
      ${rows}
    </table>`,
    end,
  ];
}

const marks =
  /`([^`]+)`|\\\((.+?)\\\)|\$\$([^$]+)\$\$|\$(?![\s$])([^$`\n]*[^\s$\\`])\$(?![\dA-Z_])|\*\*([^*]+)\*\*|\*([^\s*](?:[^*]*[^\s*])?)\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g;

const maxMarked = 10_000; // a longer line is data, not prose

function inline(text: string): Html {
  if (text.length > maxMarked) return markup`${text}`;
  const pieces: Html[] = [];
  let from = 0;
  for (const match of text.matchAll(marks)) {
    const [whole, code, round, doubled, single, strong, stressed, label, address] = match;
    const formula = round ?? doubled ?? single;
    pieces.push(markup`${text.slice(from, match.index)}`);
    if (formula !== undefined) pieces.push(typeset(formula, false) ?? markup`${whole}`);
    else if (code !== undefined) pieces.push(markup`<code>${code}</code>`);
    else if (strong !== undefined) pieces.push(markup`<strong>${strong}</strong>`);
    else if (stressed !== undefined) pieces.push(markup`<em>${stressed}</em>`);
    else pieces.push(markup`<a href="${address ?? ''}" rel="noreferrer">${label ?? ''}</a>`);
    from = match.index + whole.length;
  }
  return markup`${pieces}${text.slice(from)}`;
}
