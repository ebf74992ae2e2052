// JSON → few short lines that still read as JSON: the fields of a record stand side by side as long as they fit, lists
// are broken up, and only a string too long for its line is cut, with an ellipsis that says so.

type Around = { lead: string; tail: string; indent: number };

/** The value as lines of at most `width` columns. */
export function excerptLines(value: unknown, width: number, tail = ''): string[] {
  return linesOf(value, width, { lead: '', tail, indent: 0 });
}

function linesOf(value: unknown, width: number, { lead, tail, indent }: Around): string[] {
  const whole = lead + oneLine(value) + tail;
  if (whole.length <= width) return [whole];
  if (typeof value === 'string') return [lead + cutString(value, width - lead.length - tail.length) + tail];
  if (Array.isArray(value)) {
    const inner = value.flatMap((item, at) => {
      const comma = at < value.length - 1 ? ',' : '';
      return linesOf(item, width, { lead: space(indent + 2), tail: comma, indent: indent + 2 });
    });
    return [`${lead}[`, ...inner, `${space(indent)}]${tail}`];
  }
  return isRecord(value) ? recordLines(value, width, { lead, tail, indent }) : [whole];
}

/** Fields side by side; one that does not fit begins a new line, a list opens where it stands. */
function recordLines(value: object, width: number, { lead, tail, indent }: Around): string[] {
  const lines: string[] = [];
  let line = `${lead}{ `;
  const entries = Object.entries(value);
  for (const [at, [key, item]] of entries.entries()) {
    const end = at < entries.length - 1 ? ',' : ` }${tail}`;
    const name = `${JSON.stringify(key)}: `;
    const fits = (line + name + oneLine(item) + end).length <= width;
    const opens = Array.isArray(item) && (line + name).length < width;
    if (at > 0 && !fits && !opens) {
      lines.push(line.trimEnd());
      line = space(indent + 2);
    }
    const made = linesOf(item, width, { lead: line + name, tail: end, indent: opens ? indent : indent + 2 });
    lines.push(...made.slice(0, -1));
    line = `${made.at(-1) ?? ''} `;
  }
  return [...lines, line.trimEnd()];
}

function space(count: number): string {
  return ' '.repeat(count);
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${oneLine(item)}`);
  return `{ ${fields.join(', ')} }`;
}

/** The longest beginning of a string that fits with its quotes and escapes. */
function cutString(text: string, width: number): string {
  const cut = (length: number): string => JSON.stringify(`${text.slice(0, length).toWellFormed()}…`);
  let length = Math.max(0, width - 3);
  while (length > 0 && cut(length).length > width) length--;
  return cut(length);
}
