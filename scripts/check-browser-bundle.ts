// Proves that `sightline/core` runs where there is no Node: bundles it for the browser, allows no import to remain, and
// runs the bundle in a context that has nothing but web standards.
import { rmSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { build } from 'tsdown';

const outDir = '.cache/browser';
rmSync(outDir, { recursive: true, force: true });
const built = await build({
  config: false,
  entry: ['src/core.ts'],
  format: 'iife',
  globalName: 'sightline',
  platform: 'browser',
  target: 'es2024',
  outDir,
  dts: false,
  clean: true,
  logLevel: 'error',
});
const chunk = built.flatMap((bundle) => bundle.chunks).find((item) => item.type === 'chunk');
if (!chunk || chunk.type !== 'chunk') throw new Error('The bundle of sightline/core is empty.');
const external = [...chunk.imports, ...chunk.dynamicImports];
if (external.length > 0) throw new Error(`sightline/core must import nothing, but imports ${external.join(', ')}.`);

const browser = createContext({ TextEncoder, TextDecoder, URL, Blob, ReadableStream, AbortController, Response });
new Script(chunk.code).runInContext(browser);
const answer: unknown = new Script(`
  const { plan, profileFor, wires } = sightline;
  const transcript = { version: 1, messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] };
  const { plan: planned } = plan({ transcript, profile: profileFor('anthropic/claude-sonnet-4-5') });
  wires['anthropic-messages'].encode(planned).skeleton.messages[0].content[0].text;
`).runInContext(browser);
if (answer !== 'hello') throw new Error('sightline/core does not plan in a browser.');
console.log(`sightline/core in the browser: ${(chunk.code.length / 1024).toFixed(0)} KiB, no imports`);
