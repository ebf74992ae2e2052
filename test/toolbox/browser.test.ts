// The browser tools on real pages from loopback, in a real Chromium. Where none is installed, only its absence is told.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { prepare } from '../../src/model/prepare.ts';
import { shippedTools } from '../../src/toolbox/shipped.ts';
import { findBrowser } from '../../src/toolbox/browser/launch.ts';
import sharp from 'sharp';
import { caller, pictures, words } from './caller.ts';
import { page, webServer } from './web-server.ts';
import { onlySome } from '../some.ts';

onlySome(5);

const browser = findBrowser();
if (browser === undefined) console.warn('No Chromium is installed: the tests of the browser tools are skipped.');

const banner = (colour: string, rest = ''): ReturnType<typeof page> =>
  page(`<div id="banner" style="background:${colour};height:100px"></div><p>hello</p>${rest}`);
const form =
  '<form action="/found"><input name="q" id="q"><button>Search</button></form><a href="/blue" target="_blank">other</a><select id="s" onchange="document.title=this.value"><option>one<option>two</select><div style="height:3000px"></div>';
const fields = `<p>words</p><form><input id=q placeholder="Your name" value=Ada><input type=hidden name=h>
<input type=password name=pin oninput="document.title=this.value"><label><input type=checkbox checked>Agree [now]</label>
<button disabled>Send
  all</button></form><div style="height:2000px"></div><a href="/blue">far</a>${Array.from({ length: 65 }, (_, at) => `<span role=button>b${at}</span>`).join(' ')}`;
