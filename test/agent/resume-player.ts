// A program that goes on with a run in a session until it is over, or it is killed. Each effect is a line of a file.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAgent } from '../../src/agent/run.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { Step } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/store.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/tool.ts';

const [home = '', id = ''] = process.argv.slice(2);
const store = openSessions({ home });
const session = await store.open(id);
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
const asked = (await session.messages()).filter(({ role }) => role === 'assistant').length;
const steps = [...Array.from({ length: Math.max(0, 4 - asked) }, () => turn), { text: 'Done.' }];
const run = runAgent({
  model: 'anthropic/claude-sonnet-4-5',
  session,
  resume: true,
  tools: [pay, look],
  send: scriptedSend(script(steps)),
});
await run;
await store.close();
