// A file → the command that starts it: by its own first line, or by a runner for its kind. A runner stands in when the
// first line names an interpreter that is not installed here.
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { delimiter, extname, isAbsolute, join } from 'node:path';
import { refuse } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import { safeName } from '../../content/text.ts';
import type { Command } from './process.ts';

type Started = { command: Command; /** Whether the first run may have to install things. */ installs: boolean };

const nodeFiles = new Set(['.js', '.mjs', '.ts', '.mts']);
const runnable = new Set([...nodeFiles, '.py', '.sh']);

/** Whether a file of that name can be started without being executable. */
export function hasRunner(file: string): boolean {
  return runnable.has(extname(file));
}

/** How to start a file, or why it cannot be started. `path` is where programs are looked for. */
export function commandFor(file: string, path: string): Read<Started> {
  const first = firstLine(file);
  if (first === undefined) {
    return refuse('not-found', `The tool file ${safeName(file)} is gone or cannot be read`, 'Restore it.');
  }
  const interpreter = interpreterOf(first);
  const kind = extname(file);
  // Scripts for Node run on the Node that runs us: the one on the path may be too old for TypeScript.
  const isNode = nodeFiles.has(kind) && (interpreter === undefined || interpreter === 'node');
  if (isExecutable(file) && !isNode && !needsUv(file, interpreter, path)) {
    if (interpreter === undefined && !hasRunner(file)) return started({ file, words: [] });
    if (interpreter !== undefined && findProgram(interpreter, path) !== undefined) {
      return started({ file, words: [] }, interpreter === 'uv');
    }
  }
  return byRunner(file, kind, path) ?? unstartable(file, interpreter, path);
}

/** Whether a script for Python, but for one of a certain place, says what it depends on: uv installs that, Python itself does not. */
function needsUv(file: string, interpreter: string | undefined, path: string): boolean {
  const isPython = extname(file) === '.py' && /^python[\d.]*$/.test(interpreter ?? 'python');
  const saysDependencies = isPython && /^# \/\/\/ script\s*$/m.test(headOf(file, 16_384) ?? '');
  return saysDependencies && findProgram('uv', path) !== undefined;
}

function started(command: Command, installs = false): Read<Started> {
  return { ok: true, value: { command, installs } };
}

function byRunner(file: string, kind: string, path: string): Read<Started> | undefined {
  if (nodeFiles.has(kind)) return started({ file: process.execPath, words: [file] });
  if (kind === '.sh') {
    const shell = findProgram('sh', path);
    return shell === undefined ? undefined : started({ file: shell, words: [file] });
  }
  if (kind !== '.py') return undefined;
  const uv = findProgram('uv', path);
  // Only what the script itself asks for, not the Python project that happens to lie in the working directory.
  if (uv !== undefined) return started({ file: uv, words: ['run', '--no-project', file] }, true);
  const python = findProgram('python3', path) ?? findProgram('python', path);
  return python === undefined ? undefined : started({ file: python, words: [file] });
}

function unstartable(file: string, interpreter: string | undefined, path: string): Read<Started> {
  const name = safeName(file);
  const needed =
    interpreter ?? (extname(file) === '.py' ? 'uv or python3' : extname(file) === '.sh' ? 'sh' : undefined);
  if (needed !== undefined && (interpreter === undefined || findProgram(interpreter, path) === undefined)) {
    return refuse('not-found', `${name} needs ${needed}, which is not installed here`, `Install ${needed}.`);
  }
  return refuse('not-allowed', `${name} is not executable`, `Run: chmod +x ${name}`);
}

/** The program a first line names: `#!/usr/bin/env -S uv run` is uv. */
function interpreterOf(line: string): string | undefined {
  if (!line.startsWith('#!')) return undefined;
  const [program = '', ...words] = line.slice(2).trim().split(/\s+/);
  if (!program.endsWith('/env')) return nameIn(program);
  const named = words.find((word) => !word.startsWith('-') && !word.includes('='));
  return named === undefined ? undefined : nameIn(named);
}

/** Node is Node wherever it lies; everything else is meant as it is written. */
function nameIn(program: string): string {
  return program.endsWith('/node') ? 'node' : program;
}

/** Whether the file begins like a script. */
export function isScript(file: string): boolean {
  return firstLine(file)?.startsWith('#!') ?? false;
}

function firstLine(file: string): string | undefined {
  return headOf(file, 256)?.split(/\r?\n/, 1)[0];
}

/** The beginning of a file, or nothing when it cannot be read. */
export function headOf(file: string, bytes: number): string | undefined {
  try {
    const handle = openSync(file, 'r');
    try {
      const head = Buffer.alloc(bytes);
      return head.toString('utf8', 0, readSync(handle, head, 0, bytes, 0));
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

/** Where a program lies, as a shell would find it. */
export function findProgram(name: string, path: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== ''); // an empty one would be the working directory
  const places = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  return places.flatMap((place) => endings.map((ending) => place + ending)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
