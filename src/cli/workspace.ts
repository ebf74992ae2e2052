// What `ask` and `chat` work with: the sessions of the home, the tools (shipped, executable, of MCP servers), and what
// each model needs. Everything is opened once and closed together.
import { readSettings } from '../config/config.ts';
import type { AgentOptions, ModelChoice } from '../agent/run.ts';
import type { CallBlock } from '../content/block.ts';
import { SightlineError } from '../content/refusal.ts';
import { openSessions } from '../session/index.ts';
import type { Session, SessionStore } from '../session/index.ts';
import type { Tool } from '../tool/tool.ts';
import { homeFolder, isTrusted } from '../toolbox/executable/place.ts';
import { executableTools } from '../toolbox/executable/tools.ts';
import { shippedTools } from '../toolbox/shipped.ts';
import type { ShippedTools } from '../toolbox/shipped.ts';
import { choiceOf } from './model.ts';
import type { Span } from './terminal.ts';

export type Workspace = {
  sessions: SessionStore;
  tools: readonly Tool[];
  /** Whether a person is asked before this call: tools that only look are trusted. */
  asksFirst: (call: CallBlock) => boolean;
  /** What a run with these models needs besides what is said. */
  agent: (models: readonly string[]) => Omit<AgentOptions, 'prompt' | 'messages' | 'session' | 'signal' | 'approve'>;
  /** A new session, the newest (`last`), or one by the beginning of its id. */
  session: (id: string | undefined, model: string | undefined) => Promise<Session>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

export type WorkspaceOptions = {
  /** `none`, `all`, `look` for those that only look, or names. */
  tools: string;
  /** Words for the person about what is not as it should be. */
  notify: (...spans: Span[]) => void;
};

const system =
  'You help a person at a terminal. Look at files and pages with the tools before you speak about them; ' +
  'pictures and documents that tools return are shown to you. Be brief and exact, and say what you could not see.';

export async function openWorkspace({ tools: wanted, notify }: WorkspaceOptions): Promise<Workspace> {
  const settings = readSettings();
  const home = homeFolder();
  const folder = process.cwd();
  const sessions = openSessions({ home });
  const looks = new Set<string>();
  const offered: Tool[] = [];
  let shipped: ShippedTools | undefined;
  let servers: { tools: Tool[]; close: () => Promise<void> } | undefined;
  if (wanted !== 'none') {
    shipped = shippedTools({ roots: [folder] });
    const isOff = (name: string): boolean => settings.tools[name]?.enabled === false;
    for (const { tool, group, reach } of shipped.list) {
      if (isOff(tool.name) || isOff(group)) continue;
      if (reach === 'reads') looks.add(tool.name);
      offered.push(tool);
    }
    const own = await executableTools({ home, project: folder, settings: settings.tools });
    for (const { state, name, why } of own.states) {
      if (state !== 'ready' && state !== 'off' && why !== undefined) notify(`${name}: ${why}`);
    }
    offered.push(...own.tools);
    if (Object.keys(settings.mcp).length > 0) {
      const { connectServers } = await import('../mcp/client.ts');
      const connected = await connectServers(settings.mcp, {
        trusts: (project) => isTrusted(home, project),
        roots: [folder],
      });
      for (const { name, problem } of connected.states) if (problem !== undefined) notify(`${name}: ${problem}`);
      servers = connected;
      offered.push(...connected.tools);
    }
  }
  const tools = chosen(offered, wanted, looks);
  return {
    sessions,
    tools,
    asksFirst: ({ name }) => !looks.has(name),
    agent: (models) => {
      const model = models.map((name): ModelChoice => choiceOf(name));
      return { ...settings.window, model, tools, system, roots: [folder] };
    },
    session: (id, model) => sessionOf(sessions, id, model),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([servers?.close(), shipped?.close()]);
      await sessions.close();
    },
  };
}

function chosen(tools: readonly Tool[], wanted: string, looks: ReadonlySet<string>): readonly Tool[] {
  if (wanted === 'none') return [];
  if (wanted === 'all') return tools;
  if (wanted === 'look') return tools.filter(({ name }) => looks.has(name));
  const names = wanted.split(',').map((name) => name.trim());
  const stray = names.find((name) => !tools.some((tool) => tool.name === name));
  if (stray !== undefined) {
    const known = tools.map(({ name }) => name).join(', ');
    throw new SightlineError('input', `There is no tool "${stray}". There are: none, all, look, ${known}.`);
  }
  return tools.filter(({ name }) => names.includes(name));
}

async function sessionOf(store: SessionStore, id: string | undefined, model: string | undefined): Promise<Session> {
  if (id === undefined) return await store.create(model === undefined ? {} : { model });
  if (id !== 'last') return await store.open(await store.resolve(id));
  const [newest] = await store.list();
  if (!newest) throw new SightlineError('input', 'There is no conversation yet. Ask something first.');
  return await store.open(newest.id);
}
