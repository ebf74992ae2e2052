// Where descriptions of pictures are kept, so that none is made twice: not by two processes, and not after a restart.
import type { Fact } from '../window/rendition.ts';

/** What models that see have said of pictures. */
export type DescriptionTable = {
  find: (key: string) => Promise<string | undefined>;
  /** True for whoever shall make it. A claim that nothing came of lapses by itself after a minute. */
  claim: (key: string) => Promise<boolean>;
  keep: (key: string, text: string) => Promise<void>;
  /** Nothing came of a claim: the next who asks may try. */
  free: (key: string) => Promise<void>;
};

const pollMs = 50;

/** The description that is kept, or the one that is made now by whoever claims it first; nothing when another has not made it in time. */
export async function describedOnce(
  table: DescriptionTable,
  key: string,
  patienceMs: number,
  make: () => Promise<Fact>,
  signal?: AbortSignal,
): Promise<Fact | undefined> {
  for (let waited = 0; waited <= patienceMs; waited += pollMs) {
    signal?.throwIfAborted();
    const text = await table.find(key);
    if (text !== undefined) return { ok: true, value: [{ type: 'text', text }] };
    if (await table.claim(key)) return await made(table, key, make);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return undefined;
}

async function made(table: DescriptionTable, key: string, make: () => Promise<Fact>): Promise<Fact> {
  const fact = await make().catch(async (error: unknown) => {
    await table.free(key);
    throw error;
  });
  const said = fact.ok ? fact.value.find((block) => block.type === 'text') : undefined;
  await (said?.type === 'text' ? table.keep(key, said.text) : table.free(key));
  return fact;
}
