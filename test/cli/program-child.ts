// A process that runs command lines one after another, each in its own folder and environment, and sends back what a
// shell would see. Starting the program anew for each of them would cost more than the commands.
import { run } from '../../src/cli/program.ts';
import type { Ran } from './run.ts';

process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);
process.setMaxListeners(0);

process.on('message', async ({ words, cwd, env }: { words: string[]; cwd: string; env: Record<string, string> }) => {
  process.chdir(cwd);
  Object.assign(process.env, env);
  const seen = { stdout: '', stderr: '' };
  const writers = (['stdout', 'stderr'] as const).map((name) => {
    const { write } = process[name];
    process[name].write = (text: string | Uint8Array) => {
      seen[name] += String(text);
      return true;
    };
    return () => (process[name].write = write);
  });
  const code = await run(words);
  for (const restore of writers) restore();
  process.send?.({ code, ...seen } satisfies Ran);
});
