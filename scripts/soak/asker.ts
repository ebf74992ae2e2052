// Asks a model that never fails, twice a second, through the gateway that is never killed, and tells how long it took. A
// process of its own, with the model in it: what the others are busy with is not to be counted. Before that it asks so many
// different things that the gateway remembers as much as it may: what grows from then on is no memory of conversations.
import { setTimeout as sleep } from 'node:timers/promises';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Span } from './sample.ts';

export type AskerInput = { gateway: string; before: number };
export type AskerTold = { url: string } | { answered: Span } | { violation: string } | { begins: true };

const tell = (told: AskerTold): void => void process.send?.(told);

process.on('disconnect', () => process.exit());
process.once('message', ({ gateway, before }: AskerInput) => void fill(gateway, before).then(() => askOften(gateway)));

const server = await scriptedServer(script(() => ({ text: 'Always here.' })));
tell({ url: server.url });

const asking = (words: string): string =>
  JSON.stringify({ model: 'steady', messages: [{ role: 'user', content: words }] });

async function fill(gateway: string, count: number): Promise<void> {
  for (let asked = 0; asked < count; asked += 10) {
    const bodies = Array.from({ length: 10 }, (_, at) => asking(`Who is number ${asked + at}?`));
    for (const response of await Promise.all(
      bodies.map((body) => fetch(`${gateway}/v1/chat/completions`, { method: 'POST', body })),
    ))
      await response.text();
    (server.requests as unknown[]).length = 0;
  }
  tell({ begins: true });
}

async function askOften(gateway: string): Promise<void> {
  const body = asking('Still here?');
  for (; ; await sleep(500)) {
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
