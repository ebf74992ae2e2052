// A program that goes on with runs, each in its session, until they are over, or it is killed. Each effect is a line of a file.
// It uses the package as it is built: that starts in a third of the time.
import { appendFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { defineTool, runAgent } from 'sightline';
import type { Tool } from 'sightline';
import { script, scriptedSend } from 'sightline/script';
import type { Step } from 'sightline/script';
import { openSessions } from 'sightline/session';

const [home = '', ...ids] = process.argv.slice(2);
const store = openSessions({ home });
const sessions = await Promise.all(ids.map((id) => store.open(id)));
flushCompileCache(); // a killed one cannot do this at its end
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A moment to be killed at; whoever does it has the time to. */
async function told(): Promise<void> {
  process.stdout.write('now\n');
  await pause(Math.random() * 20);
}

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  run: async (_input, { key }) => {
    await told();
    appendFileSync(join(home, 'effects'), `${key}\n`);
    await told();
    return 'paid';
  },
}) as Tool;
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  effect: 'read',
  run: () => pause(Math.random() * 20),
}) as Tool;

const turn: Step = { calls: [{ name: 'pay' }, { name: 'look' }, { name: 'pay' }] };
await Promise.all(
  sessions.map(async (session) => {
    const asked = (await session.messages()).filter(({ role }) => role === 'assistant').length;
    const steps = [...Array.from({ length: Math.max(0, 4 - asked) }, () => turn), { text: 'Done.' }];
    await runAgent({
      model: 'anthropic/claude-sonnet-4-5',
      session,
      resume: true,
      tools: [pay, look],
      send: scriptedSend(script(steps)),
    });
  }),
);
await store.close();
