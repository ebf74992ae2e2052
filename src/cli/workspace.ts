// What `ask` and `chat` work with: the sessions of the home, the tools (shipped, executable, of MCP servers), and what
// each model needs. Tools are looked for when they are first wanted, and executables again when their files change;
// everything is closed together.
import { join } from 'node:path';
import type { ModelChoice, StepChange } from '../agent/options.ts';
import { readSettings } from '../config/config.ts';
import { homeFolder } from '../config/home.ts';
import type { Settings } from '../config/config.ts';
import type { McpServer } from '../config/mcp.ts';
import { knownSecrets } from '../config/secrets.ts';
import { nearest } from '../config/wrong.ts';
import { canonicalJson } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Servers } from '../mcp/client.ts';
import type { Session } from '../session/session.ts';
import { memorySessions } from '../session/store.ts';
import type { SessionStore } from '../session/store.ts';
import { unwritable } from '../session/store.ts';
import type { Tool } from '../tool/tool.ts';
import type { Rights } from '../tui/approval.ts';
import type { Agent } from '../tui/open-chat.ts';
import { ownSessions } from './kept.ts';
import { ownLimits } from './limits.ts';
import { choiceOf, eyesFor } from './model.ts';
import { keptHosts, rightsIn } from './rights.ts';
import { uploadsOf } from './uploads.ts';

type Workspace = {
  sessions: SessionStore;
  /** Whether what is said will be there the next time. */
  keeps: boolean;
  /** What was allowed; tools that only look always are. */
  rights: Rights;
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
  /** Hosts on this machine that the web tools may reach. */
  allowHosts?: readonly string[] | undefined;
  /** Whether media go into the person's files at the provider; as the settings say unless set. */
  uploads?: boolean | undefined;
  /** Words for the person about what is not as it should be. */
  notify: (text: string) => void;
  /** How far an upload is. */
  onUpload?: (words: string) => void;
};

const none: readonly Tool[] = [];

/** Which folder it is, the model need not know; that there is one, and how to look into it, it must. */
const system =
  'You help a person at a terminal. Paths begin at their working folder; list_files and search_files find what is ' +
  'there. Look at files and pages with the tools before you speak about them; ' +
  'pictures and documents that tools return are shown to you. Be brief and exact, and say what you could not see.';

export async function openWorkspace({
  tools: wanted,
  session,
  notify,
  allowHosts = [],
  uploads,
  onUpload,
}: WorkspaceOptions): Promise<Workspace> {
  const settings = readSettings();
  const home = homeFolder();
  const { sessions, keeps } = sessionsOf(home, session, settings, notify);
  const uploading = (uploads ?? settings.uploads.on ?? false) && !settings.images.never;
  const ending = new AbortController();
  const tell = (text: string): void => void (ending.signal.aborted || notify(text));
  let finding: Promise<FoundTools> | undefined;
  let known: Pick<FoundTools, 'looks' | 'web'> = { looks: new Set(), web: new Set() };
  const folder = process.cwd();
  const hosts = [...(settings.web.hosts ?? []), ...allowHosts, ...keptHosts(folder)];
  const tools = async (): Promise<FoundTools['tools']> => {
    if (wanted === 'none') return () => none;
    const found = await (finding ??= findTools(home, settings, wanted, tell, hosts, ending.signal));
    known = found;
    return found.tools;
  };
  return {
    sessions,
    keeps,
    rights: rightsIn(folder, hosts, () => known),
    agent: async (models) => {
      const model: ModelChoice[] = [];
      for (const name of models) {
        const choice = choiceOf(name);
        model.push(uploading ? { ...choice, uploads: await uploadsOf(choice, sessions, settings, onUpload) } : choice);
      }
      const now = await tools();
      const first = now();
      const beforeStep = (): StepChange | undefined => (now() === first ? undefined : { tools: now() });
      return {
        ...settings.window,
        ...eyesFor(models),
        model,
        tools: first,
        beforeStep,
        system,
        roots: [process.cwd()],
      };
    },
    session: (model) => sessionOf(sessions, session, model),
    [Symbol.asyncDispose]: async () => {
      ending.abort(); // whoever leaves waits for no tool that does not answer
      await finding?.then(({ close }) => close()).catch(() => undefined); // it never came to be
      await sessions.close();
    },
  };
}

