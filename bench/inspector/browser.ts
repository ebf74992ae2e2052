// A Chromium of its own, spoken to directly: a driver that listens to the network makes the page keep 200 MB of what came over
// it for the driver, which nobody's browser does.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export type BarePage = {
  go: (address: string) => Promise<void>;
  run: <Value>(expression: string) => Promise<Value>;
  press: (key: string) => Promise<void>;
  send: <Value>(method: string, params?: object) => Promise<Value>;
  /** Memory of its own of the process that draws it, in MB. */
  ownMb: () => Promise<number>;
  close: () => Promise<void>;
};

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A page of 1440×900 in which this expression runs before anything else does. */
export async function barePage(before: string): Promise<BarePage> {
  const file = browsers.find((one) => existsSync(one));
  if (file === undefined) throw new Error('There is no Chromium here.');
  const profile = mkdtempSync(join(tmpdir(), 'sightline-profile-'));
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--no-first-run',
    '--disable-extensions',
    '--remote-debugging-port=0',
  ];
  const child = spawn(file, [...flags, `--user-data-dir=${profile}`, '--window-size=1440,900', 'about:blank'], {
    stdio: 'ignore',
  });
  const port = join(profile, 'DevToolsActivePort');
  while (!existsSync(port) || !readFileSync(port, 'utf8').includes('\n')) await setTimeout(50);
  const base = `http://127.0.0.1:${readFileSync(port, 'utf8').split('\n')[0]}`;
  type Target = { type: string; webSocketDebuggerUrl: string };
  const page = async (): Promise<string | undefined> =>
    ((await (await fetch(`${base}/json`)).json()) as Target[]).find(({ type }) => type === 'page')
      ?.webSocketDebuggerUrl;
  let address = await page();
  while (address === undefined) [address] = [await page(), await setTimeout(50)];
  const send = await talk(address);
  const whole = await talk(((await (await fetch(`${base}/json/version`)).json()) as Target).webSocketDebuggerUrl);
  await send('Page.addScriptToEvaluateOnNewDocument', { source: before });
  await send('Page.enable');
  return {
    send,
    go: async (to) => void (await send('Page.navigate', { url: to })),
    run: async <Value>(expression: string) => {
      const how = { expression, returnByValue: true, awaitPromise: true };
      return (await send<{ result: { value: Value } }>('Runtime.evaluate', how)).result.value;
    },
    press: async (key) => {
      await send('Input.dispatchKeyEvent', { type: 'keyDown', key, text: key });
      await send('Input.dispatchKeyEvent', { type: 'keyUp', key });
    },
    ownMb: async () => {
      type Processes = { processInfo: { type: string; id: number }[] };
      const { processInfo } = await whole<Processes>('SystemInfo.getProcessInfo');
      const drawing = processInfo.filter(({ type }) => type === 'renderer');
      return Math.max(0, ...drawing.map(({ id }) => ownBytes(id))) / 1e6;
    },
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Talk = <Value>(method: string, params?: object) => Promise<Value>;

async function talk(address: string): Promise<Talk> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (value: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  let last = 0;
  return <Value>(method: string, params: object = {}) =>
    new Promise<Value>((resolve) => {
      waiting.set(++last, (value) => resolve(value as Value));
      socket.send(JSON.stringify({ id: last, method, params }));
    });
}

function ownBytes(process: number): number {
  const status = readFileSync(`/proc/${process}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
}
