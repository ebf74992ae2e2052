// Assets in a real S3 server: the contract, and what they promise beyond it.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assetContract } from '../../src/asset/contract.ts';
import { assetId } from '../../src/asset/hash.ts';
import { signedHeaders } from '../../src/asset/sigv4.ts';
import type { AssetKeeper } from '../../src/asset/store.ts';
import type { AssetId } from '../../src/content/block.ts';
import { openGateway } from '../../src/gateway/index.ts';
import { openBucket } from '../../src/session/s3-bucket.ts';
import { s3Assets } from '../../src/session/s3-assets.ts';
import type { S3Options } from '../../src/session/s3-assets.ts';
import { memoryLog } from '../../src/session/log/memory.ts';
import { postgresLog } from '../../src/session/log/postgres.ts';
import { sessionsOver } from '../../src/session/store.ts';
import { s3PlaceOf } from '../../src/session/s3-place.ts';
import { newFolder, run } from '../cli/run.ts';
import type { Ran } from '../cli/run.ts';
import { effort } from '../effort.ts';
import { startPostgres } from '../postgres/server.ts';
import { cutWay } from '../s3/cut-way.ts';
import { hasS3, startS3 } from '../s3/server.ts';
import type { S3Server } from '../s3/server.ts';
import { image, png, user } from './samples.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sightline-s3-cache-'));
const about = { mediaType: 'image/png', name: 'a.png' };
const bytesOf = (size: number, seed = 1): Uint8Array => Uint8Array.from({ length: size }, (_, at) => (at * seed) % 251);
async function* once(what: Uint8Array): AsyncGenerator<Uint8Array> {
  yield what;
}

let server: S3Server;
let [prefixes, folders] = [0, 0];

const folder = (): string => join(scratch, String(++folders));
const prefix = (): string => `s3://media/p${++prefixes}`;
const open = (bucket: string, options: Partial<S3Options> = {}): AssetKeeper =>
  s3Assets({ bucket, endpoint: server.endpoint, keys: server.keys, cache: { folder: folder() }, ...options });

