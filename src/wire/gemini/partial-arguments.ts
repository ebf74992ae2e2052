// Arguments that Gemini streams value by value: `{ "jsonPath": "$.rows[0].name", "stringValue": "Ap" }`. Pieces of one
// string follow each other under the same path.
import { isRecord } from '../../content/json.ts';

/** The arguments with one more piece in its place. Builds on what it is given. */
export function setAt(args: unknown, piece: Record<string, unknown>): unknown {
  const path = stepsOf(String(piece['jsonPath']));
  const [first] = path;
  if (first === undefined) return args;
  const root = container(args, first);
  let at = root;
  for (const [index, step] of path.entries()) {
    const next = path[index + 1];
    const value = next === undefined ? valueOf(piece, get(at, step)) : container(get(at, step), next);
    put(at, step, value);
    if (next !== undefined) at = value as Container;
  }
  return root;
}

type Container = Record<string, unknown> | unknown[];
type PathStep = string | number;

/** `$.rows[0]['the name']` → rows, 0, the name. */
function stepsOf(path: string): PathStep[] {
  const steps = path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/g);
  return Array.from(steps, ([, name, index, single, double]): PathStep => {
    if (index !== undefined) return Number(index);
    return name ?? (single ?? double ?? '').replace(/\\(.)/g, '$1');
  });
}

const longest = 100_000; // an index from outside must not make an array of any size

function container(value: unknown, step: PathStep): Container {
  if (typeof step === 'number') return Array.isArray(value) ? value : [];
  return isRecord(value) ? value : {};
}

function get(at: Container, step: PathStep): unknown {
  return Object.hasOwn(at, step) ? (at as Record<PathStep, unknown>)[step] : undefined;
}

function put(at: Container, step: PathStep, value: unknown): void {
  if (typeof step === 'number' && step > longest) return;
  Object.defineProperty(at, step, { value, writable: true, enumerable: true, configurable: true });
}

function valueOf(piece: Record<string, unknown>, before: unknown): unknown {
  if (typeof piece['stringValue'] === 'string')
    return typeof before === 'string' ? before + piece['stringValue'] : piece['stringValue'];
  return piece['numberValue'] ?? piece['boolValue'] ?? null;
}
