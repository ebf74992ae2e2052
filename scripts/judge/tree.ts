// What pandoc understands of a document, as the lists that are compared: headings, cells, items with their depth, notes,
// words that are set apart, links, and all words in order.

export type Understood = {
  headings: string[];
  cells: string[];
  items: string[];
  notes: string[];
  emphasis: string[];
  links: string[];
  words: string[];
};

type Node = { t?: string; c?: unknown };

/** One walk through pandoc's JSON, as of its version 2. */
export function understood(json: string): Understood {
  const out: Understood = { headings: [], cells: [], items: [], notes: [], emphasis: [], links: [], words: [] };
  const { blocks } = JSON.parse(json) as { blocks: Node[] };
  walk(blocks, out, 0);
  out.words = wordsIn(blocks);
  return out;
}

function walk(value: unknown, out: Understood, depth: number): void {
  if (Array.isArray(value)) for (const one of value) walk(one, out, depth);
  else if (value !== null && typeof value === 'object') visit(value, out, depth);
}

function visit(node: Node, out: Understood, depth: number): void {
  const c = node.c as unknown[];
  switch (node.t) {
    case 'Header':
      out.headings.push(plain(c[2]));
      return walk(c[2], out, depth);
    case 'BulletList':
    case 'OrderedList':
      for (const item of (node.t === 'BulletList' ? c : c[1]) as unknown[][]) {
        const words = plain(item.filter((block) => (block as Node).t?.endsWith('List') !== true));
        if (words !== '') out.items.push(`${depth} ${words}`);
        walk(item, out, depth + 1);
      }
      return;
    case 'Table':
      return cells(c, out, depth);
    case 'Note':
      out.notes.push(plain(c));
      return; // notes stand at the end here and in their places there
    case 'Emph':
    case 'Strong':
    case 'Strikeout':
      for (const word of wordsIn(c)) out.emphasis.push(`${node.t} ${word}`);
      return walk(c, out, depth);
    case 'Link': {
      const target = decoded((c[2] as string[])[0] ?? '');
      // A place in the same document is no address, and an address that is its own words may be a link or not.
      const isBare = spelled(plain(c[1])) === spelled(target);
      if (!target.startsWith('#') && !isBare) out.links.push(`${plain(c[1])} ${target}`);
      return walk(c[1], out, depth);
    }
    default:
      walk(node.c, out, depth);
  }
}

function cells(c: unknown[], out: Understood, depth: number): void {
  const take = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    // A cell is its attributes, its alignment, two spans and its blocks.
    const [attributes, alignment, , , blocks] = value as unknown[];
    if (
      Array.isArray(attributes) &&
      (alignment as Node | undefined)?.t?.startsWith('Align') === true &&
      Array.isArray(blocks)
    ) {
      const words = plain(blocks);
      if (words !== '') out.cells.push(words);
      walk(blocks, out, depth);
      return;
    }
    for (const one of value) take(one);
  };
  walk((c[1] as unknown[])[1], out, depth);
  take(c[3]);
  take(c[4]);
  take(c[5]);
}

function spelled(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** The words of a piece of the tree as one line. */
function plain(value: unknown): string {
  return wordsIn(value).join(' ');
}

const gaps = new Set(['Space', 'SoftBreak', 'LineBreak', 'Para', 'Plain', 'Header', 'RawInline', 'RawBlock', 'Math']);
const silent = new Set(['Note', 'Math', 'Image', 'RawInline', 'RawBlock']);

/** The words of a piece of the tree, spelled so that the same words are equal. Notes and formulas have none here. */
function wordsIn(value: unknown): string[] {
  const found: string[] = [];
  const look = (one: unknown): void => {
    if (Array.isArray(one)) for (const inner of one) look(inner);
    else if (one !== null && typeof one === 'object') {
      const { t = '', c } = one as Node;
      if (gaps.has(t)) found.push(' ');
      if (t === 'Str') found.push(c as string);
      else if (t === 'Code' || t === 'CodeBlock') found.push(` ${(c as string[])[1] ?? ''} `);
      else if (!silent.has(t)) look(t === 'Link' || t === 'Header' ? (c as unknown[]).filter(isTree) : c);
    }
  };
  look(value);
  const even = found
    .join('')
    .normalize('NFKC')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201c\u201d]/g, '"');
  // Powers and indices are signs in a line here and levels there.
  const level = even.replaceAll(/[\^_](?=[\p{L}\p{N}(+-])/gu, '');
  return level.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isTree(value: unknown): boolean {
  return Array.isArray(value) && value.some((one) => one !== null && typeof one === 'object');
}
