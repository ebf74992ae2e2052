// Tables that are made from what the code exports: the catalog, the environment, the shipped tools.
import type { MediaKind } from '../../src/content/block.ts';
import { shippedTools } from '../../src/toolbox/shipped.ts';
import { carriersAt, endpoints, families, placeVariables } from '../../src/window/catalog.ts';
import { capabilitiesOf, profileFor } from '../../src/window/profile.ts';
import type { Profile } from '../../src/window/profile.ts';
import type { Carried, Carrier, Carriers, Placement } from '../../src/window/rules.ts';

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const models = [
  'anthropic/claude-sonnet-5',
  'openai/gpt-5.2',
  'openai-chat/gpt-4.1',
  'azure/my-deployment',
  'azure-chat/my-deployment',
  'gemini/gemini-3-pro-preview',
  'gemini/gemini-2.5-pro',
  'ollama/qwen3-vl',
  'ollama/llava',
  'ollama/llama3.1',
  'compatible/some-model',
];

const placed: Record<Placement, string> = {
  inside: 'inside the result',
  after: 'after the results',
  words: 'as words',
};

/** Where a medium goes; a PDF that cannot go as itself goes as page pictures where the model sees, else as text. */
function whereTo(profile: Profile, kind: MediaKind): string {
  const { result } = profile.media[kind];
  if (kind !== 'document' || result !== 'words') return placed[result];
  const image = profile.media.image.result;
  return image === 'words' ? 'as its text' : `page pictures, ${placed[image]}`;
}

export function placementTable(): string {
  const rows = models.map((model) => {
    const profile = profileFor(model);
    return [
      `\`${model}\``,
      ...(['image', 'document', 'audio', 'video'] as const).map((kind) => whereTo(profile, kind)),
    ];
  });
  return table(['model', 'picture', 'PDF', 'audio', 'video'], rows);
}

export function endpointTable(): string {
  const rows = Object.entries(endpoints).map(([name, row]) => {
    const assumed = row.assume === undefined ? '' : `, planned as ${row.assume} unless you say otherwise`;
    return [`\`${name}/…\``, `${row.wire}${assumed}`];
  });
  return table(['prefix', 'wire'], rows);
}

const mark = (on: boolean): string => (on ? 'yes' : 'no');

export function capabilityTable(): string {
  const rows = models.map((model) => {
    const profile = profileFor(model);
    const { vision, nativePdf, thinking, audioInput, videoInput, toolMedia } = capabilitiesOf(profile);
    const cells = [vision, toolMedia, nativePdf, audioInput, videoInput, thinking].map(mark);
    return [`\`${model}\``, ...cells, profile.contextTokens.toLocaleString('en-US')];
  });
  return table(['model', 'sees', 'media in results', 'PDF', 'audio', 'video', 'thinks', 'window'], rows);
}

const code = (names: readonly string[] = []): string => names.map((name) => `\`${name}\``).join(', ');

/** The variables of each endpoint; endpoints with the same ones share a row. */
export function variableTable(): string {
  const rows = new Map<string, { names: string[]; cells: string[] }>();
  for (const [name, { env }] of Object.entries(endpoints)) {
    const { key, token, baseUrl = [], listen = [], apiVersion = [], places } = env;
    const told = places ? Object.values(placeVariables[places]).flat() : [];
    if (name === 'google') continue; // another name of Gemini
    const cells = [code(key), code(token), code([...baseUrl, ...listen, ...apiVersion, ...told])];
    if (cells.every((cell) => cell === '')) continue;
    const same = rows.get(cells.join()) ?? { names: [], cells };
    rows.set(cells.join(), { ...same, names: [...same.names, name] });
  }
  const lines = [...rows.values()].map(({ names, cells }) => [code(names), ...cells]);
  return table(['endpoint', 'key', 'bearer token', 'address, version'], lines);
}

const mediaNames = { image: 'pictures', document: 'PDFs', audio: 'sound', video: 'films' } as const;
const mediaKinds = Object.keys(mediaNames) as MediaKind[];

function shownWhere({ result, hosts }: Carried): string {
  const place = result === 'inside' ? 'in results and in messages' : 'in messages, those of results after them';
  return hosts === undefined ? place : `${place}, from ${hosts.join(' and ')} alone`;
}

/** `pictures, PDFs in results and in messages`: the kinds that one way shows, those at the same places together. */
function shownBy(carrier: Exclude<Carrier, 'inline'>, at: (kind: MediaKind) => Carriers): string {
  const places = new Map<string, string[]>();
  for (const kind of mediaKinds) {
    const carried = at(kind)[carrier];
    if (!carried) continue;
    const where = shownWhere(carried);
    places.set(where, [...(places.get(where) ?? []), mediaNames[kind]]);
  }
  return [...places].map(([where, names]) => `${names.join(', ')} ${where}`).join('; ') || '–';
}

/** Endpoints, and families of models, that show media by an address or by the id of a file. */
export function referenceTable(): string {
  const rows = new Map<string, string[]>();
  const add = (name: string, at: (kind: MediaKind) => Carriers): void => {
    const cells = [shownBy('url', at), shownBy('file', at)];
    if (cells.every((cell) => cell === '–')) return;
    rows.set(cells.join('|'), [...(rows.get(cells.join('|')) ?? []), name]);
  };
  for (const name of Object.keys(endpoints)) {
    if (name !== 'google') add(`\`${name}\``, (kind) => carriersAt(name, kind)); // another name of Gemini
  }
  for (const { name, limits = {} } of families) add(`\`${name}\``, (kind) => limits[kind]?.carriers ?? {});
  const lines = [...rows].map(([cells, names]) => [names.join(', '), ...cells.split('|')]);
  return table(['endpoint', 'by address', 'by file id'], lines);
}

/** Every shipped tool, with the arguments it must have first. */
export function toolTable(): string {
  const rows = shippedTools({ roots: [] }).list.map(({ tool, group, reach }) => {
    const required = (tool.inputSchema['required'] ?? []) as string[];
    const names = Object.keys(tool.inputSchema['properties'] ?? {});
    const optional = names.filter((name) => !required.includes(name));
    const given = [...required.map((name) => `**${name}**`), ...optional].join(', ');
    return [`\`${tool.name}\``, group, reach, given, tool.description.replaceAll('|', '\\|')];
  });
  return table(['tool', 'group', 'what it does to the world', 'arguments', 'what the model is told'], rows);
}
