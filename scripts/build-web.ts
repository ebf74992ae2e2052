// The inspector's page → `dist/web/`: one script and one style, with nothing to load from elsewhere.
//   npm run build
import { build } from 'vite';
import { argumentsOf } from './arguments.ts';

argumentsOf(import.meta.filename, {});

await build({
  configFile: false,
  root: 'src/web',
  base: '/',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2024',
    modulePreload: false,
    rolldownOptions: {
      input: 'src/web/index.html',
      output: { entryFileNames: 'main.js', assetFileNames: 'style[extname]' },
    },
  },
});
