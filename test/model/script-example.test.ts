// The example of the scripted model, run as a program of its own.
import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** The package by its names, from source: nothing has to be built before. */
const sources = { sightline: 'src/index.ts', 'sightline/script': 'src/model/script/index.ts' };
const urls = Object.fromEntries(Object.entries(sources).map(([name, file]) => [name, pathToFileURL(file).href]));
const hook = `import { registerHooks } from 'node:module';
const urls = ${JSON.stringify(urls)};
registerHooks({ resolve: (name, context, next) => (urls[name] ? { url: urls[name], shortCircuit: true } : next(name, context)) });`;

test('the example shows a failure that passes, and an answer about what the model was shown', async () => {
  const imported = `data:text/javascript,${encodeURIComponent(hook)}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', imported, 'examples/script.ts']);
  expect(stdout).toContain('I was shown 2 media.');
  expect(stdout).toMatch(/^2 requests, the last one with \d+ bytes$/m);
}, 60_000);
