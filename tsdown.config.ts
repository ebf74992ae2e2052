import { defineConfig } from 'tsdown';
import type { UserConfig } from 'tsdown';

// One file in, one file out: the tree a reader knows from `src/` is the tree she finds in `dist/`.
const config: UserConfig = defineConfig({
  entry: ['src/**/*.ts'],
  unbundle: true,
  dts: true,
  format: 'esm',
  target: 'node22',
  platform: 'node',
  fixedExtension: false,
  // What tools in Python import.
  copy: ({ outDir }) => [{ from: 'src/toolbox/executable/python', to: `${outDir}/toolbox/executable` }],
});

export default config;
