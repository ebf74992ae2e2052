// All tools that come with Sightline, with what each of them does to the world, so that whoever offers them can ask,
// allow or switch off by name or by group.
import type { AssetStore } from '../asset/store.ts';
import type { ToolSettings } from '../config/tools.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Limits } from '../media/index.ts';
import type { Holder } from '../tool/known-assets.ts';
import type { Tool } from '../tool/tool.ts';
import type { AssetToolOptions } from './assets/lookup.ts';
import { attachToResponseTool } from './assets/attach.ts';
import { listAssetsTool } from './assets/list.ts';
import { queryJsonTool } from './assets/json.ts';
import { readAssetTextTool } from './assets/text.ts';
import { viewAssetTool } from './assets/view.ts';
import type { BrowserOptions } from './browser/host.ts';
import { browserHost } from './browser/host.ts';
import { compareScreenshotsTool, screenshotPageTool } from './browser/page.ts';
import { sessionTools } from './browser/session.ts';
import { listFilesTool } from './files/list.ts';
import { searchFilesTool } from './files/search.ts';
import { readFileTool } from './read-file.ts';
import type { ScreenshotOptions } from './screen/screenshot.ts';
import { screenshotTool } from './screen/screenshot.ts';
import type { UrlRules } from '../media/remote/address.ts';
import { fetchUrlTool } from './web/fetch.ts';

/** What shipped tools are for. */
export type ToolGroup = 'read' | 'assets' | 'web' | 'browser' | 'screen';

/** What a tool does to the world: it looks at what is here, it asks others for something, or it changes something. */
export type Reach = 'reads' | 'reaches-out' | 'writes';

/** A shipped tool, and what is said about it. */
export type ShippedTool = { tool: Tool; group: ToolGroup; reach: Reach };

/** What the shipped tools may see, and which of them are wanted. */
export type ShippedOptions = {
  /** The folders that files may be read from. */
  roots: readonly string[];
  /** The messages so far: the asset tools see only what these refer to. Without it, what the run's own refer to. */
  conversation?: () => Iterable<Holder>;
  assets?: AssetStore;
  /** Where the web tools may go besides public https addresses. */
  urls?: UrlRules;
  browser?: Omit<BrowserOptions, 'urls'>;
  screen?: ScreenshotOptions;
  /** Ceilings for the files that are read. */
  limits?: Partial<Limits>;
  /** Names of tools or groups that are left out. */
  off?: readonly string[];
};

/** The shipped tools, ready to be called. */
export type ShippedTools = {
  list: ShippedTool[];
  /** The same without what is said about them. */
  tools: Tool[];
  /** Ends what the tools have started, such as a browser. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const groups: ReadonlySet<string> = new Set<ToolGroup>(['read', 'assets', 'web', 'browser', 'screen']);

/**
 * Makes the tools. Nothing is started or loaded before one of them is called.
 *
 * @example
 * await using shipped = shippedTools({ roots: ['.'], off: ['screen'] });
 * await runAgent({ model, tools: shipped.tools, prompt: 'What is in README.md?' });
 */
export function shippedTools(options: ShippedOptions): ShippedTools {
  const { roots, conversation, assets, urls = {}, off = [], screen = {}, limits } = options;
  const browser = { ...options.browser, urls };
  const host = browserHost(browser);
  const stored = assets && { assets };
  const all: ShippedTool[] = [
    { tool: readFileTool({ roots, ...stored, ...(limits && { limits }) }), group: 'read', reach: 'reads' },
    { tool: listFilesTool({ roots }), group: 'read', reach: 'reads' },
    { tool: searchFilesTool({ roots }), group: 'read', reach: 'reads' },
    ...assetTools({ ...(conversation && { conversation }), ...stored }),
    { tool: fetchUrlTool({ urls, ...stored }), group: 'web', reach: 'reaches-out' },
    ...[screenshotPageTool(host, urls), compareScreenshotsTool(host, urls), ...sessionTools(host, browser)].map(
      (tool): ShippedTool => ({ tool, group: 'browser', reach: 'reaches-out' }),
    ),
    { tool: screenshotTool(screen), group: 'screen', reach: screen.folder === undefined ? 'reads' : 'writes' },
  ];
  const known = new Set([...groups, ...all.map(({ tool }) => tool.name)]);
  const unknown = off.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new SightlineError(
      'config',
      `There is no tool or group "${unknown}" to leave out. There are ${[...known].join(', ')}.`,
    );
  }
  const list = all.filter(({ tool, group }) => !off.includes(tool.name) && !off.includes(group));
  const close = (): Promise<void> => host.close();
  return { list, tools: list.map(({ tool }) => tool), close, [Symbol.asyncDispose]: close };
}

function assetTools(options: AssetToolOptions): ShippedTool[] {
  const tools = [
    viewAssetTool(options),
    listAssetsTool(options),
    readAssetTextTool(options),
    queryJsonTool(options),
    attachToResponseTool(options),
  ];
  return tools.map((tool) => ({ tool, group: 'assets', reach: 'reads' }));
}

/** Those that the settings do not switch off, by name or by group. */
export function switchedOn(
  list: readonly ShippedTool[],
  settings: Readonly<Record<string, ToolSettings>>,
): ShippedTool[] {
  const isOff = (name: string): boolean => settings[name]?.enabled === false;
  return list.filter(({ tool, group }) => !isOff(tool.name) && !isOff(group));
}
