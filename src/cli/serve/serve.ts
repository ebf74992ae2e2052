// `sightline serve`: the gateway, until it is interrupted. Words for the person go to stderr.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolder, readSettings } from '../../config/config.ts';
import { unwritable } from '../../session/store.ts';
import { openGateway } from '../../gateway/index.ts';
import { done } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { chooseModel, choiceOf } from '../model.ts';
import { styled, tell } from '../terminal.ts';

type ServeFlags = { models: readonly string[]; port?: number; host?: string };

/** Runs until it is told to stop. */
export async function serveGateway({ models: asked, ...place }: ServeFlags): Promise<ExitCode> {
  const settings = readSettings();
  const { serve } = settings;
  const usual = asked.length > 0 ? asked : serve.default === undefined ? await chooseModel(true) : undefined;
  const own = Object.keys(settings.models).map((name) => [name, choiceOf(name)] as const);
  await using gateway = await openGateway({
    ...serve,
    ...place,
    models: Object.fromEntries(own),
    ...keptIn(homeFolder()),
    routes: { ...serve.routes, ...(usual && { [standing]: usual }) },
    ...(usual && { default: standing }),
  });
  tell('Listening on ', styled('bold', gateway.url));
  if (usual) tell(`Names that nobody knows are answered by ${usual.join(', else ')}.`);
  const stop = (): void => void gateway.close();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  await gateway.ended;
  return done;
}

/** The name under which clients find the model that was named last. */
const standing = 'default';

/** Where conversations and media are kept; a home that cannot be written is told, and memory is all there is. */
function keptIn(home: string): { database?: string } {
  const why = unwritable(home);
  if (why === undefined) {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    return { database: join(home, 'sessions.db') };
  }
  tell(`Nothing is kept beyond this run: ${why}. SIGHTLINE_HOME names another folder.`);
  return {};
}
