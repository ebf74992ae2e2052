// `sightline sessions fork`, `gc` and `rm`.
import { byteText, grouped } from '../../content/figures.ts';
import type { ExitCode } from '../exit.ts';
import { done } from '../exit.ts';
import { say, sayJson, tell } from '../terminal.ts';
import type { Flags } from './home.ts';
import { changing } from './home.ts';

export function forkCommand(id: string, entry: number | undefined, flags: Flags): Promise<ExitCode> {
  return changing(flags, async (store) => {
    const from = await store.resolve(id);
    const { id: forked } = await store.fork(from, entry);
    if (flags.json) sayJson({ id: forked, from });
    else say(forked);
    return done;
  });
}

const day = 24 * 60 * 60 * 1000;

export function gcCommand(flags: Flags & { olderThan?: number }): Promise<ExitCode> {
  return changing(flags, async (store) => {
    const { olderThan } = flags;
    const old =
      olderThan === undefined
        ? []
        : (await store.list()).filter(({ updated }) => updated < Date.now() - olderThan * day);
    for (const { id } of old) await store.remove(id);
    const collected = await store.gc();
    const { removed, bytes, left, leftBytes } = collected;
    if (flags.json) sayJson({ sessions: old.length, ...collected });
    else {
      if (old.length > 0) say(`${grouped(old.length)} sessions removed.`);
      say(`${grouped(removed)} media removed, ${byteText(bytes)}; ${grouped(left)} left, ${byteText(leftBytes)}.`);
    }
    return done;
  });
}

export function removeCommand(ids: readonly string[], flags: Flags): Promise<ExitCode> {
  return changing(flags, async (store) => {
    const found = await Promise.all(ids.map((id) => store.resolve(id))); // all of them, or none is removed
    for (const id of new Set(found)) await store.remove(id);
    if (flags.json) sayJson({ removed: found });
    else tell(`Removed ${found.join(', ')}. Media that nobody needs any more go with "sightline sessions gc".`);
    return done;
  });
}
