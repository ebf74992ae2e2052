// The package as it is published: every door of `package.json` is a file of the same path as its source, what is loaded
// later too, and what several of them need lies in `dist/chunk/`.
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { defineConfig } from 'tsdown';
import type { UserConfig } from 'tsdown';

type Manifest = { exports: Record<string, string | Record<string, string>>; bin: Record<string, string> };
const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as Manifest;

/** Modules that are imported or started by name, as paths below `src/` and `dist/` without their ending. */
const started = ['dist/media/child/main.js', 'dist/cli/read/bulk-child.js'];
const doors = [...Object.values(manifest.exports), ...Object.values(manifest.bin), ...started]
  .flatMap((path) => (typeof path === 'string' ? path : Object.values(path)))
  .flatMap((path) => /dist\/(.*)\.js$/.exec(path)?.[1] ?? []);

/** Few files load faster than many. Each row is one file: these modules with all they import, but for what a row above
 * has already. So a row gets nothing along that belongs to a row below it, such as a `node:` import into `core`. */
const chunks: [name: string, modules: RegExp][] = [
  ['first', /src\/(content\/(refusal|visible)|window\/catalog)\.ts$/], // all that help and mistakes need
  [
    'base',
    /src\/(content\/[-\w]+|tool\/(tool|base64-runs)|message\/(pair|usage)|window\/ledger|media\/pdf\/pages)\.ts$/,
  ],
  ['profile', /src\/window\/(profile|sight-policy)\.ts$/],
  ['core', /src\/core\.ts$/],
  ['sent', /src\/model\/(recorder|heal\/(repair|shrink|complaint))\.ts$/], // what fetch has, on edge workers too
  ['fetch', /src\/fetch\/(fetch|workshop)\.ts$/],
  ['middleware', /src\/ai-sdk\/middleware\.ts$/],
  ['node', /src\/(config\/(package|environment)|fetch\/whole-workshop)\.ts$/], // what has Node under it
  ['asset', /src\/(asset\/(?!contract)\w+|media\/(index|bytes))\.ts$/],
  ['format', /src\/media\/(image\/(header|fit)|container|svg\/source|text\/decode)\.ts$/], // child processes too
  ['media', /src\/media\/(admit|render|thumbnail|image\/compare)\.ts$/],
  ['sightline', /src\/(index|session\/log\/(database|sqlite-descriptions))\.ts$/],
  ['gateway', /src\/gateway\/index\.ts$/],
  ['session', /src\/session\/index\.ts$/],
];

/** A file of ASCII alone is read and compiled sooner. */
const ascii = {
  name: 'ascii',
  generateBundle(_options: object, files: Record<string, { fileName: string; code?: string }>): void {
    for (const file of Object.values(files))
      if (file.code !== undefined && file.fileName.endsWith('.js'))
        file.code = file.code.replaceAll(/[^\0-\x7f]/g, escaped);
  },
};
const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const slashes = (path: string): string => path.replaceAll(sep, '/');

const config: UserConfig = defineConfig({
  entry: Object.fromEntries(doors.map((path) => [path, `src/${path}.ts`])),
  dts: true,
  plugins: [ascii],
  format: 'esm',
  target: 'node22',
  platform: 'node',
  fixedExtension: false,
  deps: { neverBundle: ['playwright-core'] }, // a part that is brought on demand
  treeshake: { moduleSideEffects: 'no-external' }, // no package is imported, or named by types, for nothing
  inputOptions: { checks: { bundlerTimings: false } }, // a slow machine is no mistake
  outputOptions: {
    chunkFileNames: ({ facadeModuleId: module }) =>
      module ? slashes(relative('src', module)).replace(/\.ts$/, '.js') : 'chunk/[name].js',
    minifyInternalExports: false,
    comments: { jsdoc: false },
    codeSplitting: {
      groups: chunks.map(([name, modules], row) => ({
        name,
        test: (id) => modules.test(slashes(id)),
        priority: chunks.length - row,
      })),
    },
  },
  // What tools in Python import.
  copy: ({ outDir }) => [{ from: 'src/toolbox/executable/python', to: `${outDir}/toolbox/executable` }],
});

export default config;
