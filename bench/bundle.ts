// What a page or a worker loads: each entry that runs there, with everything it needs, as one minified file.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundled } from '../scripts/bundle.ts';
import type { Comparison } from './run.ts';

const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0);

const entries: Record<string, string> = {
  'sightline/core': 'dist/core.js',
  'sightline/fetch': 'dist/fetch/edge.js',
  'sightline/ui': 'dist/agent/ui/index.js',
  'ai, without a provider': 'node_modules/ai/dist/index.js',
};

export const compareBundles: Comparison = async () => {
  if (!existsSync(file('dist/core.js'))) throw new Error('There is no dist/; run `npm run build` first.');
  const sizes: { name: string; minified: number; gzipped: number }[] = [];
  for (const [name, path] of Object.entries(entries)) {
    if (!existsSync(file(path))) continue;
    const { code, imports } = await bundled(file(path), 'workerd');
    if (imports.length > 0) console.warn(`${name} leaves ${imports.join(', ')} outside.`);
    sizes.push({ name, minified: Buffer.byteLength(code), gzipped: gzipSync(code).length });
  }
  return {
    title: 'Bundles for browsers and edge workers',
    about: [
      'Everything that an entry exports, with all it needs, as one minified file (rolldown). A program that imports less loads less.',
    ],
    tables: [
      {
        caption: 'Size',
        columns: ['', 'minified, kB', 'gzip, kB'],
        rows: sizes.map(({ name, minified, gzipped }) => [name, kilobytes(minified), kilobytes(gzipped)]),
      },
    ],
    notes: ['`sightline/core` may have 240 kB; a test holds that.'],
    raw: sizes,
  };
};
