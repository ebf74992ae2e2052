// The fresh process behind every figure: imports one module, calls its default export once, sends back what it returns.
import { pathToFileURL } from 'node:url';
import type { Task } from './harness.ts';

const [, , module = ''] = process.argv;

process.once('message', async ({ input }: { input: unknown }) => {
  const { default: task } = (await import(pathToFileURL(module).href)) as { default: Task<unknown, unknown> };
  const value = await task(input);
  process.send?.({ value }, () => process.exit(0)); // some peers leave timers behind
});
