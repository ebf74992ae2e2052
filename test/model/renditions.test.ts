// What a plan had made of an asset is remembered with the store, so that no turn makes it again.
import { expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/asset/store.ts';
import { document } from '../../src/content/input.ts';
import { prepare } from '../../src/model/prepare.ts';
import { pdfSaying } from '../media/make.ts';

/** A store that counts what is put into it. */
function counting(): { assets: AssetStore; puts: string[] } {
  const inner = memoryAssets();
  const puts: string[] = [];
  const put: AssetStore['put'] = (bytes, about) => {
    puts.push(about.mediaType);
    return inner.put(bytes, about);
  };
  return { assets: { ...inner, put }, puts };
}

test('pages are drawn once for a conversation that is prepared again, and anew for another store', async () => {
  const messages = [{ role: 'user' as const, content: [document(pdfSaying('one', 'two'), { name: 'a.pdf' })] }];
  const [first, second] = [counting(), counting()];
  const pages = async ({ assets }: { assets: AssetStore }): Promise<string> =>
    JSON.stringify(await (await prepare({ messages }, { model: 'azure-chat/x', assets })).json());
  const body = await pages(first);
  expect(first.puts).toEqual(['application/pdf', 'image/png', 'image/png']);
  expect(await pages(first)).toBe(body);
  expect(first.puts).toHaveLength(3);
  expect(await pages(second)).toBe(body);
  expect(second.puts).toHaveLength(3);
});
