// `sightline sessions move`: from where sessions are to another home or database, and back.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { homeFolder } from '../../config/home.ts';
import { countOf, grouped } from '../../content/figures.ts';
import { memoryAssets } from '../../content/memory-assets.ts';
import { SightlineError } from '../../content/refusal.ts';
import { thisHolder } from '../../session/log/holder.ts';
import { memoryLog } from '../../session/log/memory.ts';
import { noTables } from '../../session/log/postgres-pool.ts';
import { moveSessions } from '../../session/move.ts';
import type { MovedSession, SessionPlace } from '../../session/move.ts';
import { openPlace } from '../../session/store.ts';
import type { SessionsOptions } from '../../session/store.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed } from '../exit.ts';
import { ownPlace } from '../kept.ts';
import { asRefused, refused } from '../refusal.ts';
import { say, sayJson, styled, tell, visibleLine } from '../terminal.ts';
import type { Flags } from './home.ts';
import { looking } from './home.ts';

export type MoveFlags = Flags & { to: string; assets?: string; dryRun?: true; remove?: true };

/** 0 when all that was to go is there. */
export async function moveCommand(ids: readonly string[], flags: MoveFlags): Promise<ExitCode> {
  const wanted: string[] = [];
  const code = await looking(flags, async (store) => {
    for (const id of ids) wanted.push(await store.resolve(id));
    return done;
  });
  if (code !== done) return code;
  try {
    const { dryRun = false, remove = false } = flags;
    const [own, target] = [ownPlace(), targetOf(flags)];
    if (placeText(own) === placeText(target))
      throw new SightlineError('input', 'Sessions are there already. --to names another home or database.');
    await using from = dryRun || !remove ? await lookedAt(own) : placed(own);
    await using to = dryRun ? await lookedAt(target) : placed(target);
    await to.log.list({ limit: 1 }); // what keeps all of them from going is told once
    const options = { from, to, dryRun, remove, holder: thisHolder() };
    const moved: MovedSession[] = [];
    for await (const one of moveSessions({ ...options, ...(ids.length > 0 && { ids: wanted }) })) {
      moved.push(one);
      if (!flags.json)
        say(styled(one.state === 'refused' ? 'yellow' : 'dim', one.id), `  ${visibleLine(lineOf(one, dryRun))}`);
    }
    if (flags.json) sayJson(moved);
    else tellEnd(moved, flags);
    return moved.some(({ state }) => state === 'refused') ? failed : done;
  } catch (error) {
    return refused(asRefused(error), flags.json);
  }
}

function targetOf({ to, assets }: MoveFlags): SessionsOptions {
  if (/^postgres(ql)?:\/\//.test(to)) return { url: to, ...(assets !== undefined && { assets }) };
  if (assets !== undefined)
    throw new SightlineError('input', '--assets goes with a database: --to postgres://name@host/database.');
  if (/^[a-z][a-z\d+.-]+:/i.test(to) && !existsSync(to))
    // of one letter, it is a drive
    throw new SightlineError(
      'input',
      `${to} is no place for sessions. Give postgres://name@host/database, or a folder.`,
    );
  return { home: resolve(to) };
}

function placeText(options: SessionsOptions): string {
  return 'url' in options ? options.url : resolve(options.home);
}

function placed(options: SessionsOptions): ReturnType<typeof openPlace> & AsyncDisposable {
  const place = openPlace(options);
  return { ...place, [Symbol.asyncDispose]: () => place.log.close() };
}

/** A place that is not made yet is empty. */
async function lookedAt(target: SessionsOptions): Promise<SessionPlace & AsyncDisposable> {
  const nothing = { log: memoryLog(), assets: memoryAssets(), [Symbol.asyncDispose]: async () => undefined };
  if ('home' in target && !existsSync(join(target.home, 'sessions.db'))) return nothing;
  const place = placed({ ...target, readOnly: true });
  try {
    await place.log.list({ limit: 1 });
    return place;
  } catch (error) {
    await place[Symbol.asyncDispose]();
    if (error instanceof SightlineError && error.cause === noTables) return nothing;
    throw error;
  }
}

function lineOf({ title = '', state, entries, media, lost, why }: MovedSession, dryRun: boolean): string {
  if (why !== undefined) return why;
  const words = { moved: dryRun ? 'would be moved' : 'moved', there: 'is there already', refused: '' }[state];
  const losses = lost === 0 ? '' : `, ${grouped(lost)} were lost before`;
  return `${words}  ${countOf(entries, 'entry', 'entries')}, ${countOf(media, 'medium', 'media')}${losses}  ${title}`;
}

function tellEnd(moved: readonly MovedSession[], { to, assets, dryRun, remove }: MoveFlags): void {
  if (moved.length === 0) return tell(`There are no sessions in ${homeFolder()}, so there is nothing to move.`);
  const left = moved.filter(({ state }) => state === 'refused').length;
  const there = moved.length - left;
  if (dryRun) return tell(`${grouped(there)} of ${grouped(moved.length)} sessions can be moved. Nothing was written.`);
  tell(`${grouped(there)} of ${grouped(moved.length)} sessions are there, each compared entry by entry.`);
  if (left > 0) return tell('Mend what is named above and run the same command again: what is there is skipped.');
  const bucket = assets === undefined ? [] : [`assets = "${assets}"`];
  const lines = ['[store]', `sessions = "${to.replace(/:[^:@/]*@/, '@')}"`, ...bucket];
  if (to.startsWith('postgres')) tell(`To use them, write into config.toml of your home:\n  ${lines.join('\n  ')}`);
  else if (resolve(to) === resolve(homeFolder())) tell('To use them, take [store] out of config.toml of your home.');
  else tell(`To use them, set SIGHTLINE_HOME=${resolve(to)}.`);
  if (!remove) tell('They are still here, too; --remove takes away what was moved.');
}
