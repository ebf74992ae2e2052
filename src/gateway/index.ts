// `sightline/gateway`: any client, any model, media intact. One listener; a client speaks its own dialect and names a
// model, and whoever serves that model answers.
import { sharedAssets } from '../asset/memory.ts';
import { packageVersion } from '../config/package.ts';
import { SightlineError } from '../content/refusal.ts';
import { isThisMachine, reachableName } from '../model/guard.ts';
import { systemClock } from '../model/http/clock.ts';
import { openServer } from '../model/listen.ts';
import { redact } from '../model/redact.ts';
import { openKept } from './kept.ts';
import { openGatewayMemory } from './memory.ts';
import { openRooms } from './house.ts';
import type { House } from './house.ts';
import { openReport } from './report.ts';
import { openRests } from './rests.ts';
import { openPace, openPurse } from './spend.ts';
import { openCrowdTurns } from './fair-turns.ts';
import { openUploads } from './uploads.ts';
import { serveRequest } from './serve.ts';
import { settingsOf } from './settings.ts';
import { checkTargets } from './targets.ts';
import type { GatewayOptions, GatewaySettings } from './settings.ts';

export type { KeySettings, ServeSettings } from '../config/serve.ts';
export type { GatewayOptions, TargetModel } from './settings.ts';

/** A gateway that runs. */
export type Gateway = {
  /** Such as `http://127.0.0.1:4141`, without a path. */
  url: string;
  ended: Promise<void>;
  /** Other routes, keys and models from now on; requests under way keep theirs. Throws for what means nothing. */
  reload: (options: GatewayOptions) => void;
  /** Answers under way have 30 seconds, or so many milliseconds. */
  close: (grace?: number) => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/**
 * Opens a gateway. Throws when its port is taken, or when it would stand open to the network.
 *
 * @example
 * await using gateway = await openGateway({ routes: { house: ['anthropic/claude-sonnet-5'] } });
 * const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none' });
 */
export async function openGateway(options: GatewayOptions = {}): Promise<Gateway> {
  let settings = settingsOf(options);
  const { host, port } = settings;
  checkKeys(settings);
  checkTargets(settings);
  const { clock = systemClock, recorder, database, log } = options;
  const stop = new AbortController();
  let closing = false;
  const report = openReport(log);
  const storeFails = (error: unknown): void => {
    const why = redact(error instanceof Error ? error.message : String(error));
    const warning = `The database fails: ${why}. Answers go on; what it keeps of conversations and of what keys spend may be lost.`;
    report.warn(new Date(clock.now()).toISOString(), warning);
  };
  const shared = database?.startsWith('postgres')
    ? (await import('./shared.ts')).openShared(database, clock.now)
    : undefined;
  const file = shared ? undefined : database;
  const kept = shared?.kept ?? (file === undefined ? undefined : openKept(file));
  const house: House = {
    settings: () => settings,
    roomOf: openRooms(options.assets ?? sharedAssets(), kept?.descriptions),
    memory: openGatewayMemory(kept, clock.now, storeFails),
    recorder,
    mediaReady: options.mediaReady ?? (() => Promise.resolve()),
    clock,
    version: packageVersion(),
    closing: () => closing,
    stopping: stop.signal,
    report,
    purse: shared?.purse ?? openPurse(file, clock.now),
    storeFails,
    pace: openPace(clock.now, shared?.count),
    uploads: openUploads(settings.uploadsMib * 1024 * 1024),
    turns: openCrowdTurns(),
    rests: openRests(clock.now),
  };
  const closeStores = async (): Promise<void> => {
    await house.purse.close();
    await house.memory.close();
  };
  const listening = await openServer({ host, port }, (incoming, outgoing) =>
    serveRequest(incoming, outgoing, house),
  ).catch(async (error: unknown) => {
    await closeStores();
    throw error;
  });
  let ending: Promise<void> | undefined;
  let late: NodeJS.Timeout | undefined;
  let over = false;
  const close = (grace = graceMs): Promise<void> => {
    closing = true;
    clearTimeout(late);
    if (!over) late = setTimeout(() => stop.abort(), grace);
    ending ??= listening.close(grace + lastWordMs).then(async () => {
      over = true;
      clearTimeout(late);
      await closeStores();
    });
    return ending;
  };
  return {
    url: `http://${reachableName(host)}:${listening.port}`,
    ended: listening.ended,
    reload(next) {
      const read = settingsOf({ ...next, host, port });
      checkKeys(read);
      checkTargets(read);
      settings = read;
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

/** How long answers under way have when it is closed, and then to say that they were cut short. */
const graceMs = 30_000;
const lastWordMs = 1000;

function checkKeys({ host, keys }: GatewaySettings): void {
  if (isThisMachine(host) || Object.keys(keys).length > 0) return;
  const next = 'Make one with "sightline serve key NAME", or listen on 127.0.0.1.';
  throw new SightlineError('config', `A gateway on ${host} needs keys. ${next}`);
}
