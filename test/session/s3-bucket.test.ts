// The way to a bucket, where things break.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { assetId } from '../../src/asset/hash.ts';
import { openBucket } from '../../src/session/s3-bucket.ts';
import { s3PlaceOf } from '../../src/session/s3-place.ts';

afterEach(() => void vi.useRealTimers());

test('an upload that took its time and broke is tried again like every other', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let tries = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (++tries > 1) return void response.end();
      vi.advanceTimersByTime(60_000); // on a slow line
      request.socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bucket = openBucket(s3PlaceOf('s3://media', { endpoint, keys: { id: 'id', secret: 'secret' } }));
  const bytes = new Uint8Array(100_000);
  expect(await bucket.upload(assetId(bytes).slice(7), bytes.length, async function* () { yield bytes; }, false)).toBe('stored'); // prettier-ignore
  expect(tries).toBe(2);
  server.close();
});
