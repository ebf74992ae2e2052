// A home, a project and little programs in them, made for one test file and gone after it.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/asset/store.ts';
import type { ToolMessage } from '../../src/tool/result.ts';
import type { ExecutableOptions } from '../../src/toolbox/executable/tools.ts';
import { executableTools } from '../../src/toolbox/executable/tools.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';
import { writeProgram } from '../program.ts';

export type Home = {
  root: string;
  home: string;
  project: string;
  silica: string;
  options: ExecutableOptions;
  assets: AssetStore;
  /** Writes a program; the path is relative to the root. */
  write: (path: string, content: string | Uint8Array, mode?: number) => string;
  /** Calls a tool the way a loop does. */
  call: (name: string, input?: unknown, more?: CallOptions) => Promise<ToolMessage>;
};

type CallOptions = ExecutableOptions & { signal?: AbortSignal; onProgress?: (message: string) => void };

export function newHome(): Home {
  const root = mkdtempSync(join(tmpdir(), 'sightline-executable-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const [home, project, silica] = [join(root, 'home'), join(root, 'project'), join(root, 'silica')];
  for (const folder of [join(home, 'tools'), join(project, '.sightline', 'tools'), join(project, '.git'), silica]) {
    mkdirSync(folder, { recursive: true });
  }
  const assets = memoryAssets();
  // Python as the system has it: a shim in front of it would cost more than the tools.
  const environment = { ...process.env, PATH: `/usr/bin:/bin:${process.env['PATH'] ?? ''}` };
  const options = { home, silica, cwd: project, environment };
  return {
    root,
    home,
    project,
    silica,
    options,
    assets,
    write(path, content, mode = 0o755) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      if (mode === 0o755) writeProgram(file, content);
      else {
        writeFileSync(file, content);
        chmodSync(file, mode);
      }
      return file;
    },
    async call(name, input = {}, { onProgress, signal, ...more } = {}) {
      const { tools } = await executableTools({ ...options, ...more });
      return await invokeTool(
        { type: 'call', id: 'call_1', name, input },
        { tools, assets, ...(signal && { signal }), ...(onProgress && { progress: (_, said) => onProgress(said) }) },
      );
    },
  };
}

/** A shell tool: its spec, and what it does when it is called. */
export function shell(says: object, body: string): string {
  const printed = JSON.stringify(says).replaceAll("'", String.raw`'\''`);
  return `#!/bin/sh\nif [ "$1" = --toolspec ]; then printf '%s' '${printed}'; exit 0; fi\n${body}\n`;
}

export function spec(name: string, more: object = {}, properties: object = {}): object {
  return { name, description: `Does ${name}.`, input_schema: { type: 'object', properties }, ...more };
}

/** The text of a result, block by block. */
export function textOf({ content }: ToolMessage): string {
  return content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n');
}

/** Processes whose command line holds a word; only Linux tells. */
export function running(word: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(word);
    } catch {
      return false;
    }
  });
}

/** A picture of 2 × 2, as base64. */
export const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4zwAE/xkgFAAb8gP91pbyKwAAAABJRU5ErkJggg==';