const gift = Buffer.from(`a gift that nobody wanted ${process.pid}`);
let internal = 0;
const secret = await webServer({ '/secret': (response) => void (internal++, response.end('secret')) });
const server = await webServer({
  '/red': banner('rgb(255,0,0)', form),
  '/blue': banner('rgb(0,0,255)'),
  '/fields': page(fields),
  '/found': banner('rgb(0,128,0)'),
  '/long': page(
    '<p style="font:14px monospace;margin:6px">Several words of a page that is far longer than a screen.</p>'.repeat(
      260,
    ),
  ),
  '/broken': (response) => void response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>'),
  '/hangs': () => undefined,
  '/busy': page('<button onclick="for (;;);">work</button>'),
  '/gift': page(
    '<script>document.title = document.cookie || "no cookie"; document.cookie = "seen=1"</script><a href="/file">take</a>',
  ),
  '/file': (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="gift.zip"' })
      .end(gift),
  '/moved': (response) => void response.writeHead(302, { location: '/blue' }).end(),
  '/to-secret': (response) => void response.writeHead(302, { location: `${secret.base}/secret` }).end(),
  '/reaches': page(
    `<img src="${secret.base}/secret"><script>fetch("${secret.base}/secret",{mode:"no-cors"});new WebSocket("ws://${secret.host}/secret");location.hash="x"</script><iframe src="${secret.base}/secret"></iframe>`,
  ),
});
const shipped = shippedTools({
  roots: [],
  urls: { hosts: [server.host] },
  browser: { maxSessions: 2, ...(browser && { executable: browser }) },
});
const { call, assets } = caller(() => shipped.tools);
afterAll(async () => {
  await shipped.close();
  await server.close();
  await secret.close();
});

async function colourAt(id: `sha256:${string}` | undefined, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(id && (await assets.get(id)))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
}

/** The files with these bytes in the folders of a browser. */
function holding(bytes: Buffer, folder: string, like: RegExp): string[] {
  return readdirSync(folder).flatMap((name) => {
    if (!like.test(name)) return [];
    const path = join(folder, name);
    try {
      if (statSync(path).isDirectory()) return holding(bytes, path, /^/);
      return readFileSync(path).includes(bytes) ? [path] : [];
    } catch {
      return []; // it went meanwhile, or is no file
    }
  });
}

const small = { viewport_width: 400, viewport_height: 300 };

describe.skipIf(browser === undefined)('screenshot_webpage', () => {
  test('gives the words and the picture', async () => {
    const answer = await call('screenshot_webpage', { url: `${server.base}/red`, ...small });
    const [picture] = pictures(answer);
    expect(words(answer)).toBe(
      `Screenshot captured successfully!\nURL: ${server.base}/red\nViewport: 400x300\nSize: ${picture?.asset.size} bytes\n<image>`,
    );
    expect(picture).toMatchObject({
      width: 400,
      height: 300,
      asset: { mediaType: 'image/png', name: '127.0.0.1.png' },
    });
    expect(await colourAt(picture?.asset.id, 200, 50)).toEqual([255, 0, 0]);
    expect(await colourAt(picture?.asset.id, 350, 250)).toEqual([255, 255, 255]);
  });

  test('is of a window of 1920×1080 unless told otherwise', async () => {
    const answer = await call('screenshot_webpage', { url: `${server.base}/blue` });
    expect(words(answer)).toContain('\nViewport: 1920x1080\n');
    expect(pictures(answer)[0]).toMatchObject({ width: 1920, height: 1080 });
  });

  test.each([
    [{ full_page: true, max_dimension: 300, ...small }, { height: 300 }, /multiply coordinates by 1\d\.\d+$/],
    [{ selector: '#banner', ...small }, { width: 400, height: 100 }, /^$/],
    [{ region: { x: 10, y: 10, width: 50, height: 40 } }, { width: 50, height: 40 }, /^$/],
  ])('shows of a page what was asked for: %j', async (input, size, made) => {
    const [picture] = pictures(await call('screenshot_webpage', { url: `${server.base}/red`, ...input }));
    expect(picture).toMatchObject(size);
    expect(picture?.origin?.made ?? '').toMatch(made);
  });

  test('a whole page comes with its words as an asset, a window without them', async () => {
    const answer = await call('screenshot_webpage', { url: `${server.base}/red`, full_page: true, ...small });
    expect(words(answer)).toMatch(/the words of this page, \d+ characters, are asset [0-9a-f]{8}; read_asset_text/);
    const [asset] = answer.kept ?? [];
    expect(new TextDecoder().decode(asset && (await assets.get(asset.id)))).toContain('hello');
    expect(words(await call('screenshot_webpage', { url: `${server.base}/red`, ...small }))).not.toContain('asset');
  });

  test('a long page reaches each model in pieces in which its words can be read', async () => {
    const answer = await call('screenshot_webpage', {
      url: `${server.base}/long`,
      full_page: true,
      viewport_width: 1000,
    });
    for (const model of ['anthropic/claude-sonnet-4-5', 'ollama/gemma3']) {
      const content = answer.content.filter((block) => block.type !== 'call');
      const request = await prepare({ messages: [{ role: 'user', content }] }, { model, assets });
      const receipt = request.receipts.find(({ action }) => action === 'tiles');
      expect(receipt?.legible?.textPx, model).toBeGreaterThanOrEqual(7);
    }
  });

  test.each([
    [{ url: `${server.base}/broken` }, /\nStatus: 500\n<image>$/, undefined],
    [{ url: `${server.base}/red`, selector: '#absent' }, /^Error capturing image: .*nothing visible was found/, true],
    [{ url: `${server.base}/to-secret` }, /lies in a private network/, true],
    [{ url: `${server.base}/file` }, /^127\.0\.0\.1:\d+ gives a file here, not a page\. fetch_url reads it/, true],
    [{ url: 'https://localhost/' }, /lies in a private network/, true],
    [{ url: 'file:///etc/passwd' }, /^URLs with file: are not opened/, true],
    [{ url: 'https://nosuch.invalid/' }, /^There is no host nosuch\.invalid/, true],
  ])('tells what is wrong with %j', async (input, said, isError) => {
    const answer = await call('screenshot_webpage', { ...small, ...input });
    expect(words(answer)).toMatch(said);
    expect(answer.isError).toBe(isError);
  });

  test('tells where a page lies, not where it was asked for', async () => {
    const answer = await call('screenshot_webpage', { url: `${server.base}/moved`, ...small });
    expect(words(answer)).toContain(`\nURL: ${server.base}/blue\n`);
  });

  test('lets no page reach what the program did not allow', async () => {
    await call('screenshot_webpage', { url: `${server.base}/reaches`, ...small });
    expect(internal).toBe(0);
  });

  test('is cancelled in the middle', async () => {
    const stop = new AbortController();
    const going = call('screenshot_webpage', { url: `${server.base}/hangs` }, stop.signal);
    await expect.poll(() => server.seen).toContain('/hangs');
    stop.abort();
    expect(words(await going)).toContain('Cancelled');
  });
});

describe.skipIf(browser === undefined)('compare_screenshots', () => {
  test('shows both pages, how much differs, and where', async () => {
    const answer = await call('compare_screenshots', {
      url1: `${server.base}/found`,
      url2: `${server.base}/blue`,
      ...small,
    });
    expect(words(answer)).toBe(
      [
        'Comparison of two pages:',
        `\n**Page 1**: ${server.base}/found`,
        '<image>',
        `\n**Page 2**: ${server.base}/blue`,
        '<image>',
        '\n**Differences**: 40,000 of 120,000 pixels (33.3 %), all inside x=0 y=0 400×100; red below.',
        '<image>',
      ].join('\n'),
    );
    const differences = pictures(answer)[2]?.asset.id;
    expect(await colourAt(differences, 200, 50)).toEqual([220, 0, 0]);
    const [grey = 0] = await colourAt(differences, 350, 250);
    expect(grey).toBeGreaterThan(200);
  });

  test('says when there is no difference', async () => {
    const answer = await call('compare_screenshots', {
      url1: `${server.base}/blue`,
      url2: `${server.base}/blue`,
      ...small,
    });
    expect(words(answer)).toContain('**Differences**: none, both are the same picture of 120,000 pixels.');
    expect(pictures(answer)).toHaveLength(2);
  });
});

describe.skipIf(browser === undefined)('a browser session', () => {
  test('goes from page to page as a person would', async () => {
    const created = words(await call('browser_session_create', { url: `${server.base}/red`, ...small }));
    const session_id = /browser-\d+/.exec(created)?.[0] ?? '';
    expect(created).toBe(`Session ${session_id} created, 400x300. URL: ${server.base}/red, title: A page.`);
    const act = async (input: object): Promise<string> =>
      words(await call('browser_session_interact', { session_id, ...input }));
    // A page that a click leads to may take a moment on a busy machine.
    const leadsTo = (path: string): Promise<void> =>
      expect.poll(() => act({ action: 'wait', ms: 10 })).toContain(`URL: ${server.base}${path},`);
    expect(await act({ action: 'select', selector: '#s', text: 'two' })).toContain('title: two');
    expect(await act({ action: 'type', selector: '#q', text: 'lamp' })).toContain('Typed 4 characters.');
    expect(await act({ action: 'press', selector: '#q', key: 'Enter' })).toContain('Pressed Enter.');
    await leadsTo('/found?q=lamp');
    const [shot] = pictures(await call('browser_session_screenshot', { session_id }));
    expect(await colourAt(shot?.asset.id, 200, 50)).toEqual([0, 128, 0]);
    expect(await act({ action: 'back' })).toContain(`URL: ${server.base}/red`);
    expect(await act({ action: 'scroll', dy: 500 })).toContain('Scrolled.');
    expect(await act({ action: 'click', selector: 'text=other' })).toContain('Clicked text=other.');
    await leadsTo('/blue');
    expect(words(await call('browser_session_navigate', { session_id, url: `${server.base}/broken` }))).toContain(
      'Status: 500',
    );
    expect(words(await call('browser_session_navigate', { session_id, url: 'https://10.0.0.1/' }))).toContain(
      'private network',
    );
    expect(await act({ action: 'click', x: 400, y: 10 })).toBe(
      'x=400 y=10 lies outside the window (limit: 400×300). Scroll there, and take a screenshot.',
    );
    expect(await act({ action: 'click' })).toBe('The action click lacks something. Give it a selector, or x and y.');
    expect(words(await call('browser_session_destroy', { session_id }))).toBe(`Session ${session_id} closed.`);
    expect(words(await call('browser_session_screenshot', { session_id }))).toContain(
      `There is no session "${session_id}". None is open`,
    );
  });

  test('tells what can be used on a page, and each selector works', async () => {
    const created = words(await call('browser_session_create', { url: `${server.base}/fields`, ...small }));
    const session_id = /browser-\d+/.exec(created)?.[0] ?? '';
    const look = async (input: object = {}): Promise<string> =>
      words(await call('browser_session_inspect', { session_id, ...input }));
    const [, ...lines] = (await look()).split('\n');
    expect(lines.map((line) => line.replace(/x=\d+ y=\d+/, 'x y'))).toEqual([
      '[70 elements can be used, the first 50 of them below; give a selector to see others.]',
      '#q: input (text) "Your name" holds "Ada" x y',
      'input >> nth=2: input (password) "pin" x y',
      'input >> nth=3: input (checkbox) "Agree \'now\'" checked x y',
      'button >> nth=0: button "Send all" disabled x y',
      'a >> nth=0: a "far" not in sight',
      ...Array.from({ length: 45 }, (_, at) => `span >> nth=${at}: span (button) "b${at}" not in sight`),
    ]);
    expect(await look({ selector: 'form' })).toContain('\n[4 elements can be used.]\n#q:');
    expect(await look({ selector: 'p' })).toContain('There is nothing to click or fill in.');
    expect(await look({ selector: '#absent' })).toMatch(/^Nothing was found at #absent\./);
    const act = { session_id, action: 'type', selector: 'input >> nth=2', text: '1234' };
    expect(words(await call('browser_session_interact', act))).toContain('title: 1234');
    expect(await look({ selector: 'form' })).not.toContain('1234"');
    await call('browser_session_destroy', { session_id });
  });

  test('tells which options a list has instead of the one that was asked for', async () => {
    const session = {
      session_id: /browser-\d+/.exec(words(await call('browser_session_create', { url: `${server.base}/red` })))?.[0],
    };
    const asked = { ...session, action: 'select', selector: '#s', text: 'three' };
    expect(words(await call('browser_session_interact', asked))).toBe(
      '#s has no option "three" to select. It has "one", "two".',
    );
    await call('browser_session_destroy', session);
  });

  test('knows nothing of another one, and takes no file that a page hands over', async () => {
    const title = async (session_id: string): Promise<string> =>
      words(await call('browser_session_navigate', { session_id, url: `${server.base}/gift` }));
    const opened = [await call('browser_session_create', small), await call('browser_session_create', small)].map(
      (answer) => /browser-\d+/.exec(words(answer))?.[0] ?? '',
    );
    const [one = '', other = ''] = opened;
    expect([await title(one), await title(one), await title(other)]).toEqual([
      expect.stringContaining('no cookie'),
      expect.stringContaining('seen=1'),
      expect.stringContaining('no cookie'),
    ]);
    const before = server.seen.length;
    await call('browser_session_interact', { session_id: one, action: 'click', selector: 'text=take' });
    await expect.poll(() => server.seen.slice(before)).toContain('/file');
    await call('browser_session_interact', { session_id: one, action: 'wait', ms: 500 });
    expect(holding(gift, tmpdir(), /playwright|chromium/i)).toEqual([]);
    for (const session_id of opened) await call('browser_session_destroy', { session_id });
  });

  test('is listed with its page, wherever its links led', async () => {
    expect(words(await call('browser_session_list', {}))).toMatch(/^No browser session is open/);
    await call('browser_session_create', small);
    const created = words(await call('browser_session_create', { url: `${server.base}/red`, ...small }));
    const session_id = /browser-\d+/.exec(created)?.[0] ?? '';
    await call('browser_session_interact', { session_id, action: 'click', selector: 'text=other' });
    const [empty = '', other = '', ...more] = words(await call('browser_session_list', {})).split('\n');
    expect(empty).toMatch(/^browser-\d+: URL: about:blank\. Viewport: 400x300\.$/);
    expect(other).toBe(`${session_id}: URL: ${server.base}/blue, title: A page. Viewport: 400x300.`);
    expect(more).toEqual([]);
    for (const line of [empty, other]) await call('browser_session_destroy', { session_id: line.split(':')[0] });
  });

  test('that is busy with itself is listed without its title', async () => {
    const created = words(await call('browser_session_create', { url: `${server.base}/busy`, ...small }));
    const session_id = /browser-\d+/.exec(created)?.[0] ?? '';
    const pressed = call('browser_session_interact', { session_id, action: 'click', selector: 'text=work' });
    await expect
      .poll(async () => words(await call('browser_session_list', {})), { timeout: 30_000 })
      .toBe(`${session_id}: URL: ${server.base}/busy. Viewport: 400x300.`);
    await shipped.close();
    await pressed;
  });

  test('that is busy with itself keeps nobody waiting, whatever is asked of it', async () => {
    const created = words(await call('browser_session_create', { url: `${server.base}/busy`, ...small }));
    const session_id = /browser-\d+/.exec(created)?.[0] ?? '';
    const act = async (input: object): Promise<string> =>
      words(await call('browser_session_interact', { session_id, ...input }));
    const said = await act({ action: 'click', x: 10, y: 10 });
    expect(said).toMatch(/^It did not work: the page is busy with itself and takes no input/);
    const all = await Promise.all([
      act({ action: 'press', key: 'Tab' }),
      act({ action: 'type', text: 'words' }),
      act({ action: 'scroll', dy: 10 }),
      call('browser_session_screenshot', { session_id, full_page: true }).then(words),
    ]);
    for (const one of all) expect(one).toMatch(/busy with itself/);
    await shipped.close();
  });

  test('is one of few', async () => {
    for (const _ of [1, 2]) expect((await call('browser_session_create', small)).isError).toBeUndefined();
    expect(words(await call('browser_session_create', small))).toMatch(
      /^Too many sessions are open \(limit: 2 sessions\)/,
    );
    await shipped.close();
    expect(words(await call('browser_session_screenshot', { session_id: 'browser-4' }))).toMatch(
      /^There is no session/,
    );
  });

  test('is one of few, also where several are asked for at once', async () => {
    const all = await Promise.all([1, 2, 3, 4].map(() => call('browser_session_create', small)));
    expect(all.filter(({ isError }) => !isError)).toHaveLength(2);
    expect(all.map(words).filter((said) => said.startsWith('Too many sessions are open'))).toHaveLength(2);
    await shipped.close();
  });

  test('ends itself when nobody uses it', async () => {
    const brief = shippedTools({ roots: [], browser: { idleMs: 300 } });
    const talk = caller(() => brief.tools);
    expect((await talk.call('browser_session_create', small)).isError).toBeUndefined();
    await expect
      .poll(async () => words(await talk.call('browser_session_destroy', { session_id: 'none' })))
      .toContain('None is open');
    await brief.close();
  });
});

test('without a browser the tools say how to get one', async () => {
  const none = shippedTools({
    roots: [],
    urls: { hosts: [server.host] },
    browser: { executable: '/nowhere/chromium' },
  });
  const answer = await caller(() => none.tools).call('screenshot_webpage', { url: `${server.base}/red` });
  expect(words(answer)).toMatch(/^No browser was found\. Install Chromium or Chrome .*SIGHTLINE_BROWSER/);
  expect(answer.isError).toBe(true);
});
