// A request with many new pictures: some are checked in the same time, and what goes out is in the order of the request.
import { expect, test } from 'vitest';
import sharp from 'sharp';
import { fetchOver } from '../../src/fetch/fetch.ts';
import { bareWorkshop } from '../../src/fetch/workshop.ts';

test('new pictures of several turns are checked a few at a time, and stay in their order', async () => {
  const pictures = await Promise.all(
    Array.from({ length: 12 }, async (_, shade) => {
      const create = { width: 40, height: 30, channels: 3, background: { r: shade * 20, g: 0, b: 0 } } as const;
      return (await sharp({ create }).png().toBuffer()).toString('base64');
    }),
  );
  let [under, most, all] = [0, 0, 0];
  let sent = '';
  const send = fetchOver(
    async (assets) => {
      const workshop = await bareWorkshop(assets);
      const check: typeof workshop.intake.check = async (bytes, hint) => {
        most = Math.max(most, ++under);
        all++;
        await new Promise((resolve) => setImmediate(resolve));
        return workshop.intake.check(bytes, hint).finally(() => under--);
      };
      return { ...workshop, intake: { ...workshop.intake, check } };
    },
    {
      fetch: async (_url, init) => {
        sent = init?.body as string;
        return new Response('{}');
      },
    },
  );
  const messages = pictures.flatMap((data, at) => [
    { role: 'assistant', content: null, tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'look', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: `c${at}`, content: JSON.stringify({ base64: data }) },
  ]); // prettier-ignore
  const body = JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Look.' }, ...messages] });
  await send('https://api.openai.com/v1/chat/completions', { method: 'POST', body });
  expect([...sent.matchAll(/data:image\/png;base64,([^"]+)/g)].map(([, data]) => data)).toEqual(pictures);
  expect(all).toBeGreaterThanOrEqual(pictures.length);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(4);
});
