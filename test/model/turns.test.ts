// What a turn takes over from the turn before, in memory: it must be cheaper for it, and nothing else.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileAssets } from '../../src/asset/files.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/asset/store.ts';
import type { MessageInput } from '../../src/message/message.ts';
import { prepare } from '../../src/model/prepare.ts';
import type { Prepared } from '../../src/model/prepared.ts';
import type { Ledger } from '../../src/window/ledger.ts';
import { onePerWire } from '../laws/models.ts';
import { moved } from '../laws/prefix.ts';

const folder = mkdtempSync(join(tmpdir(), 'turns-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tools = [{ name: 'shot', description: 'Takes a picture.', inputSchema: { type: 'object', properties: {} } }];
const model: string = 'anthropic/claude-sonnet-4-5';

async function turnOf(index: number, assets: AssetStore): Promise<MessageInput[]> {
  const asset = await assets.put(new TextEncoder().encode(`picture ${index}`), { mediaType: 'image/png' });
  const id = `call_${index}`;
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `Step ${index}: “ä”.` },
        { type: 'call', id, name: 'shot', input: { after: index } },
      ],
    },
    {
      role: 'tool',
      callId: id,
      name: 'shot',
      content: [
        { type: 'text', text: `Form ${index}.` },
        { type: 'image', asset, width: 400, height: 300 },
      ],
    },
    ...(index % 3 === 2 ? [{ role: 'user' as const, content: 'Go on.' }] : []),
  ];
}

async function streamed(request: Prepared): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request.stream()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  expect(bytes.length).toBe(request.contentLength);
  return bytes.toString();
}

describe.each(onePerWire.map((name): [string] => [name]))('%s', (name) => {
  test('gets the same body from a program that remembers and from one that begins anew every turn', async () => {
    const assets = fileAssets(folder);
    const messages: MessageInput[] = [{ role: 'user', content: 'Walk through it.' }];
    let ledger: Ledger | undefined;
    for (let turn = 0; turn < 8; turn++) {
      messages.push(...(await turnOf(turn, assets)));
      const options = { model: name, imagesToKeep: 3, batch: 2 };
      const before = ledger && (JSON.parse(JSON.stringify(ledger)) as Ledger);
      const request = await prepare({ system: 'See.', tools, messages }, { ...options, assets, ledger });
      const anew = await prepare(
        { system: 'See.', tools: structuredClone(tools), messages: structuredClone(messages) },
        { ...options, assets: fileAssets(folder), ledger: before },
      );
      const body = await streamed(request);
      expect(body).toBe(await streamed(anew));
      expect(body).toBe(JSON.stringify(await request.json()));
      expect(JSON.stringify(request.ledger)).toBe(JSON.stringify(anew.ledger));
      expect(request.receipts).toEqual(anew.receipts);
      ledger = request.ledger;
    }
  });

  test('gets the arguments of a call as they are now, when a program changes them in place', async () => {
    const assets = fileAssets(folder);
    const input = { password: 'hunter2' };
    const messages: MessageInput[] = [
      { role: 'user', content: 'Log in.' },
      { role: 'assistant', content: [{ type: 'call', id: 'c', name: 'shot', input }] },
      { role: 'tool', callId: 'c', name: 'shot', content: 'Done.' },
    ];
    const first = await prepare({ tools, messages }, { model: name, assets });
    expect(await streamed(first)).toContain('hunter2');
    input.password = '*******';
    const second = await prepare({ tools, messages }, { model: name, assets, ledger: first.ledger });
    expect(await streamed(second)).not.toContain('hunter2');
  });
});

test('a picture that a program puts in the place of another is the one that is sent', async () => {
  const assets = memoryAssets();
  const messages: MessageInput[] = [{ role: 'user', content: 'Walk through it.' }, ...(await turnOf(0, assets))];
  const { ledger } = await prepare({ messages, tools }, { model, assets });
  const other = await turnOf(1, assets);
  const [shown, instead] = [messages.at(-1), other.at(-1)].map((message) => message?.content) as unknown[][];
  shown?.splice(1, 1, instead?.[1]);
  const body = JSON.stringify(await (await prepare({ messages, tools }, { model, assets, ledger })).json());
  expect(body).toContain(Buffer.from('picture 1').toString('base64'));
  expect(body).not.toContain(Buffer.from('picture 0').toString('base64'));
});

test.each<[string, object, number[]]>([
  ['new media; one that never forgets', { forgets: undefined }, [1, 1, 1, 1]],
  ['all media of the conversation; one that may forget some', { forgets: true }, [1, 2, 3, 4]],
])('a store is asked once a turn for %s', async (_, how, expected) => {
  const inner = memoryAssets();
  const asked: number[] = [];
  const missing: AssetStore['missing'] = (ids) => {
    asked.push(ids.length);
    return inner.missing(ids);
  };
  const assets: AssetStore = { ...inner, missing, ...how };
  const messages: MessageInput[] = [{ role: 'user', content: 'Go.' }];
  let ledger: Ledger | undefined;
  for (let turn = 0; turn < 4; turn++) {
    messages.push(...(await turnOf(turn, assets)));
    ({ ledger } = await prepare({ tools, messages }, { model, assets, ledger }));
  }
  expect(asked).toEqual(expected);
});

/** A request with a picture in it, which somebody removes before it is sent. */
async function robbed(): Promise<{ assets: AssetStore; messages: MessageInput[]; request: Prepared }> {
  const own = mkdtempSync(join(folder, 'store-'));
  const assets = fileAssets(own);
  const messages: MessageInput[] = [{ role: 'user', content: 'Go.' }, ...(await turnOf(0, assets))];
  const { ledger } = await prepare({ tools, messages }, { model, assets });
  const shard = readdirSync(own).find((name) => name !== 'writing') ?? '';
  messages.push(...(await turnOf(1, assets)));
  const request = await prepare({ tools, messages }, { model, assets, ledger });
  rmSync(join(own, shard), { recursive: true });
  return { assets, messages, request };
}

describe('an asset that somebody removes behind the back of its store', () => {
  test('is words in the JSON of this turn, and the same words on the next one', async () => {
    const { assets, messages, request } = await robbed();
    const body = await request.json();
    expect(JSON.stringify(body).match(/no longer stored/g)).toHaveLength(1);
    messages.push(...(await turnOf(2, assets)));
    const next = await prepare({ tools, messages }, { model, assets, ledger: request.ledger });
    const after = await next.json();
    expect(JSON.stringify(after).match(/no longer stored/g)).toHaveLength(1);
    expect(moved({ ...body }, { ...after })).toEqual([]);
  });

  test('ends a stream, and is words in the repaired request, which says so in one line', async () => {
    const { request } = await robbed();
    const error: unknown = await streamed(request).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('is gone');
    const repaired = await request.repair(error);
    expect(repaired?.repairs).toEqual(['1 medium of this request is no longer stored; words go instead.']);
    expect(await streamed(repaired as Prepared)).toContain('no longer stored');
    expect(await repaired?.repair(error)).toBeUndefined();
  });
});

test('a store in memory that had to let go of an asset is asked for all of them again', async () => {
  const assets = memoryAssets({ maxBytes: 25 }); // two pictures of ten bytes
  const messages: MessageInput[] = [{ role: 'user', content: 'Go.' }];
  let ledger: Ledger | undefined;
  let body = '';
  for (let turn = 0; turn < 4; turn++) {
    messages.push(...(await turnOf(turn, assets)));
    const request = await prepare({ tools, messages }, { model, assets, ledger });
    body = await streamed(request);
    ledger = request.ledger;
  }
  expect(body.match(/no longer stored/g)).toHaveLength(2);
});
