// How far the tree is from one decision per place, counted. Each measure gives the places that count against it; the
// architecture test allows those that test/house-exceptions.json lists, and the lists may only shrink.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wires } from '../../src/window/catalog.ts';
import { circles, childrenOf, edgesOf, linesBetween, literalText, nameOf, nodesOf, placed } from './tree.ts';
import type { Node, SourceFile } from './tree.ts';

/** How often something was found at each place. */
export type Counts = Record<string, number>;

export type Measure = {
  /** The key of its exceptions. */
  name: string;
  /** What is counted, in words for the table. */
  what: string;
  /** What the count should become. */
  goal: number;
  count: (files: readonly SourceFile[]) => Counts;
};

const pureStages = new Set(['content', 'tool', 'message', 'window', 'wire', 'record']);
const kinds = ['image', 'document', 'audio', 'video'];
const wireNames = new Set<string>(Object.keys(wires));
/** Wires whose name is no endpoint's too: naming one of them is always about the wire. */
const plainWireNames = new Set(['anthropic-messages', 'openai-responses']);
const bound = { own: 60, whole: 120 };

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

function tally(found: readonly string[]): Counts {
  const counts: Counts = {};
  for (const place of found) counts[place] = (counts[place] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** A measure of nodes, counted by file. */
function perFile(of: (file: SourceFile) => readonly unknown[]): Measure['count'] {
  return (all) => tally(all.flatMap((file) => of(file).map(() => file.path)));
}

/** A measure of files: each counts once. */
function filesThat(has: (file: SourceFile) => boolean): Measure['count'] {
  return (all) => tally(all.filter(has).map(({ path }) => path));
}

function isWire(node: unknown): boolean {
  return /^wire(?:Name)?$/.test(nameOf(node) ?? '');
}

function saysWire(node: unknown): boolean {
  return wireNames.has(literalText(node) ?? '');
}

/** A comparison, a branch or a table that has to know each wire. */
function knowsWires(file: SourceFile): boolean {
  if (file.stage === 'wire' || file.path === 'src/window/catalog.ts') return false;
  return file.nodes.some(({ node }) => {
    switch (node.type) {
      case 'BinaryExpression':
        return (isWire(node['left']) && saysWire(node['right'])) || (isWire(node['right']) && saysWire(node['left']));
      case 'SwitchStatement':
        return isWire(node['discriminant']);
      case 'TSTypeReference': {
        const { params = [] } = (node['typeArguments'] ?? {}) as { params?: Node[] };
        return nameOf(node) === 'Record' && nameOf(params[0]) === 'WireName';
      }
      case 'Literal':
        return plainWireNames.has(literalText(node) ?? '');
      default:
        return false;
    }
  });
}

function namesAllKinds(names: readonly (string | undefined)[]): boolean {
  return kinds.every((kind) => names.includes(kind));
}

/** Lists, unions and chains of `||` that name all kinds of media. */
function kindLists(file: SourceFile): Node[] {
  return file.nodes.flatMap(({ node, parent }) => {
    if (node.type === 'ArrayExpression')
      return namesAllKinds((node['elements'] as unknown[]).map(literalText)) ? [node] : [];
    if (node.type === 'TSUnionType') return namesAllKinds((node['types'] as unknown[]).map(literalText)) ? [node] : [];
    if (node.type !== 'LogicalExpression' || parent?.type === 'LogicalExpression') return [];
    return namesAllKinds(placed(node).map((below) => literalText(below.node))) ? [node] : [];
  });
}

function calls(file: SourceFile, pattern: RegExp): Node[] {
  return nodesOf(file, 'CallExpression').filter((node) => pattern.test(nameOf(node['callee']) ?? ''));
}

function newObjects(file: SourceFile, pattern: RegExp): Node[] {
  return nodesOf(file, 'NewExpression').filter((node) => pattern.test(nameOf(node['callee']) ?? ''));
}

/** State of a module: what a call leaves behind for the next one. */
function moduleState(file: SourceFile): Node[] {
  const statements = childrenOf(file.program).map((node) => (node['declaration'] as Node | null | undefined) ?? node);
  return statements.flatMap((node) => {
    if (node.type !== 'VariableDeclaration') return [];
    const declared = node['declarations'] as Node[];
    if (node['kind'] === 'let') return declared;
    return declared.filter(({ init }) => {
      const made = init as Node | null;
      if (made?.type !== 'NewExpression' || !/^(?:Map|Set)$/.test(nameOf(made['callee']) ?? '')) return false;
      return (made['arguments'] as unknown[]).length === 0;
    });
  });
}

function environmentReads(file: SourceFile): Node[] {
  return nodesOf(file, 'MemberExpression').filter(
    (node) => nameOf(node['object']) === 'process' && nameOf(node['property']) === 'env',
  );
}

function isSentence(node: unknown): boolean {
  return (literalText(node) ?? '').includes(' ');
}

/** Sentences that a model reads: a text block with words of its own, or the reason inside a placeholder. */
function sentences(file: SourceFile): Node[] {
  if (file.path === 'src/content/words.ts' || ['cli', 'tui', 'session'].includes(file.stage)) return [];
  const texts = nodesOf(file, 'ObjectExpression').flatMap((node) => {
    const fields = (node['properties'] as Node[]).filter(({ type }) => type === 'Property');
    const isText = fields.some(({ key, value }) => nameOf(key) === 'type' && literalText(value) === 'text');
    return isText ? fields.filter(({ key, value }) => nameOf(key) === 'text' && isSentence(value)) : [];
  });
  const reasons = calls(file, /^(?:placeholder|standIn)$/).flatMap((call) =>
    placed(call).flatMap(({ node }) =>
      node.type === 'Property' && nameOf(node['key']) === 'why' && isSentence(node['value']) ? [node] : [],
    ),
  );
  return [...texts, ...reasons];
}

function inCircles(runtimeOnly: boolean): Measure['count'] {
  return (all) => {
    const edges = all.flatMap(edgesOf).filter(({ typeOnly }) => !runtimeOnly || !typeOnly);
    return tally(circles(edges).flat());
  };
}

/** Functions that are too long to be read at once. What is nested in them counts only for the larger bound. */
function longFunctions(all: readonly SourceFile[]): Counts {
  const found = all.flatMap((file) =>
    file.nodes.flatMap(({ node, parent }) => {
      if (!functionTypes.has(node.type)) return [];
      const whole = linesBetween(file, node);
      const own = whole - innerFunctions(node).reduce((sum, inner) => sum + linesBetween(file, inner) - 1, 0);
      const name = nameOf(node['id']) ?? nameOf(parent?.['id']) ?? nameOf(parent?.['key']) ?? 'unnamed';
      return own > bound.own || whole > bound.whole ? [`${file.path} ${name}`] : [];
    }),
  );
  return tally(found);
}

/** The functions directly inside another one. */
function innerFunctions(node: Node): Node[] {
  return childrenOf(node).flatMap((child) => (functionTypes.has(child.type) ? [child] : innerFunctions(child)));
}

/** Words so bare that even a type for one file alone would be taken for another. */
const bareWords: ReadonlySet<string> = new Set(['Part', 'Found', 'Item', 'Place', 'Step', 'Source']);

/** Exported types and functions that share their name with another one, and every type of a bare word; the dialects of
 * `wire` count as one place, because they spell the same interface. */
function sharedNames(all: readonly SourceFile[]): Counts {
  const places = new Map<string, Set<string>>();
  for (const file of all) {
    const place = /^src\/wire\/[^/]+\//.test(file.path) ? 'src/wire/*' : file.path;
    for (const statement of childrenOf(file.program)) {
      const exported = statement.type === 'ExportNamedDeclaration';
      const node = (statement['declaration'] as Node | null | undefined) ?? statement;
      const isType = node.type === 'TSTypeAliasDeclaration' || node.type === 'TSInterfaceDeclaration';
      const name = isType || node.type === 'FunctionDeclaration' ? nameOf(node['id']) : undefined;
      if (name !== undefined && (exported || (isType && bareWords.has(name))))
        places.set(name, (places.get(name) ?? new Set()).add(place));
    }
  }
  const shared = [...places].filter(([, where]) => where.size > 1);
  return tally(shared.flatMap(([name, where]) => Array.from(where, () => name)));
}

/** Where decisions are taken outside `window`. Nobody can count these; each was found by reading. */
const deciders: readonly (readonly [file: string, name: string])[] = [
  ['src/mcp/content.ts', 'maxPagePictures'],
  ['src/agent/summarise.ts', 'coverable'],
  ['src/agent/step.ts', 'fullness'],
];

/** Whether a file has this function or constant of its own, and does not only call it. */
function declares(file: SourceFile, name: string): boolean {
  return nodesOf(file, 'FunctionDeclaration', 'VariableDeclarator').some((node) => nameOf(node['id']) === name);
}

function decidersLeft(all: readonly SourceFile[]): Counts {
  const left = deciders.filter(([path, name]) => {
    const file = all.find((one) => one.path === path);
    return file !== undefined && declares(file, name);
  });
  return tally(left.map(([path]) => path));
}

/** One format stands for all: how many files a new one would touch. */
function namesBmp({ nodes }: SourceFile): boolean {
  return nodes.some(({ node }) => /bmp/i.test(nameOf(node) ?? ''));
}

/** Where a change that no test notices costs most; the share that is noticed is measured by `npm run mutate`. */
const guarded = /^src\/(?:window|agent|model\/heal|session\/log)\//;
const leastNoticed = 80;
const scoresFile = fileURLToPath(new URL('../../test/mutation-scores.json', import.meta.url));

/** By how many points each is below, all of them where it was never measured. */
function littleNoticed(all: readonly SourceFile[]): Counts {
  const scores = JSON.parse(readFileSync(scoresFile, 'utf8')) as Record<string, { score: number }>;
  const below = all
    .filter(({ path }) => guarded.test(path))
    .map(({ path }) => [path, Math.ceil(leastNoticed - (scores[path]?.score ?? 0))] as const);
  return Object.fromEntries(below.filter(([, points]) => points > 0));
}

export const measures: readonly Measure[] = [
  {
    name: 'wire-names',
    what: 'files outside `wire/` and the catalog that know a wire by name',
    goal: 0,
    count: filesThat(knowsWires),
  },
  { name: 'image-format', what: 'files that know one image format (BMP)', goal: 2, count: filesThat(namesBmp) },
  { name: 'media-kinds', what: 'hand-written lists of media kinds', goal: 1, count: perFile(kindLists) },
  {
    name: 'intakes',
    what: 'places that open an intake',
    goal: 5,
    count: perFile((file) => calls(file, /^open(?:Door|Intake)$/)),
  },
  { name: 'weak-maps', what: 'WeakMaps', goal: 4, count: perFile((file) => newObjects(file, /^WeakMap$/)) },
  {
    name: 'weak-maps-pure',
    what: 'WeakMaps and WeakSets in pure stages',
    goal: 0,
    count: perFile((file) => (pureStages.has(file.stage) ? newObjects(file, /^Weak(?:Map|Set)$/) : [])),
  },
  {
    name: 'module-state-pure',
    what: 'module-level `let`, empty `Map` or `Set` in pure stages',
    goal: 0,
    count: perFile((file) => (pureStages.has(file.stage) ? moduleState(file) : [])),
  },
  { name: 'deciders', what: 'files that decide beside `window`', goal: 0, count: decidersLeft },
  { name: 'runtime-cycles', what: 'files in circles of imports', goal: 0, count: inCircles(true) },
  { name: 'type-cycles', what: 'the same with imports of types', goal: 0, count: inCircles(false) },
  {
    name: 'environment',
    what: 'reads of `process.env` outside `config` and `cli`',
    goal: 0,
    count: perFile((file) => (['config', 'cli'].includes(file.stage) ? [] : environmentReads(file))),
  },
  { name: 'sentences', what: 'sentences for models outside `content/words.ts`', goal: 0, count: perFile(sentences) },
  {
    name: 'long-functions',
    what: `functions over ${bound.own} own lines, or ${bound.whole} with inner ones`,
    goal: 0,
    count: longFunctions,
  },
  {
    name: 'little-noticed',
    what: `points below ${leastNoticed} % of mutants that tests notice in files of the planner, the loop, healing and logs`,
    goal: 0,
    count: littleNoticed,
  },
  { name: 'shared-names', what: 'names of several exported types or functions', goal: 0, count: sharedNames },
];
