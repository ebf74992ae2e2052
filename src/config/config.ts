// The only reader of settings: files and environment in, one plain record out. The library reads none of this unless
// asked. A project's `sightline.toml` goes over the user's `config.toml`; the environment goes over both.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { errorCode } from './system.ts';
import { isRecord } from '../content/json.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Environment } from './environment.ts';
import { isEndpoint } from '../window/catalog.ts';
import { homeFolder } from './home.ts';
import { mcpTable } from './mcp.ts';
import type { McpServer } from './mcp.ts';
import { modelTable } from './models.ts';
import type { ModelSettings } from './models.ts';
import { serveTable } from './serve.ts';
import type { ServeSettings } from './serve.ts';
import { mergeTools, toolTable } from './tools.ts';
import type { ToolSettings } from './tools.ts';
import { storeTable } from './store.ts';
import type { StoreSettings } from './store.ts';
import { requestTable } from './requests.ts';
import type { RequestSettings } from './requests.ts';
import { uploadTable } from './uploads.ts';
import type { UploadSettings } from './uploads.ts';
import { imageTable, limitTable, windowTable } from './window.ts';
import type { ImageSettings, WindowSettings } from './window.ts';
import { webTable } from './web.ts';
import type { WebSettings } from './web.ts';
import { onlyKnown, withLine, wrong } from './wrong.ts';

export type { ModelSettings } from './models.ts';

export type Settings = {
  model?: string;
  /** The model that describes pictures for those that cannot see. */
  eyes?: string;
  models: Record<string, ModelSettings>;
  mcp: Record<string, McpServer>;
  tools: Record<string, ToolSettings>;
  window: WindowSettings;
  images: ImageSettings;
  requests: RequestSettings;
  store: StoreSettings;
  uploads: UploadSettings;
  limits: Record<string, number>;
  serve: Partial<ServeSettings>;
  web: WebSettings;
};

/** Where nobody has set anything. */
export function noSettings(): Settings {
  return {
    models: {},
    mcp: {},
    tools: {},
    window: {},
    images: {},
    requests: {},
    store: {},
    uploads: {},
    limits: {},
    serve: {},
    web: {},
  };
}

/** Reads the settings that hold in a folder, `chosen` in place of the home's `config.toml`. A file that cannot be understood is an error that names it and the line. */
export function readSettings(
  environment: Environment = process.env,
  folder: string = process.cwd(),
  chosen?: string,
): Settings {
  const settings = noSettings();
  for (const { file, text, table, own } of settingsFiles(environment, folder, chosen)) {
    try {
      take(table, file, settings, own ? { environment } : { project: folder });
    } catch (error) {
      throw withLine(error, file, text);
    }
  }
  const model = environment['SIGHTLINE_MODEL'] || settings.model;
  return { ...settings, ...(model !== undefined && { model }) };
}

type Whose = { environment: Environment; project?: undefined } | { environment?: undefined; project: string };

const sections = [
  'model',
  'eyes',
  'models',
  'mcp',
  'tools',
  'window',
  'images',
  'requests',
  'store',
  'uploads',
  'limits',
  'serve',
  'web',
];

/** One file over those before it. What may cost the user keys or pictures is hers alone to say. */
function take(table: Record<string, unknown>, file: string, settings: Settings, whose: Whose): void {
  const own = whose.project === undefined;
  onlyKnown(table, sections, file);
  const { model } = table;
  if (model !== undefined && typeof model !== 'string') throw wrong(file, 'model', 'a string');
  if (model !== undefined) settings.model = model;
  Object.assign(settings.models, modelTable(table['models'], file, whose.environment));
  settings.mcp = mcpTable(table['mcp'], file, whose.project, settings.mcp);
  settings.tools = mergeTools(settings.tools, toolTable(table['tools'], file, own));
  const { budget, ...window } = windowTable(table['window'], file);
  Object.assign(settings.window, window, budget && { budget: { ...settings.window.budget, ...budget } });
  const { never, ...images } = imageTable(table['images'], file);
  Object.assign(settings.images, images, never || settings.images.never ? { never: true } : {});
  const { eyes } = table;
  if (eyes !== undefined && typeof eyes !== 'string')
    throw wrong(file, 'eyes', 'a model, such as "gemini/gemini-2.5-flash"');
  if (own && eyes !== undefined) settings.eyes = eyes;
  for (const mine of ['limits', 'requests', 'store', 'uploads', 'eyes', 'web'])
    if (!own && table[mine] !== undefined) throw wrong(file, mine, 'in config.toml of your home, not in a project');
  Object.assign(settings.requests, requestTable(table['requests'], file));
  Object.assign(settings.store, storeTable(table['store'], file));
  Object.assign(settings.uploads, uploadTable(table['uploads'], file));
  Object.assign(settings.web, webTable(table['web'], file));
  Object.assign(settings.limits, limitTable(table['limits'], file));
  if (!own && table['serve'] !== undefined) throw wrong(file, 'serve', 'in config.toml of your home, not in a project');
  Object.assign(settings.serve, serveTable(table['serve'], file));
}

type SettingsFile = { file: string; text: string; table: Record<string, unknown>; own: boolean; mode: number };

/** The files there are, the user's first. A file that somebody has chosen stands for that of the home, and must be there. */
export function settingsFiles(
  environment: Environment = process.env,
  folder: string = process.cwd(),
  chosen?: string,
): SettingsFile[] {
  const files = [
    { file: chosen ?? join(homeFolder(environment), 'config.toml'), own: true },
    { file: join(folder, 'sightline.toml'), own: false },
  ];
  return files.flatMap(({ file, own }) => {
    const text = textOf(file);
    if (text === undefined && file === chosen)
      throw new SightlineError('config', `There is no file ${file}. Check the path.`);
    return text === undefined ? [] : [{ file, own, text, table: tableIn(text, file), mode: statSync(file).mode }];
  });
}

/** A name of the user's own, another model on the same server (`NAME/model`), or `endpoint/model` as it stands. */
export function modelNamed(name: string, settings: Pick<Settings, 'models'>): ModelSettings {
  const own = Object.hasOwn(settings.models, name) ? settings.models[name] : undefined;
  return own ?? onServer(name, settings) ?? { model: name, sight: {}, options: {}, overrides: {} };
}

/** What is said about one model of a server holds for the server, but for what only that model can. */
function onServer(name: string, { models }: Pick<Settings, 'models'>): ModelSettings | undefined {
  const slash = name.indexOf('/');
  const server = name.slice(0, Math.max(slash, 0));
  const row = Object.hasOwn(models, server) && !isEndpoint(server) ? models[server] : undefined;
  if (row?.baseUrl === undefined || slash === name.length - 1) return undefined;
  const endpoint = row.model.slice(0, row.model.indexOf('/'));
  const { dialect } = row.overrides;
  return { ...row, model: `${endpoint}/${name.slice(slash + 1)}`, overrides: dialect ? { dialect } : {} };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw new SightlineError('config', `${file} cannot be read. Give yourself the right to read it.`, { cause: error });
  }
}

function tableIn(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    const line = isRecord(error) && typeof error['line'] === 'number' ? `:${error['line']}` : '';
    throw new SightlineError(
      'config',
      `${file}${line} is not valid TOML: ${why.replace(/^Invalid TOML document: /, '').replace(/\.?$/, '.')} Correct it there.`,
      { cause: error },
    );
  }
}
