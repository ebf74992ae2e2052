// The little of Markdown that models write: headings, lists, code, tables, emphasis, links to the web. Everything else
// stays text. The text is escaped piece by piece; only the tags written here are tags.
import type { Html } from './html.ts';
import { markup } from './html.ts';

export function prose(text: string): Html {
  const pieces: Html[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length;) {
    const [piece, next] = pieceAt(lines, at);
    pieces.push(piece);
    at = next;
  }
  return markup`${pieces}`;
}

type Piece = [Html, next: number];

const isItem = (line: string): boolean => /^\s*(?:[-*+]|\d{1,3}[.)])\s+\S/.test(line);
const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);
const isPlain = (line: string): boolean => line.trim() !== '' && !/^(?:#{1,6}\s|\s*```|>)/.test(line) && !isItem(line);

function pieceAt(lines: readonly string[], at: number): Piece {
  const line = lines[at] ?? '';
  if (line.trim() === '') return [markup``, at + 1];
  if (/^\s*```/.test(line)) return codeAt(lines, at);
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading) return [markup`<h4>${inline(heading[2] ?? '')}</h4>`, at + 1];
  if (isItem(line)) return listAt(lines, at);
  if (line.startsWith('>')) {
    const end = endOf(lines, at, (one) => one.startsWith('>'));
    return [
      markup`<blockquote>
        ${prose(
          lines
            .slice(at, end)
            .map((one) => one.replace(/^>\s?/, ''))
            .join('\n'),
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
  return [markup`<pre><code>${lines.slice(at + 1, end).join('\n')}</code></pre>`, end + 1];
}

function listAt(lines: readonly string[], at: number): Piece {
  const end = endOf(lines, at, isItem);
  const items = lines.slice(at, end).map((line) => markup`<li>${inline(line.replace(/^\s*\S+\s+/, ''))}</li>`);
  return [
    /^\s*\d/.test(lines[at] ?? '')
      ? markup`<ol>
          ${items}
        </ol>`
      : markup`<ul>
          ${items}
        </ul>`,
    end,
  ];
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

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^\s*](?:[^*]*[^\s*])?)\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/g;

const maxMarked = 10_000; // a longer line is data, not prose

function inline(text: string): Html {
  if (text.length > maxMarked) return markup`${text}`;
  const pieces: Html[] = [];
  let from = 0;
  for (const match of text.matchAll(marks)) {
    const [whole, code, strong, stressed, label, address] = match;
    pieces.push(markup`${text.slice(from, match.index)}`);
    if (code !== undefined) pieces.push(markup`<code>${code}</code>`);
    else if (strong !== undefined) pieces.push(markup`<strong>${strong}</strong>`);
    else if (stressed !== undefined) pieces.push(markup`<em>${stressed}</em>`);
    else pieces.push(markup`<a href="${address ?? ''}" rel="noreferrer">${label ?? ''}</a>`);
    from = match.index + whole.length;
  }
  return markup`${pieces}${text.slice(from)}`;
}
