// `sightline serve`: the gateway, until it is told to stop or the client that it was started for ends. Words for the person
// and one line of JSON a request go to stderr.
import { watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readSettings } from '../../config/config.ts';
import { homeFolder } from '../../config/home.ts';
import type { Settings } from '../../config/config.ts';
import { behindLinks } from '../../config/write.ts';
import { SightlineError } from '../../content/refusal.ts';
import { openGateway } from '../../gateway/index.ts';
import type { Gateway, GatewayOptions } from '../../gateway/index.ts';
import { memorySessions, openSessions, unwritable } from '../../session/store.ts';
import type { SessionStore } from '../../session/store.ts';
import { done } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { ownPlace } from '../kept.ts';
import { chooseModel, choiceOf, eyesFor, keyedModel } from '../model.ts';
import { hide, knownSecrets } from '../../config/secrets.ts';
import { sightPolicy } from '../../window/sight-policy.ts';
import { styled, tell } from '../terminal.ts';
import { gatewayClients } from './clients.ts';
import type { GatewayClient } from './clients.ts';
import { isInstalled, startClient } from './start-client.ts';
import { makeFolder } from '../../config/make-folder.ts';

type ServeFlags = {
  models: readonly string[];
  port?: number;
  host?: string;
  /** Open the inspector as well. */
  inspect?: true;
  /** Settings in place of those of the home. */
  config?: string;
  /** The client to start, and what it is told besides. */
  client?: GatewayClient;
  args?: readonly string[];
};

/** The name under which clients find the model of the settings or of `-m`. */
const standing = 'default';

/** What anybody on this machine may send as a key. */
const anyKey = 'sightline';

/** Runs until it is told to stop. */
export async function serveGateway(flags: ServeFlags): Promise<ExitCode> {
  const { models, port, host, config, inspect, client, args = [] } = flags;
  if (client && !isInstalled(client))
    throw new SightlineError(
      'config',
      `${client.title} is not installed here: there is no program ${client.program}. Install it, or start another client.`,
    );
  const settingsNow = (): Settings => readSettings(undefined, undefined, config);
  const settings = settingsNow();
  const home = homeFolder();
  const found = models.length > 0 ? models : await usualModel(settings);
  const everything = client && models.length > 0;
  const place = { ...(host !== undefined && { host }), port: port ?? (client ? 0 : settings.serve.port) };
  const options = (now: Settings): GatewayOptions => ({
    ...optionsOf(now, found, everything === true),
    ...(place.host !== undefined && { host: place.host }),
    ...(place.port !== undefined && { port: place.port }),
  });
  await using kept = openKeeping(home, settings);
  const log = client ? {} : { log: (line: string) => tell(line) };
  await using gateway = await openGateway({ ...options(settings), ...kept.options, ...log });
  await using page = inspect ? await openedInspector(kept.sessions) : undefined;
  const at = { url: gateway.url, key: anyKey, model: standing };
  if (page) tell('Inspector: ', page.url);
  if (client) return await startClient(client, at, args); // the gateway lives until then
  // Before anybody is told that it listens: a change or a signal that follows at once is heard.
  const stopWatching = reloading(config ?? join(home, 'config.toml'), gateway, () => options(settingsNow()));
  stopOnSignals(gateway);
  tell('Listening on ', styled('bold', gateway.url));
  if (found) tell(`Unknown model names are answered by ${found.join(', else ')}.`);
  for (const [name, { unset }] of Object.entries(settings.models))
    if (unset !== undefined)
      tell(styled('yellow', `${name} cannot be asked: ${unset}, which holds its key, is not set.`));
  tellClients(at);
  await gateway.ended;
  stopWatching();
  return done;
}

/** The model for unknown names, unless the settings say. */
async function usualModel({ model, models, serve }: Settings): Promise<string[] | undefined> {
  if (serve.default !== undefined) return undefined;
  const own = Object.keys({ ...models, ...serve.routes });
  return own.length > 0 && model === undefined && keyedModel() === undefined ? undefined : chooseModel(true);
}

