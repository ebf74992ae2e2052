// Whether pictures with small writing are cut is said once for a run, under a foreign SDK, in the gateway and in its settings,
// and holds there; a word that nobody knows is told with those that are known.
import { existsSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import sharp from 'sharp';
import { picturesIn } from '../../bench/eyesight/pictures.ts';
import { runAgent } from '../../src/agent/run.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { openGateway } from '../../src/gateway/index.ts';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import { prepare } from '../../src/model/prepare.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { writing } from '../media/writing.ts';

const hasFonts = existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf');
const server = await scriptedServer(script(() => ({ text: 'Read.' })));
afterAll(() => server.close());

const part = await writing({ px: 13, width: 900, height: 600 }).png().toBuffer();
const page = await sharp(part).extend({ bottom: 4200, extendWith: 'repeat' }).png().toBuffer();
const model = 'anthropic/claude-sonnet-4-5';
const target = { model, baseUrl: server.url, apiKey: 'k' };

/** How many pictures the last request had. */
function sent(): number {
  return picturesIn(server.requests.at(-1)?.body).length;
}

const asMessages = JSON.stringify({
  model: 'mine',
  max_tokens: 50,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: page.toString('base64') } },
        { type: 'text', text: 'What?' },
      ],
    },
  ],
});
const asChat = JSON.stringify({
  model: 'mine',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${page.toString('base64')}` } },
        { type: 'text', text: 'What?' },
      ],
    },
  ],
});

async function throughGateway(options: GatewayOptions): Promise<number[]> {
  await using gateway = await openGateway({ port: 0, ...options });
  const counts: number[] = [];
  for (const [path, body] of [
    ['messages', asMessages],
    ['chat/completions', asChat],
  ] as const) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.url}/v1/${path}`, { method: 'POST', headers, body });
    expect(await answer.text()).toContain('Read.');
    counts.push(sent());
  }
  return counts;
}

test.runIf(hasFonts)('a run, a foreign SDK and the gateway cut unless they are told not to', async () => {
  for (const [options, fewest, most] of [
    [{}, 2, 12],
    [{ tiles: 'off' }, 1, 1],
  ] as const) {
    const all: number[] = [];
    await runAgent({ model: target, prompt: [{ type: 'image', data: page }, 'What?'], ...options });
    all.push(sent());
    await runAgent({ model: { ...target, ...options }, prompt: [{ type: 'image', data: page }, 'What?'] });
    all.push(sent());
    const repairing = sightlineFetch({ model, ...options });
    await repairing(`${server.url}/v1/messages`, { method: 'POST', body: asMessages.replace('"mine"', '"claude"') });
    all.push(sent());
    all.push(...(await throughGateway({ models: { mine: { ...target, ...options } } })));
    all.push(...(await throughGateway({ models: { mine: target }, ...options })));
    expect(all).toHaveLength(7);
    for (const count of all) {
      expect(count).toBeGreaterThanOrEqual(fewest);
      expect(count).toBeLessThanOrEqual(most);
    }
  }
  expect(await throughGateway({ models: { mine: { ...target, tiles: 'off' } }, tiles: 'auto' })).toEqual([1, 1]);
});

test('a word that nobody knows is told, wherever it is said', async () => {
  const words = '"tiles" is "always", and must be "careful", "auto" or "off".';
  const wrong: object = { tiles: 'always' };
  const messages = [{ role: 'user', content: 'Hi.' } as const];
  await expect(prepare({ messages }, { model, assets: memoryAssets(), ...wrong })).rejects.toThrow(words);
  const counted = prepare({ messages }, { model, assets: memoryAssets(), maxImagesPerMessage: -3 });
  await expect(counted).rejects.toThrow('"maxImagesPerMessage" is -3, and must be a whole number of 0 or more.');
  const { error } = await runAgent({ model: target, prompt: 'Hi.', ...wrong });
  expect(error?.message).toBe(words);
  expect(() => sightlineFetch({ model, ...wrong })).toThrow(words);
  for (const options of [wrong, { models: { mine: { ...target, ...wrong } } }] satisfies GatewayOptions[])
    await expect(openGateway({ port: 0, ...options })).rejects.toThrow(words);
});
