// `sightline models`: what can be reached from here, by key or on this machine, and what each model can take.
import { readSettings } from '../../config/config.ts';
import { homeFolder } from '../../config/home.ts';
import type { ModelSettings } from '../../config/config.ts';
import { accessOf } from '../../config/environment.ts';
import { refusalText } from '../../content/refusal.ts';
import { grouped } from '../../content/figures.ts';
import { discover } from '../../model/discover/discover.ts';
import { endpoints, isEndpoint } from '../../window/catalog.ts';
import type { EndpointName } from '../../window/catalog.ts';
import { capabilitiesOf, profileFor } from '../../window/profile.ts';
import type { Capabilities, ProfileOverrides } from '../../window/profile.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed, wrongUsage } from '../exit.ts';
import { tableLines } from '../table.ts';
import { say, sayJson, styled, tell } from '../terminal.ts';

type ListOptions = { endpoint?: string; refresh?: true; json?: true };

/** One line of the list. */
type Line = Capabilities & { model: string; contextTokens: number; default?: true };

type Absent = { endpoint: string; why: string };

export async function listModels({ endpoint, refresh, json }: ListOptions): Promise<ExitCode> {
  if (endpoint !== undefined && !isEndpoint(endpoint)) {
    tell(`error: unknown endpoint "${endpoint}"; one of ${Object.keys(endpoints).join(', ')}`);
    return wrongUsage;
  }
  const settings = readSettings();
  const names = endpoint === undefined ? reachable() : [endpoint];
  const options = { folder: homeFolder(), ...(refresh && { refresh }) };
  const asked = await Promise.all(names.map(async (name) => ({ name, found: await discover(name, options) })));
  const own = Object.entries(settings.models).map(([name, row]) => ownLine(name, row));
  const lines = asked.flatMap(({ name, found }) =>
    found.ok ? found.value.map(({ id, overrides }) => lineOf(`${name}/${id}`, overrides)) : [],
  );
  // A server that simply is not running is worth a word only to who asked for it.
  const absent = asked.flatMap(({ name, found }): Absent[] => {
    const silent = endpoint === undefined && endpoints[name].keyless === true && accessOf(name).baseUrl === undefined;
    return found.ok || silent ? [] : [{ endpoint: name, why: refusalText(found.refusal) }];
  });
  const all = [...(endpoint === undefined ? own : []), ...lines].map((line): Line => {
    return line.model === settings.model ? { ...line, default: true } : line;
  });
  if (json) sayJson({ models: all, absent });
  else show(all, absent);
  return all.length === 0 && endpoint !== undefined ? failed : done;
}

/** Endpoints with a key, and those that need none. Two names of one host are listed once. */
function reachable(): EndpointName[] {
  const twins = new Set(['google', 'openai-chat', 'azure-chat', 'compatible']);
  return Object.keys(endpoints)
    .filter(isEndpoint)
    .filter((name) => !twins.has(name))
    .filter((name) => endpoints[name].keyless === true || hasKey(name));
}

function hasKey(name: string): boolean {
  const { key, token } = accessOf(name);
  return key !== undefined || token !== undefined;
}

function ownLine(name: string, { model, overrides }: ModelSettings): Line {
  return { ...lineOf(model, overrides), model: name };
}

function lineOf(model: string, overrides: ProfileOverrides): Line {
  const profile = profileFor(model, overrides);
  return { model, ...capabilitiesOf(profile), contextTokens: profile.contextTokens };
}

const columns = [
  { title: 'model', keepsEnd: true },
  { title: 'sees' },
  { title: 'media in results', spare: 3 },
  { title: 'PDF', spare: 2 },
  { title: 'audio', spare: 5 },
  { title: 'thinks', spare: 4 },
  { title: 'window', right: true, spare: 1 },
];

function mark(on: boolean): string {
  return on ? 'yes' : '-';
}

function show(lines: readonly Line[], absent: readonly Absent[]): void {
  const rows = lines.map((line) => [
    line.default ? `${line.model} *` : line.model,
    mark(line.vision),
    mark(line.toolMedia),
    mark(line.nativePdf),
    mark(line.audioInput),
    mark(line.thinking),
    grouped(line.contextTokens),
  ]);
  if (rows.length > 0) for (const row of tableLines(columns, rows)) say(row);
  else tell('No model can be reached. Set a key, such as ANTHROPIC_API_KEY, or start Ollama.');
  if (lines.some((line) => line.default)) tell(styled('dim', '* the default'));
  for (const { endpoint, why } of absent) tell(styled('yellow', `${endpoint}: `), why);
}
