// A picture whose file is not what it was: the next request has words in its place, on every wire, and the same bytes
// stored again bring it back.
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { AssetId } from '../../src/content/block.ts';
import type { ContentInput } from '../../src/content/input.ts';
import { prepare } from '../../src/model/prepare.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/index.ts';
import type { Session } from '../../src/session/index.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-damaged-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const chart = readFileSync('examples/chart.png');

const alter: Record<string, (path: string) => void> = {
  'altered, as long as before': (path) => {
    const bytes = readFileSync(path);
    bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1;
    writeFileSync(path, bytes);
  },
  'altered, with its time set back': (path) => {
    const { atime, mtime } = statSync(path);
    alter['altered, as long as before']?.(path);
    utimesSync(path, atime, mtime);
  },
  'cut short': (path) => writeFileSync(path, readFileSync(path).subarray(0, 1000)),
  emptied: (path) => writeFileSync(path, ''),
};

const models = ['anthropic/claude-sonnet-4-5', 'openai/gpt-5.2', 'gemini/gemini-2.5-pro'];

describe.each(['in the same process', 'after a restart'])('%s', (when) => {
  test.each(Object.keys(alter).map((how, at) => [how, models[at % models.length] ?? ''] as const))(
    'a picture that was %s is noticed before it is sent (%s)',
    async (how, model) => {
      const home = mkdtempSync(join(scratch, 'home-'));
      await using server = await scriptedServer(script(() => ({ text: 'Good.' })));
      const ask = async (session: Session, prompt: ContentInput): Promise<AgentEvent[]> => {
        const events: AgentEvent[] = [];
        const key = 'sk-test-0123456789';
        for await (const event of runAgent({ prompt, model, baseUrl: server.url, key, session })) events.push(event);
        return events;
      };
      const last = (): string => JSON.stringify(server.requests.at(-1)?.body);
      const data = (id: AssetId): string => readFileSync(pathOf(home, id)).toString('base64');

      let store = openSessions({ home });
      let session = await store.create();
      await ask(session, [
        { type: 'text', text: 'Look.' },
        { type: 'image', data: chart, name: 'chart.png' },
      ]);
      const id = (await session.messages()).flatMap(({ content }) =>
        content.flatMap((block) => (block.type === 'image' ? [block.asset.id] : [])),
      )[0];
      if (id === undefined) throw new Error('no picture was stored');
      const whole = data(id);
      expect(last()).toContain(whole);

      alter[how]?.(pathOf(home, id));
      const changed = data(id);
      if (when === 'after a restart') {
        await store.close();
        store = openSessions({ home });
        session = await store.open(session.id);
      }
      const told = await ask(session, 'And now?');
      expect(told.at(-1)).toMatchObject({ type: 'run-end', stop: 'end' });
      expect(last()).toMatch(/image \\"chart\.png\\"[^[\]]*(not|no longer|gone)/);
      expect(last()).not.toContain(whole.slice(0, 400));
      if (changed.length > 400) expect(last()).not.toContain(changed.slice(0, 400));
      const receipts = told.flatMap((event) => (event.type === 'request-ready' ? [event.receipts] : [])).at(-1);
      expect(receipts?.find((receipt) => receipt.asset === id)).toMatchObject({
        action: expect.stringMatching(/words|placeholder/),
      });

      await session.assets.put(Buffer.from(whole, 'base64'), { mediaType: 'image/png', name: 'chart.png' });
      expect(await session.losses()).toEqual([]);
      await ask(session, 'Once more?');
      expect(data(id)).toBe(whole);
      const again = await prepare(await session.transcript(), { model, assets: session.assets });
      expect(JSON.stringify(await again.json())).toContain(whole);
      await store.close();
    },
  );
});

function pathOf(home: string, id: AssetId): string {
  const hash = id.slice('sha256:'.length);
  return join(home, 'assets', hash.slice(0, 2), hash);
}
