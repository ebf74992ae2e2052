// What an installation weighs: a package and all it depends on, found through the lock file, weighed on the disk.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { partNames, parts } from '../../src/config/parts.ts';

export type Weight = { name: string; packages: number; bytes: number };

type Entry = {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};
type Lock = { packages: Record<string, Entry> };

const here = fileURLToPath(new URL('../', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

const sets: [name: string, ...packages: string[]][] = [
  ['ai with the providers of Anthropic, OpenAI, Google', 'ai', '@ai-sdk/anthropic', '@ai-sdk/openai', '@ai-sdk/google'],
  ['pi-ai', '@earendil-works/pi-ai'],
  ['pi-coding-agent', '@earendil-works/pi-coding-agent'],
  [
    'LangChain core with Anthropic, OpenAI, Google, Ollama',
    '@langchain/core',
    '@langchain/anthropic',
    '@langchain/openai',
    '@langchain/google-genai',
    '@langchain/ollama',
  ],
  ['@openai/agents', '@openai/agents'],
  ['@mastra/core', '@mastra/core'],
];

export function weighInstallations(): Weight[] {
  const own = lockOf(root);
  const { dependencies = {} } = own.packages[''] ?? {};
  const plain = sum('Sightline', root, own, Object.keys(dependencies));
  const more = partNames.map((name) => {
    const folder = join(root, name === 'browser' ? '' : `parts/${name}`); // the tests drive browsers all the time
    return sum(name, folder, lockOf(folder), parts[name].libraries);
  });
  const optional = {
    name: 'Sightline with all its parts',
    packages: more.reduce((total, { packages }) => total + packages, plain.packages),
    bytes: more.reduce((total, { bytes }) => total + bytes, plain.bytes),
  };
  const dist = folderBytes(join(root, 'dist'));
  const theirs = lockOf(here);
  return [
    ...[plain, optional].map((one) => ({ ...one, packages: one.packages + 1, bytes: one.bytes + dist })),
    ...sets.map(([name, ...packages]) => sum(name, here, theirs, packages)),
  ];
}

function lockOf(folder: string): Lock {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock;
}

function sum(name: string, folder: string, lock: Lock, names: readonly string[]): Weight {
  const found = new Set<string>();
  for (const one of names) follow(lock, '', one, found);
  // A lock names the binaries of every system; installed are those of this one.
  const installed = [...found].map((path) => join(folder, path)).filter((path) => existsSync(path));
  return { name, packages: installed.length, bytes: installed.reduce((total, path) => total + folderBytes(path), 0) };
}

/** Adds a package and what it needs, each found as Node finds it: in the nearest node_modules. */
function follow(lock: Lock, from: string, name: string, found: Set<string>): void {
  const path = placeOf(lock, from, name);
  if (path === undefined || found.has(path)) return;
  found.add(path);
  const entry = lock.packages[path] ?? {};
  const peers = Object.keys(entry.peerDependencies ?? {}).filter((one) => !entry.peerDependenciesMeta?.[one]?.optional);
  const needs = [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers];
  for (const one of needs) follow(lock, path, one, found);
}

function placeOf(lock: Lock, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (lock.packages[path]) return path;
    if (at === '') return undefined;
  }
}

/** Nested packages are counted by themselves. */
function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((total, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? total : total + folderBytes(path);
    return entry.isFile() ? total + statSync(path).size : total;
  }, 0);
}
