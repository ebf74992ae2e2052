// What a module makes public: every name with the types that its declaration names and the words above it.
// Declarations are written out (`isolatedDeclarations`), so the source tells it all.
import { dirname, join, normalize } from 'node:path';
import { childrenOf, literalText, nameOf } from './tree.ts';
import type { Node, SourceFile } from './tree.ts';

/** `types` are the types of this package in the signature, as `name (file)`; `doc` is the comment right above it. */
export type PublicName = { id: string; name: string; isFunction: boolean; types: string[]; doc: string };

type Place = { file: string; name: string };
type Scope = {
  source: SourceFile;
  own: Map<string, Node>;
  elsewhere: Map<string, Place>;
  exported: Map<string, Place>;
  /** Files of which every type is exported. */
  whole: string[];
};

const idOf = ({ file, name }: Place): string => `${name} (${file})`;

/** All that an entry exports, wherever it is declared. */
export function publicNames(entry: string, sources: readonly SourceFile[]): PublicName[] {
  const scopes = new Map(sources.map((source) => [source.path, scopeOf(source)]));
  const home = (place: Place): Place => {
    const scope = scopes.get(place.file);
    const next = scope?.exported.get(place.name) ?? scope?.elsewhere.get(place.name);
    return !scope || scope.own.has(place.name) || !next ? place : home(next);
  };
  const nodeOf = ({ file, name }: Place): Node | undefined => scopes.get(file)?.own.get(name);
  const exportsOf = (file: string): [string, Place][] => {
    const scope = scopes.get(file);
    const whole = (scope?.whole ?? []).flatMap(exportsOf).filter(([, place]) => !isFunction(nodeOf(place)));
    return [...whole, ...(scope?.exported ?? [])];
  };
  return [...new Map(exportsOf(entry))].map(([name, given]) => {
    const place = home(given);
    const scope = scopes.get(place.file);
    const node = scope?.own.get(place.name);
    if (!scope || !node) throw new Error(`${entry} exports ${name}, which nobody declares.`);
    const named = new Set<string>();
    namesIn(signatureOf(node), new Set(), named);
    const types = [...named].flatMap((type) => {
      const local: Place = { file: place.file, name: type };
      return scope.own.has(type) ? [local] : scope.elsewhere.has(type) ? [home(local)] : [];
    });
    const known = types.filter(({ file }) => scopes.has(file));
    return { id: idOf(place), name, isFunction: isFunction(node), types: known.map(idOf), doc: docAbove(node, scope) };
  });
}

function scopeOf(source: SourceFile): Scope {
  const scope: Scope = { source, own: new Map(), elsewhere: new Map(), exported: new Map(), whole: [] };
  const at = (target: unknown): string => normalize(join(dirname(source.path), literalText(target) ?? ''));
  for (const statement of childrenOf(source.program)) {
    const declaration = statement['declaration'] as Node | null | undefined;
    const from = literalText(statement['source']);
    if (statement.type === 'ImportDeclaration') {
      for (const each of statement['specifiers'] as Node[])
        scope.elsewhere.set(nameOf(each['local']) ?? '', {
          file: from?.startsWith('.') ? at(statement['source']) : (from ?? ''),
          name: nameOf(each['imported']) ?? 'default',
        });
      continue;
    }
    if (statement.type === 'ExportAllDeclaration') scope.whole.push(at(statement['source']));
    for (const node of [declaration ?? statement].flatMap(declared)) {
      const name = nameOf(node['id']) ?? '';
      scope.own.set(name, { ...node, start: statement.start });
      if (declaration) scope.exported.set(name, { file: source.path, name });
    }
    if (statement.type !== 'ExportNamedDeclaration') continue;
    for (const each of (statement['specifiers'] ?? []) as Node[])
      scope.exported.set(nameOf(each['exported']) ?? '', {
        file: from === undefined ? source.path : at(statement['source']),
        name: nameOf(each['local']) ?? '',
      });
  }
  return scope;
}

const declarations = new Set([
  'TSTypeAliasDeclaration',
  'FunctionDeclaration',
  'ClassDeclaration',
  'TSInterfaceDeclaration',
]);

function declared(node: Node): Node[] {
  if (node.type === 'VariableDeclaration') return node['declarations'] as Node[];
  return declarations.has(node.type) ? [node] : [];
}

function isFunction(node: Node | undefined): boolean {
  if (!node) return false;
  const init = node['init'] as Node | null | undefined;
  return node.type === 'FunctionDeclaration' || /Function/.test(init?.type ?? '');
}

/** What a user reads of a declaration: of a function all but its body, of a constant its type. */
function signatureOf(node: Node): Node[] {
  const parts = [node['typeParameters'], node['typeAnnotation'], node['params'], node['returnType']].flat();
  const id = node['id'] as Node | undefined;
  return [...parts, id?.['typeAnnotation']].filter((part): part is Node => part !== null && part !== undefined);
}

/** Collects the names of types; what a signature declares itself (type parameters, `infer`) is not among them. */
function namesIn(nodes: readonly Node[], within: ReadonlySet<string>, found: Set<string>): void {
  const inner = new Set(within);
  for (const node of nodes) for (const name of introduced(node)) inner.add(name);
  for (const node of nodes) {
    const name = node.type === 'TSTypeReference' ? nameOf(node['typeName']) : undefined;
    if (name !== undefined && !inner.has(name)) found.add(name);
    // A default value is no part of the signature.
    const parts = node.type === 'AssignmentPattern' ? [node['left'] as Node] : childrenOf(node);
    namesIn(parts, inner, found);
  }
}

function introduced(node: Node): string[] {
  if (node.type === 'TSTypeParameter') return [nameOf(node['name']) ?? ''];
  const own = node.type === 'TSMappedType' ? [nameOf(node['key']) ?? ''] : [];
  return node.type.startsWith('TS') ? [...own, ...childrenOf(node).flatMap(introduced)] : own;
}

function docAbove({ start }: Node, { source }: Scope): string {
  const before = source.text.slice(0, start).trimEnd();
  return before.endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : '';
}
