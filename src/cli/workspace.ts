// What `ask` and `chat` work with: the sessions of the home, the tools (shipped, executable, of MCP servers), and what
// each model needs. Tools are looked for when they are first wanted; everything is closed together.
import { join } from 'node:path';
import type { ModelChoice } from '../agent/run.ts';
import { homeFolder, readSettings } from '../config/config.ts';
import type { Settings } from '../config/config.ts';
import { nearest } from '../config/wrong.ts';
import type { CallBlock } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Session } from '../session/session.ts';
import { memorySessions, openSessions } from '../session/store.ts';
import type { SessionStore } from '../session/store.ts';
import { unwritable } from '../session/store.ts';
import type { Tool } from '../tool/tool.ts';
import type { Agent } from '../tui/controller.ts';
import { ownLimits } from './limits.ts';
import { choiceOf } from './model.ts';

type Workspace = {
  sessions: SessionStore;
  /** Whether what is said will be there the next time. */
  keeps: boolean;
  /** Whether a person is asked before this call: tools that only look are trusted. */
  asksFirst: (call: CallBlock) => boolean;
  /** What a run with these models needs besides what is said. Waits for the tools. */
  agent: (models: readonly string[]) => Promise<Agent>;
  /** The session that is wanted, or a new one. */
  session: (model: string | undefined) => Promise<Session>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

type WorkspaceOptions = {
  /** `none`, `all`, `look` for those that only look, or names. */
  tools: string;
  /** The session to go on with: the newest (`last`), or one by the beginning of its id. */
  session?: string | undefined;
  /** Words for the person about what is not as it should be. */
  notify: (text: string) => void;
};

const system =
  'You help a person at a terminal. Look at files and pages with the tools before you speak about them; ' +
  'pictures and documents that tools return are shown to you. Be brief and exact, and say what you could not see.';

export async function openWorkspace({ tools: wanted, session, notify }: WorkspaceOptions): Promise<Workspace> {
  const settings = readSettings();
  const home = homeFolder();
  const { sessions, keeps } = sessionsOf(home, session, notify);
  let finding: Promise<Found> | undefined;
  let looks: ReadonlySet<string> = new Set();
  const tools = async (): Promise<readonly Tool[]> => {
    if (wanted === 'none') return [];
    const found = await (finding ??= findTools(home, settings, notify));
    looks = found.looks;
    return chosen(found.tools, wanted, looks);
  };
  return {
    sessions,
    keeps,
    asksFirst: ({ name }) => !looks.has(name),
    agent: async (models) => {
      const model = models.map((name): ModelChoice => choiceOf(name));
      return { ...settings.window, model, tools: await tools(), system, roots: [process.cwd()] };
    },
    session: (model) => sessionOf(sessions, session, model),
    [Symbol.asyncDispose]: async () => {
      await finding?.then(({ close }) => close()).catch(() => undefined); // it never came to be
      await sessions.close();
    },
  };
}

/** A new conversation works without a home, too, and says so; one that is to go on needs it. */
function sessionsOf(
  home: string,
  wanted: string | undefined,
  notify: (text: string) => void,
): { sessions: SessionStore; keeps: boolean } {
  const why = wanted === undefined ? unwritable(home) : undefined;
  if (why === undefined) return { sessions: openSessions({ home }), keeps: true };
  notify(`Nothing of this conversation will be kept: ${why}. SIGHTLINE_HOME names another folder.`);
  return { sessions: memorySessions(), keeps: false };
}

type Found = { tools: Tool[]; looks: ReadonlySet<string>; close: () => Promise<void> };

async function findTools(home: string, settings: Settings, notify: (text: string) => void): Promise<Found> {
  const folder = process.cwd();
  const { shippedTools } = await import('../toolbox/shipped.ts');
  const { executableTools } = await import('../toolbox/executable/tools.ts');
  const shipped = shippedTools({ roots: [folder], limits: ownLimits() });
  const isOff = (name: string): boolean => settings.tools[name]?.enabled === false;
  const on = shipped.list.filter(({ tool, group }) => !isOff(tool.name) && !isOff(group));
  const own = await executableTools({ home, project: folder, settings: settings.tools });
  for (const { state, name, why } of own.states)
    if (state !== 'ready' && state !== 'off' && why !== undefined) notify(`${name}: ${why}`);
  const servers = await serverTools(home, settings, notify);
  const tools = new Map(on.map(({ tool }) => [tool.name, tool]));
  for (const tool of [...own.tools, ...servers.tools]) {
    if (tools.has(tool.name)) notify(`${tool.name}: another tool has this name; the first one is used`);
    else tools.set(tool.name, tool);
  }
  return {
    tools: [...tools.values()],
    // Whoever looks at the screen sees more than this conversation is about.
    looks: new Set(
      on.filter(({ reach, group }) => reach === 'reads' && group !== 'screen').map(({ tool }) => tool.name),
    ),
    close: async () => void (await Promise.all([servers.close(), shipped.close()])),
  };
}

async function serverTools(
  home: string,
  { mcp }: Settings,
  notify: (text: string) => void,
): Promise<{ tools: Tool[]; close: () => Promise<void> }> {
  if (Object.keys(mcp).length === 0) return { tools: [], close: async () => undefined };
  const { connectServers } = await import('../mcp/client.ts');
  const { isTrusted } = await import('../toolbox/executable/place.ts');
  const connected = await connectServers(mcp, {
    trusts: (project) => isTrusted(home, project),
    roots: [process.cwd()],
    logins: join(home, 'mcp'),
  });
  for (const { name, problem } of connected.states) if (problem !== undefined) notify(`${name}: ${problem}`);
  return connected;
}

function chosen(tools: readonly Tool[], wanted: string, looks: ReadonlySet<string>): readonly Tool[] {
  if (wanted === 'all') return tools;
  if (wanted === 'look') return tools.filter(({ name }) => looks.has(name));
  const names = wanted.split(',').map((name) => name.trim());
  const known = ['none', 'all', 'look', ...tools.map(({ name }) => name)];
  const stray = names.find((name) => !tools.some((tool) => tool.name === name));
  if (stray === undefined) return tools.filter(({ name }) => names.includes(name));
  const meant = nearest(stray, known);
  const next = meant === undefined ? `There are: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new SightlineError('input', `There is no tool "${stray}". ${next}`);
}

async function sessionOf(store: SessionStore, id: string | undefined, model: string | undefined): Promise<Session> {
  if (id === undefined) return await store.create(model === undefined ? {} : { model });
  return await store.open(await store.resolve(id));
}
