// An installed Chromium, found and started: the only file that knows the browser library, which is loaded when a page
// is first asked for. The browser gets no keys in its environment and reaches the network through the proxy alone.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type * as Playwright from 'playwright-core';
import type { Browser } from 'playwright-core';
import { fromPart, hasPart, howToBring } from '../../config/parts.ts';
import { ownEnvironment, variables } from '../../config/environment.ts';
import type { Environment } from '../../config/environment.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { UrlRules } from '../../media/remote/address.ts';

export type { BrowserContext, Locator, Page } from 'playwright-core';

export type Running = { browser: Browser; close(): Promise<void> };

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge', 'chrome'];

const places: readonly string[] = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
];

/** The browser to use: the one named, or the first of the usual ones that is installed. */
export function findBrowser(given?: string, environment: Environment = ownEnvironment()): string | undefined {
  const named = given ?? environment['SIGHTLINE_BROWSER'];
  if (named !== undefined && named !== '') return isExecutable(named) ? named : undefined;
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...places].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether the library that drives a browser is installed. */
export function canDriveBrowser(): boolean {
  return hasPart('browser');
}

const help =
  'Install Chromium or Chrome (Debian and Ubuntu: apt-get install chromium; macOS: brew install --cask chromium), ' +
  'or set SIGHTLINE_BROWSER to the path of one.';

/** What a browser needs of our environment, and nothing that could be a key. */
const passed = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'DISPLAY', 'XDG_RUNTIME_DIR', 'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME', 'FONTCONFIG_PATH', 'SystemRoot', 'LOCALAPPDATA', 'PROGRAMFILES']; // prettier-ignore

/** Starts a browser without a window. */
export async function launch(rules: UrlRules, named?: string): Promise<Read<Running>> {
  const executablePath = findBrowser(named);
  if (executablePath === undefined) return refuse('missing-decoder', 'No browser was found', help);
  if (!canDriveBrowser()) {
    return refuse('missing-decoder', 'The library that drives a browser is not here', howToBring('browser'));
  }
  const library = fromPart('browser', 'playwright-core') as typeof Playwright;
  const { openProxy } = await import('./proxy.ts');
  const proxy = await openProxy(rules);
  try {
    const browser = await library.chromium.launch({
      executablePath,
      headless: true,
      proxy: { server: proxy.address },
      env: variables(passed),
      args: ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp', '--disable-dev-shm-usage'],
      chromiumSandbox: process.getuid?.() !== 0, // the sandbox of Chromium does not work for root
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 30_000,
    });
    browser.once('disconnected', () => proxy.close());
    return { ok: true, value: { browser, close: () => browser.close() } };
  } catch (error) {
    proxy.close();
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    return refuse('missing-decoder', `The browser ${executablePath} did not start: ${why}`, help);
  }
}