/** A new conversation works without a home, too, and says so; one that is to go on needs it. */
function sessionsOf(
  home: string,
  wanted: string | undefined,
  { requests, store }: Settings,
  notify: (text: string) => void,
): { sessions: SessionStore; keeps: boolean } {
  const why = wanted === undefined && store.sessions === undefined ? unwritable(home) : undefined;
  if (why === undefined)
    return { sessions: ownSessions({ requests: { ...requests, secrets: knownSecrets } }), keeps: true };
  notify(`Nothing of this conversation will be kept: ${why}. SIGHTLINE_HOME names another folder.`);
  return { sessions: memorySessions(), keeps: false };
}

/** `tools` gives those that there are at the moment; the same list as long as nothing changed. */
type FoundTools = {
  tools: () => readonly Tool[];
  looks: ReadonlySet<string>;
  /** Those that open addresses. */
  web: ReadonlySet<string>;
  close: () => Promise<void>;
};

async function findTools(
  home: string,
  settings: Settings,
  wanted: string,
  notify: (text: string) => void,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<FoundTools> {
  const folder = process.cwd();
  const { shippedTools, switchedOn } = await import('../toolbox/shipped.ts');
  const { executableTools, watchExecutables } = await import('../toolbox/executable/tools.ts');
  const shipped = shippedTools({ roots: [folder], limits: ownLimits(), urls: { hosts } });
  const on = switchedOn(shipped.list, settings.tools);
  // Whoever looks at the screen sees more than this conversation is about.
  const looks = new Set(
    on.filter(({ reach, group }) => reach === 'reads' && group !== 'screen').map(({ tool }) => tool.name),
  );
  const shippedNames = new Set(on.map(({ tool }) => tool.name));
  // A server that none of the wanted tools can be of is not started, nor waited for.
  const isOfServer = (name: string): boolean => !shippedNames.has(name);
  const asksServers = wanted === 'all' || (wanted !== 'look' && namesIn(wanted).some(isOfServer));
  const servers = await serverTools(home, asksServers ? settings.mcp : {}, notify, signal);
  const told = new Set<string>();
  const once = (text: string): void => {
    if (!told.has(text)) notify(text);
    told.add(text);
  };
  const options = { home, project: folder, settings: settings.tools, signal };
  const all = async (): Promise<Tool[]> => {
    const own = await executableTools(options);
    for (const { state, name, why, next } of own.states)
      if (state !== 'ready' && state !== 'off' && why !== undefined)
        once(next === undefined ? `${name}: ${why}` : `${name}: ${why.replace(/\.$/, '')}. ${next}`);
    const tools = new Map(on.map(({ tool }) => [tool.name, tool]));
    for (const tool of [...own.tools, ...(await servers.tools())]) {
      if (tools.has(tool.name)) once(`${tool.name}: another tool has this name; the first one is used`);
      else tools.set(tool.name, tool);
    }
    return [...tools.values()];
  };
  const every = await all();
  let tools = chosen(every, wanted, looks);
  if (wanted === 'look') tellOff(every, shippedNames, Object.keys(settings.mcp), notify);
  const again = async (): Promise<void> => {
    const next = stillChosen(await all(), wanted, looks);
    const change = changeOf(tools, next);
    if (change === '') return;
    tools = next;
    notify(`Tools changed: ${change}. The next request offers what there is now.`);
  };
  let reload = Promise.resolve();
  const watcher = watched(notify, () =>
    watchExecutables(options, () => {
      reload = reload
        .then(again)
        .catch((error: unknown) => notify(`Tools were not looked for again: ${String(error)}`));
    }),
  );
  return {
    tools: () => tools,
    looks,
    web: new Set(on.filter(({ group }) => group === 'web' || group === 'browser').map(({ tool }) => tool.name)),
    close: async () => {
      watcher?.close();
      await reload;
      await Promise.all([servers.close(), shipped.close()]);
    },
  };
}

/** That there are tools of the person's own, where only those that look were asked for. */
function tellOff(
  tools: readonly Tool[],
  shipped: ReadonlySet<string>,
  servers: readonly string[],
  notify: (text: string) => void,
): void {
  const executables = tools.map(({ name }) => name).filter((name) => !shipped.has(name));
  const own = [...executables, ...servers.map((name) => `[mcp.${name}]`)];
  if (own.length === 0) return;
  const names = own.length > 3 ? `${own.slice(0, 3).join(', ')} and ${own.length - 3} more` : own.join(', ');
  const single = executables[0] === undefined ? '' : `, --tools ${executables[0]} one of them`;
  notify(`Your own tools are off here (${names}): --tools all turns them on${single}.`);
}

/** A system that cannot watch is no reason to stop. */
function watched<Watcher>(notify: (text: string) => void, start: () => Watcher): Watcher | undefined {
  try {
    return start();
  } catch (error) {
    notify(
      `New tools will not be noticed before the next start: ${error instanceof Error ? error.message : 'unknown'}`,
    );
    return undefined;
  }
}

/** What came, went or changed for a model, in a few words. */
function changeOf(before: readonly Tool[], after: readonly Tool[]): string {
  const [old, now] = [specsOf(before), specsOf(after)];
  const added = [...now.keys()].filter((name) => !old.has(name));
  const gone = [...old.keys()].filter((name) => !now.has(name));
  const other = [...now].filter(([name, spec]) => old.has(name) && old.get(name) !== spec).map(([name]) => name);
  const rows = [added, gone, other].map((names, at) => [names, ['added', 'gone', 'rewritten'][at]] as const);
  return rows.flatMap(([names, word]) => (names.length === 0 ? [] : [`${names.join(', ')} ${word}`])).join('; ');
}

function specsOf(tools: readonly Tool[]): Map<string, string> {
  return new Map(
    tools.map(({ name, description, inputSchema }) => [name, canonicalJson({ description, inputSchema })]),
  );
}

/** The servers of the settings. Those of a project that is trusted only later start when the tools are asked for again. */
async function serverTools(
  home: string,
  mcp: Settings['mcp'],
  notify: (text: string) => void,
  signal: AbortSignal,
): Promise<{ tools: () => Promise<Tool[]>; close: () => Promise<void> }> {
  if (Object.keys(mcp).length === 0) return { tools: async () => [], close: async () => undefined };
  const { connectServers } = await import('../mcp/client.ts');
  const { isTrusted } = await import('../toolbox/executable/place.ts');
  const trusts = (project: string): boolean => isTrusted(home, project);
  const options = { trusts, roots: [process.cwd()], logins: join(home, 'mcp'), signal };
  const isWaiting = ({ project }: McpServer): boolean => project !== undefined && !trusts(project);
  const connect = async (servers: Settings['mcp']): Promise<Servers> => {
    const connected = await connectServers(servers, options);
    for (const { name, problem } of connected.states) if (problem !== undefined) notify(`${name}: ${problem}`);
    return connected;
  };
  let waiting = Object.entries(mcp).filter(([, server]) => isWaiting(server));
  const started = [await connect(mcp)];
  return {
    tools: async () => {
      const ready = waiting.filter(([, server]) => !isWaiting(server));
      waiting = waiting.filter(([, server]) => isWaiting(server));
      if (ready.length > 0) started.push(await connect(Object.fromEntries(ready)));
      return started.flatMap(({ tools }) => tools);
    },
    close: async () => void (await Promise.all(started.map((servers) => servers.close()))),
  };
}

function stillChosen(tools: readonly Tool[], wanted: string, looks: ReadonlySet<string>): readonly Tool[] {
  if (wanted === 'all') return tools;
  if (wanted === 'look') return tools.filter(({ name }) => looks.has(name));
  const names = namesIn(wanted);
  return tools.filter(({ name }) => names.includes(name));
}

function namesIn(wanted: string): string[] {
  return wanted.split(',').map((name) => name.trim());
}

/** The same, and a name that nobody has is told. */
function chosen(tools: readonly Tool[], wanted: string, looks: ReadonlySet<string>): readonly Tool[] {
  if (wanted === 'all' || wanted === 'look') return stillChosen(tools, wanted, looks);
  const known = ['none', 'all', 'look', ...tools.map(({ name }) => name)];
  const stray = namesIn(wanted).find((name) => !tools.some((tool) => tool.name === name));
  if (stray === undefined) return stillChosen(tools, wanted, looks);
  const meant = nearest(stray, known);
  const next = meant === undefined ? `There are: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new SightlineError('input', `There is no tool "${stray}". ${next}`);
}

async function sessionOf(store: SessionStore, id: string | undefined, model: string | undefined): Promise<Session> {
  if (id === undefined) return await store.create(model === undefined ? {} : { model });
  return await store.open(await store.resolve(id));
}
