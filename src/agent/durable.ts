// What makes a run survive its process: work that an engine may have done before, calls that are open when a run goes on, and
// keys by which both know what was done.
import type { AssetStore } from '../asset/store.ts';
import type { Asset, CallBlock } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import { interruptedCall } from '../content/words.ts';
import type { AssistantMessage, Message } from '../message/message.ts';
import type { EntryId } from '../session/entry.ts';
import { messagesIn } from '../session/entry.ts';
import { begunKey, callKey } from '../session/open-calls.ts';
import type { Session } from '../session/session.ts';
import type { RunOptions } from '../tool/invoke.ts';

/** Work that an engine does once: when a run is played again, it gives back what came out of it the first time. */
export type StepHook = <Value>(name: string, work: () => Promise<Value>) => Promise<Value>;

/** A run as its steps know it; without an engine it has no name, and nothing of it is played again. */
export type Played = { name?: string; step: StepHook };

type Kept<Value> = { value: Value } | { asset: Asset };

/** What an engine is given to keep, at most. */
const maxKept = 64 * 1024;

/** Steps whose values are small, whatever tools return: what is larger lies in the asset store. */
export function smallSteps(hook: StepHook | undefined, assets: AssetStore): StepHook {
  if (!hook) return async (_name, work) => await work();
  return async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    const kept = await hook(name, async (): Promise<Kept<Value>> => {
      const json = JSON.stringify({ value: await work() });
      if (json.length <= maxKept) return JSON.parse(json) as { value: Value };
      return { asset: await assets.put(new TextEncoder().encode(json), { mediaType: 'application/json' }) };
    });
    if (!('asset' in kept)) return kept.value;
    const bytes = await assets.get(kept.asset.id);
    if (!bytes)
      throw new SightlineError(
        'storage',
        `What the step "${name}" gave is gone: asset ${kept.asset.id}. Ask again in a fork of the session.`,
      );
    return (JSON.parse(new TextDecoder().decode(bytes)) as { value: Value }).value;
  };
}

/** The conversation as it was when the run began for the first time, and the name under which it is played. */
export async function beginPlayed(
  step: StepHook,
  session: Session | undefined,
): Promise<{ name: string; messages: Message[] }> {
  if (!session)
    throw new SightlineError('input', 'A run with "step" needs a session: it holds what was done. Give one.');
  const newest = async (): Promise<EntryId> => (await session.entries({ newest: 1 }))[0]?.id ?? 0;
  const { name, before } = await step('prompt', async () => ({ name: crypto.randomUUID(), before: await newest() }));
  return { name, messages: messagesIn(await session.entries({ types: ['message'], before: before + 1 })) };
}

/** What tools know a call by, and what keeps one that must not happen twice from it. */
export function onceEach(
  session: Session | undefined,
  message: AssistantMessage,
  entry: EntryId | undefined,
): Pick<RunOptions, 'keyOf' | 'begins'> {
  if (!session || entry === undefined) return {};
  const keyOf = (call: CallBlock): string => callKey(session.id, entry, message, call);
  return {
    keyOf,
    begins: async (call, { effect = 'once' }) =>
      effect !== 'once' || (await session.once(begunKey(keyOf(call)))) ? undefined : interruptedCall,
  };
}