function optionsOf(settings: Settings, found: readonly string[] | undefined, everything: boolean): GatewayOptions {
  const { serve, models } = settings;
  const own = Object.keys(models).map(
    (name) => [name, { ...choiceOf(name, settings), ...eyesFor([name], settings) }] as const,
  );
  return {
    ...serve,
    ...sightPolicy(settings.window),
    ...eyesFor([], settings),
    picturesStay: settings.images.never === true,
    models: Object.fromEntries(own),
    routes: { ...serve.routes, ...(found && { [standing]: found }), ...(everything && { '*': [standing] }) },
    ...(found ? { default: standing } : serve.default === undefined ? {} : { default: serve.default }),
  };
}

/** Where conversations and requests are kept; a home that cannot be written is told, and memory is all there is. */
function openKeeping(
  home: string,
  settings: Settings,
): { options: GatewayOptions; sessions: SessionStore; [Symbol.asyncDispose]: () => Promise<void> } {
  const { serve, requests } = settings;
  const place = ownPlace(settings);
  const why = 'url' in place ? undefined : unwritable(home);
  const record = requests.record ?? (serve.keys && Object.keys(serve.keys).length > 0 ? 'shape' : 'all');
  const how = { ...requests, record, secrets: knownSecrets };
  if (why !== undefined) tell(`Nothing is kept beyond this run: ${why}. SIGHTLINE_HOME names another folder.`);
  else if (!('url' in place)) makeFolder(home, 0o700);
  const sessions = why === undefined ? openSessions({ ...place, requests: how }) : memorySessions({ requests: how });
  const { recorder } = sessions;
  const database = 'url' in place ? place.url : join(home, 'sessions.db');
  return {
    options: {
      ...(why === undefined && { database }),
      ...(recorder && { recorder }),
      mediaReady: () => sessions.ready(),
    },
    sessions,
    [Symbol.asyncDispose]: () => sessions.close(),
  };
}

/** The inspector of what this gateway records, on a listener of its own. */
async function openedInspector(sessions: SessionStore): Promise<{ url: string } & AsyncDisposable> {
  const { openInspector } = await import('../../inspect/open.ts');
  const { url, close } = await openInspector({ store: () => sessions, hide });
  return { url, [Symbol.asyncDispose]: () => close(0) };
}

/** The lines to paste for each client that is found here. */
function tellClients(at: { url: string; key: string; model: string }): void {
  for (const client of gatewayClients.filter(isInstalled)) {
    tell('');
    tell(styled('bold', client.title), ` (or: sightline serve ${client.name})`);
    for (const line of client.paste(at)) tell(`  ${line}`);
  }
}

/** Takes the settings anew when their file changes, or on SIGHUP; what means nothing is told and changes nothing. */
function reloading(file: string, gateway: Gateway, options: () => GatewayOptions): () => void {
  const reload = (): void => {
    try {
      gateway.reload(options());
      tell(styled('dim', 'The settings were read again.'));
    } catch (error) {
      tell(styled('red', 'The settings stay as they were: '), error instanceof Error ? error.message : String(error));
    }
  };
  let soon: NodeJS.Timeout | undefined;
  process.on('SIGHUP', reload);
  const places = new Set([resolve(file), behindLinks(resolve(file))]);
  const watchers = Array.from(places, (place) =>
    watched(dirname(place), (_event, name) => {
      if (name !== basename(place)) return;
      clearTimeout(soon);
      soon = setTimeout(reload, 100);
    }),
  );
  return () => {
    clearTimeout(soon);
    for (const watcher of watchers) watcher?.close();
    process.off('SIGHUP', reload);
  };
}

/** A system that cannot watch is no reason to stop: SIGHUP still works. */
function watched(
  home: string,
  changed: (event: string, name: string | null) => void,
): { close: () => void } | undefined {
  try {
    return watch(home, changed);
  } catch {
    return undefined;
  }
}

function stopOnSignals(gateway: Gateway): void {
  let told = 0;
  const stop = (): void => {
    told++;
    if (told === 1) tell('Ending when the answers under way are complete. Stop again to end at once.');
    void gateway.close(told === 1 ? undefined : 0);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop); // an interrupt no longer ends the program at once
}
