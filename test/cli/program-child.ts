// A process that runs command lines one after another, each in its own folder and environment, and sends back what a
// shell would see. Starting the program anew for each of them would cost more than the commands.
import { run } from '../../src/cli/program.ts';
import type { Ran } from './run.ts';

let seen = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name].setMaxListeners(0);
  process[name].write = (text: string | Uint8Array) => {
    seen[name] += String(text);
    return true;
  };
}
process.setMaxListeners(0);

process.on('message', async ({ words, cwd, env }: { words: string[]; cwd: string; env: Record<string, string> }) => {
  process.chdir(cwd);
  Object.assign(process.env, env);
  seen = { stdout: '', stderr: '' };
  const code = await run(words);
  process.send?.({ code, ...seen } satisfies Ran);
});
