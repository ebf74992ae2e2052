// The source tree as syntax trees, and the few ways of looking at them that the measures need.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

export type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
};

/** `path` begins with `src/`; `stage` is empty for the roots of the package. */
export type SourceFile = { path: string; stage: string; text: string; program: Node; nodes: readonly Placed[] };

export type Placed = { node: Node; parent: Node | undefined };

export type Edge = { from: string; to: string; typeOnly: boolean };

const root = fileURLToPath(new URL('../../', import.meta.url));

export function sourceFiles(): SourceFile[] {
  return globSync('src/**/*.ts', { cwd: root })
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const [, stage = '', ...rest] = path.split('/');
      const program = parseSync(path, text).program as unknown as Node;
      return { path, stage: rest.length > 0 ? stage : '', text, program, nodes: placed(program) };
    });
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const value of Object.values(node)) {
    if (isNode(value)) children.push(value);
    else if (Array.isArray(value)) children.push(...value.filter(isNode));
  }
  return children;
}

/** Every node below and including this one, with its parent. */
export function placed(node: Node, parent?: Node, all: Placed[] = []): Placed[] {
  all.push({ node, parent });
  for (const child of childrenOf(node)) placed(child, node, all);
  return all;
}

/** All nodes of these kinds in a file. */
export function nodesOf({ nodes }: SourceFile, ...types: string[]): Node[] {
  return nodes.flatMap(({ node }) => (types.includes(node.type) ? [node] : []));
}

/** The text that a literal or a template without gaps says; a gap counts as nothing. */
export function literalText(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'TSLiteralType') return literalText(node['literal']);
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as { value: { raw: string } }[];
  return quasis.map(({ value }) => value.raw).join('');
}

/** The name at the end of an identifier, a member access, a key or a type reference. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type === 'MemberExpression') return nameOf(node['property']);
  if (node.type === 'ChainExpression') return nameOf(node['expression']);
  if (node.type === 'TSTypeReference') return nameOf(node['typeName']);
  return literalText(node);
}

export function linesBetween(file: SourceFile, { start, end }: Pick<Node, 'start' | 'end'>): number {
  return file.text.slice(start, end).split('\n').length;
}

/** Which file imports which. Only what is loaded together with a file counts, not what it loads later. */
export function edgesOf(file: SourceFile): Edge[] {
  const statements = nodesOf(file, 'ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration');
  const edges = statements.flatMap((node): Edge[] => {
    const typeOnly = node['importKind'] === 'type' || node['exportKind'] === 'type';
    return edge(file, node['source'], typeOnly);
  });
  const types = nodesOf(file, 'TSImportType').flatMap((node) => edge(file, node['source'] ?? node['argument'], true));
  return [...edges, ...types];
}

function edge(file: SourceFile, source: unknown, typeOnly: boolean): Edge[] {
  const target = literalText(source);
  if (target === undefined || !target.startsWith('.')) return [];
  return [{ from: file.path, to: normalize(join(dirname(file.path), target)), typeOnly }];
}

/** Groups of files that import each other in a circle (Tarjan's strongly connected components). */
export function circles(edges: readonly Edge[]): string[][] {
  const next = Map.groupBy(edges, ({ from }) => from);
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file) ?? 0);
    stack.push(file);
    for (const { to } of next.get(file) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(file, Math.min(low.get(file) ?? 0, low.get(to) ?? 0));
    }
    if (low.get(file) !== index.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) found.push(circle.toSorted());
  };
  for (const file of next.keys()) if (!index.has(file)) visit(file);
  return found.toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
}
