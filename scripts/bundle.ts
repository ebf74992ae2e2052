// One file of everything an entry needs, minified, as a bundler makes it of the built package for browsers and workers.
import { build } from 'tsdown';

export type Bundle = { code: string; imports: string[] };

/** `condition` is that of the export map of `package.json` under which the package is found. */
export async function bundled(entry: string, condition: string): Promise<Bundle> {
  const built = await build({
    config: false,
    tsconfig: false,
    entry: [entry],
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    dts: false,
    write: false,
    clean: false, // what is built already lies where this would be written
    minify: true,
    logLevel: 'error',
    inputOptions: { tsconfig: false, resolve: { conditionNames: [condition, 'import'] } },
    outputOptions: { codeSplitting: false },
  });
  const chunk = built.flatMap((bundle) => bundle.chunks).find((item) => item.type === 'chunk');
  if (!chunk || chunk.type !== 'chunk') throw new Error(`The bundle of ${entry} is empty.`);
  return { code: chunk.code, imports: [...chunk.imports, ...chunk.dynamicImports] };
}
