// Sessions that are closed while a request is under way: its record says so, and nobody is warned.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import type { Send } from '../../src/model/send-options.ts';
import { openSessions } from '../../src/session/store.ts';

test('a request that is under way when its sessions close is told as one, and no recorder is said to have failed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sightline-closed-'));
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    const store = openSessions({ home });
    const session = await store.create();
    const [left, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const scripted = scriptedSend(script([{ text: 'Done.' }]));
    const slow: Send = async function* (...given) {
      left.resolve();
      await gate.promise;
      yield* scripted(...given);
    };
    const run = runAgent({ model: 'openai/gpt-5.2', session, prompt: 'Go.', send: slow });
    const over = run.result().catch(() => undefined);
    await left.promise;
    await store.close();
    gate.resolve();
    await over;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(warned).not.toHaveBeenCalled();
    await using again = openSessions({ home, readOnly: true });
    const [row] = (await again.requests?.list(session.id)) ?? [];
    expect(row?.ended).toMatchObject({
      state: 'broken',
      error: { message: expect.stringContaining('closed before it ended') },
    });
  } finally {
    warned.mockRestore();
    rmSync(home, { recursive: true, force: true });
  }
});