describe.skipIf(!hasS3() || !effort.isWhole)('assets in S3', () => {
  beforeAll(async () => {
    server = await startS3();
    for (const bucket of ['media', 'other']) {
      const url = new URL(`${server.endpoint}/${bucket}`);
      const bodyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
      const at = { region: 'us-east-1', service: 's3', now: new Date() };
      const headers = await signedHeaders({ method: 'PUT', url, bodyHash }, server.keys, at);
      expect((await fetch(url, { method: 'PUT', headers })).status).toBe(200);
    }
  });
  afterAll(async () => {
    await server?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  assetContract(test, () => open(prefix()));

  test('are read by a machine that never saw them, and from its own files afterwards', async () => {
    const bucket = prefix();
    const bytes = bytesOf(700_000, 3);
    const { id } = await open(bucket).put(bytes, about);
    const cache = folder();
    const far = open(bucket, { cache: { folder: cache } });
    expect(await far.missing([id])).toEqual(new Set());
    expect(Buffer.from((await far.get(id, { from: 5, to: 9 })) ?? []).equals(bytes.subarray(5, 9))).toBe(true);
    const alone = open('s3://media/nothing-here', { cache: { folder: cache } });
    expect(assetId((await alone.get(id)) ?? new Uint8Array())).toBe(id);
  });

  test('are refused by the server itself when the bytes are not those of their name, and stored once when many put them', async () => {
    const place = s3PlaceOf(prefix(), { endpoint: server.endpoint, keys: server.keys });
    const bucket = openBucket(place);
    const [bytes, other] = [bytesOf(5000), bytesOf(5000, 7)];
    const hash = assetId(bytes).slice(7);
    await expect(bucket.upload(hash, 5000, () => once(other), true)).rejects.toThrow(/Bytes were changed on their way/);
    expect(await bucket.sizeOf(hash)).toBeUndefined();
    const puts = await Promise.all(Array.from({ length: 8 }, () => bucket.upload(hash, 5000, () => once(bytes), true)));
    expect(puts.toSorted()).toEqual(['stored', ...Array.from({ length: 7 }, () => 'there')].toSorted());
  });

  test('that were cut or exchanged in the bucket count as gone, and are healed by the same bytes', async () => {
    const bucket = prefix();
    const [short, swapped] = [bytesOf(4000, 3), bytesOf(4000, 5)];
    const assets = open(bucket);
    const ids = [(await assets.put(short, about)).id, (await assets.put(swapped, about)).id];
    for (const [at, id] of ids.entries()) {
      const url = new URL(`${server.endpoint}/media/${bucket.split('/').at(-1)}/${id.slice(7)}`);
      const bad = at === 0 ? short.slice(0, 10) : bytesOf(4000, 11);
      const scope = { region: 'us-east-1', service: 's3', now: new Date() };
      const headers = await signedHeaders({ method: 'PUT', url, bodyHash: assetId(bad).slice(7) }, server.keys, scope);
      expect((await fetch(url, { method: 'PUT', headers, body: Buffer.from(bad) })).status).toBe(200);
    }
    const far = open(bucket);
    for (const id of ids) {
      expect(await far.get(id)).toBeUndefined();
      expect(await far.verify(id)).toBe('damaged');
    }
    expect(await far.missing(ids)).toEqual(new Set(ids));
    await far.setAside(ids[1] ?? 'sha256:');
    const aside = await Array.fromAsync(far.list('damaged'));
    expect(aside.map(({ id }) => id)).toEqual([ids[1]]);
    await far.put(short, about);
    await far.put(swapped, about);
    expect(await far.missing(ids)).toEqual(new Set());
    const third = open(bucket);
    expect([await third.verify(ids[0] ?? 'sha256:'), await third.verify(ids[1] ?? 'sha256:')]).toEqual([
      'whole',
      'whole',
    ]);
  });

  test.runIf(effort.isLong)('more than a thousand are listed page by page, and removed', async () => {
    const bucket = prefix();
    const raw = openBucket(s3PlaceOf(bucket, { endpoint: server.endpoint, keys: server.keys }));
    const many = Array.from({ length: 1010 }, (_, at) => Buffer.from(`asset ${at}`));
    const ids = many.map((bytes) => assetId(bytes));
    const left = [...many];
    const put = async (): Promise<void> => {
      for (let bytes = left.pop(); bytes; bytes = left.pop()) {
        const one = bytes;
        await raw.upload(assetId(one).slice(7), one.length, () => once(one), false);
      }
    };
    await Promise.all(Array.from({ length: 16 }, put));
    const far = open(bucket);
    expect((await Array.fromAsync(far.list())).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    await far.delete(ids);
    expect(await Array.fromAsync(far.list())).toEqual([]);
  });

  test('a gateway is ready while the bucket of its records answers', async () => {
    const rows: [Partial<S3Options>, number][] = [
      [{}, 200],
      [{ keys: server.stranger }, 503],
      [{ bucket: 's3://not-there' }, 503],
      [{ endpoint: 'http://127.0.0.1:1' }, 503],
    ];
    for (const [wrong, status] of rows) {
      await using store = sessionsOver({ log: memoryLog({ now: Date.now }), assets: open(prefix(), wrong) });
      await using gateway = await openGateway({ port: 0, mediaReady: () => store.ready() });
      const answer = await fetch(`${gateway.url}/readyz`);
      expect([answer.status, await answer.json()]).toMatchObject([status, { database: true, media: status === 200 }]);
      expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    }
  });

  test('are listed and removed together', async () => {
    const assets = open(prefix());
    const ids = await Promise.all([1, 2, 3].map(async (seed) => (await assets.put(bytesOf(100, seed), about)).id));
    expect((await Array.fromAsync(assets.list())).map(({ id, size }) => `${id} ${size}`).toSorted()).toEqual(
      ids.map((id) => `${id} 100`).toSorted(),
    );
    await assets.delete(ids);
    expect([await Array.fromAsync(assets.list()), await assets.missing(ids)]).toEqual([[], new Set(ids)]);
  });

  test('take no more room on this machine than they may, and a damaged file there is fetched again', async () => {
    const cache = folder();
    const assets = open(prefix(), { cache: { folder: cache, maxBytes: 25_000 } });
    const ids: AssetId[] = [];
    for (const seed of [2, 3, 5, 7, 11, 13]) ids.push((await assets.put(bytesOf(10_000, seed), about)).id);
    const filesIn = (): string[] =>
      ids.map((id) => join(cache, id.slice(7, 9), id.slice(7))).filter((path) => existsSync(path));
    expect(filesIn().length).toBeLessThanOrEqual(2);
    for (const id of ids) expect(assetId((await assets.get(id)) ?? new Uint8Array())).toBe(id);
    expect(filesIn().length).toBeLessThanOrEqual(2);
    const [kept = ''] = filesIn();
    writeFileSync(kept, bytesOf(10_000, 17));
    const again = open(`s3://media/p${prefixes}`, { cache: { folder: cache } });
    const id: AssetId = `sha256:${kept.split('/').at(-1)}`;
    expect(assetId((await again.get(id, { from: 0 })) ?? new Uint8Array())).toBe(id);
    expect(readdirSync(join(cache, 'writing'))).toEqual([]);
  });

  test('whose way is cut in the middle are gone on with at the next byte', async () => {
    const bucket = prefix();
    const bytes = bytesOf(3_000_000, 3);
    const { id } = await open(bucket).put(bytes, about);
    const way = await cutWay(server.endpoint, 1_000_000);
    const assets = open(bucket, { endpoint: way.endpoint });
    expect(assetId((await assets.get(id)) ?? new Uint8Array())).toBe(id);
    expect(way.ranges.filter((range) => range !== undefined).length).toBeGreaterThan(0);
    await way.close();
  });

  test('sessions in PostgreSQL name them, collect what nobody needs, and put again what went under their hands', async () => {
    const [postgres, bucket] = [await startPostgres(), prefix()];
    try {
      const url = await postgres.newDatabase();
      const log = postgresLog({ url });
      await using store = sessionsOver({
        log,
        assets: open(bucket, { missing: (ids) => log.claims.missing(ids) }),
        leaseMs: 20,
      });
      const other = postgresLog({ url });
      await using collector = sessionsOver({ log: other, assets: open(bucket), leaseMs: 20 });
      const session = await store.create({ title: 'Many pictures' });
      const over = new AbortController();
      const collecting = (async () => {
        while (!over.signal.aborted) await collector.gc();
      })();
      const named: AssetId[] = [];
      for (let seed = 1; seed <= 15; seed++) {
        const asset = await store.assets.put(Buffer.concat([png(seed), bytesOf(seed)]), { mediaType: 'image/png' });
        await new Promise((resolve) => setTimeout(resolve, seed % 3 === 0 ? 30 : 0));
        if (seed % 5 === 0) continue; // put and never named
        await session.append({ type: 'message', message: user('Look.', image(asset)) });
        named.push(asset.id);
      }
      over.abort();
      await collecting;
      await session.close();
      const far = open(bucket);
      const collected = async (): Promise<number> => {
        await collector.gc();
        return (await Array.fromAsync(far.list())).length;
      };
      await expect.poll(collected).toBe(named.length); // counted by the list: gc counts what it saw when it began
      for (const id of named) expect(await far.verify(id)).toBe('whole');
      await collector.remove(session.id);
      await expect.poll(collected).toBe(0);

      const home = newFolder();
      writeFileSync(join(home, 'config.toml'), `[store]\nsessions = "${url}"\nassets = "${bucket}"\ncache = "1 MiB"\n`);
      const env = { SIGHTLINE_HOME: home, AWS_ENDPOINT_URL_S3: server.endpoint, AWS_ACCESS_KEY_ID: server.keys.id };
      const sightline = (secret: string, ...words: string[]): Promise<Ran> =>
        run(['sessions', ...words, '--json'], { cwd: home, env: { ...env, AWS_SECRET_ACCESS_KEY: secret } });
      const data = Buffer.from(png(9)).toString('base64');
      const said = { role: 'user', content: [{ type: 'image', data }] };
      writeFileSync(join(home, 'talk.json'), JSON.stringify({ messages: [said] }));
      const refused = await sightline('wrong', 'gc');
      expect([refused.code, refused.stdout]).toEqual([
        1,
        expect.stringContaining('The secret of access key TESTKEY is wrong'),
      ]);
      expect(JSON.parse((await sightline(server.keys.secret, 'import', 'talk.json')).stdout)).toMatchObject({
        media: 1,
      });
      expect(await Array.fromAsync(far.list())).not.toEqual([]);
    } finally {
      postgres.close();
    }
  });

  test('what is wrong is a sentence', async () => {
    const hour = 60 * 60 * 1000;
    const rows: [Partial<S3Options>, RegExp][] = [
      [
        { keys: server.stranger },
        /^The access key OTHERKEY has not the rights it needs in bucket "media" on 127\.0\.0\.1:\d+\. Give it s3:GetObject/,
      ],
      [
        { keys: { ...server.keys, secret: 'wrong' } },
        /^The secret of access key TESTKEY is wrong for 127.*Set AWS_SECRET_ACCESS_KEY\.$/,
      ],
      [{ keys: { id: 'NOBODY', secret: 'x' } }, /^The access key NOBODY is not known at 127.*Set AWS_ACCESS_KEY_ID/],
      [
        { now: () => Date.now() + hour },
        /^The clock of this machine and that of 127\.0\.0\.1:\d+ are 60 minutes apart, and at most 15 minutes are allowed\. Set the clock/,
      ],
      [{ bucket: 's3://not-there' }, /^There is no bucket "not-there" on 127.* Make it, or name another one/],
    ];
    for (const [wrong, words] of rows) {
      const assets = open(prefix(), wrong);
      await expect(assets.put(bytesOf(10), about)).rejects.toThrow(words);
      await expect(assets.get(assetId(bytesOf(11)))).rejects.toThrow(words);
      // whether a bucket is missing or an object in it, a server does not say without a body
      if (wrong.bucket === undefined) await expect(assets.missing([assetId(bytesOf(12))])).rejects.toThrow(words);
      await expect(Array.fromAsync(assets.list())).rejects.toThrow(words);
    }
    expect(() => open('s3://')).toThrow(/it looks like s3:\/\/bucket\/prefix/);
  });
});

test('a bucket without keys, and a server that is no address, are refused before anything is sent', () => {
  expect(() => s3PlaceOf('s3://media', {})).toThrow(/Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
  expect(() => s3PlaceOf('s3://media', { keys: { id: 'a', secret: 'b' }, endpoint: 'ftp://x' })).toThrow(
    /AWS_ENDPOINT_URL_S3/,
  );
});
