// Asks a model that never fails, twice a second, through the gateway that is never killed, and tells how long it took. A
// process of its own, with the model in it: what the others are busy with is not to be counted. Before that it asks so many
// different things, with pictures among them, that the gateway remembers as much as it may: what grows from then on is no
// memory of conversations and media.
import { setTimeout as sleep } from 'node:timers/promises';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { dice } from './dice.ts';
import type { Span } from './sample.ts';
import { noise } from './tools.ts';

export type AskerInput = { gateway: string; before: number };
export type AskerTold = { url: string } | { answered: Span } | { violation: string } | { begins: true };

const tell = (told: AskerTold): void => void process.send?.(told);

process.on('disconnect', () => process.exit());
process.once('message', ({ gateway, before }: AskerInput) => void fill(gateway, before).then(() => askOften(gateway)));

const server = await scriptedServer(script(() => ({ text: 'Always here.' })));
tell({ url: server.url });

const asking = (content: unknown): string => JSON.stringify({ model: 'steady', messages: [{ role: 'user', content }] });

const roll = dice(7);

/** Every fifth has a picture that is new. */
function question(number: number): unknown {
  const text = `Who is number ${number}?`;
  if (number % 5 !== 0) return text;
  const url = `data:image/png;base64,${noise(roll).toString('base64')}`;
  return [
    { type: 'text', text },
    { type: 'image_url', image_url: { url } },
  ];
}

async function fill(gateway: string, count: number): Promise<void> {
  for (let asked = 0; asked < count; asked += 10) {
    const bodies = Array.from({ length: 10 }, (_, at) => asking(question(asked + at)));
    for (const response of await Promise.all(
      bodies.map((body) => fetch(`${gateway}/v1/chat/completions`, { method: 'POST', body })),
    ))
      await response.text();
    (server.requests as unknown[]).length = 0;
  }
  tell({ begins: true });
}

async function askOften(gateway: string): Promise<void> {
  for (let times = 1; ; times++, await sleep(500)) {
    const body = asking(`Still here, for the ${times}th time?`); // nobody asks the same twice
    const from = performance.timeOrigin + performance.now();
    try {
      const response = await fetch(`${gateway}/v1/chat/completions`, { method: 'POST', body });
      const text = await response.text();
      if (text.includes('Always here.')) tell({ answered: { from, to: performance.timeOrigin + performance.now() } });
      else tell({ violation: `the steady model answered ${response.status}: ${text.slice(0, 200)}` });
    } catch (error) {
      tell({ violation: `the gateway that is left alone did not answer: ${String(error)}` });
    }
    (server.requests as unknown[]).length = 0;
  }
}
