// Reads one file after the other for whoever started it, and ends with it.
import { createReadStream } from 'node:fs';
import { fileAssets } from '../../asset/files.ts';
import { newHash } from '../../asset/hash.ts';
import { read } from '../../media/read.ts';
import { sourceOf } from '../source.ts';
import type { BulkAnswer, BulkAsk } from './bulk.ts';

async function hashOfFile(path: string): Promise<string | undefined> {
  const hash = newHash();
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
    return `sha256:${hash.digest('hex')}`;
  } catch {
    return undefined; // reading it says why
  }
}

async function answer({ path, assets, reading }: BulkAsk): Promise<BulkAnswer> {
  const hash = await hashOfFile(path);
  const result = await read(sourceOf(path), { ...reading, assets: fileAssets(assets) });
  return { ...(hash !== undefined && { hash }), ...(result.ok ? { ok: true, ...result.value } : result) };
}

process.on('disconnect', () => process.exit()); // oxlint-disable-line no-process-exit
process.on('message', (ask: BulkAsk) => {
  answer(ask).then(
    (found) => process.send?.(found),
    () => process.exit(1), // whoever started it says so; oxlint-disable-line no-process-exit
  );
});
