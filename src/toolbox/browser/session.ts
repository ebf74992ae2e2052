// `browser_session_create | list | navigate | inspect | interact | screenshot | destroy`: a page that stays open from call
// to call. Sessions are few, end themselves when they are not used, and know nothing of each other.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { safeWords } from '../../content/text.ts';
import type { Tool, ToolContext } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import type { Given } from '../argument.ts';
import { object, string, textAt } from '../argument.ts';
import type { BrowserOptions, Host } from './host.ts';
import { inspect } from './inspect.ts';
import { actOn, actionSchema } from './interact.ts';
import type { Page } from './launch.ts';
import { leave, viewportOf, viewportSchema } from './page.ts';
import { capture, wordsOnPage, pictureOf, settled, shotOf, shotSchema, standing, visit } from './visit.ts';

type Session = { page: Page; timer: NodeJS.Timeout };

const sessionId = string('The session, as browser_session_create named it');

type Work = (given: Given, context: ToolContext) => Promise<unknown>;

/** The tools with what a model is told about each. */
function toolsOf(
  work: Record<'create' | 'list' | 'navigate' | 'look' | 'interact' | 'screenshot' | 'destroy', Work>,
): Tool[] {
  return [
    defineTool({
      name: 'browser_session_create',
      description:
        'Open a browser page that stays open, and go to a URL if one is given. Returns the name of the session.',
      input: object({ url: string('Where to go first'), ...viewportSchema }),
      run: work.create,
    }),
    defineTool({
      name: 'browser_session_list',
      effect: 'read',
      description: 'List the open browser sessions: the name, the URL, the title and the size of the window of each.',
      run: work.list,
    }),
    defineTool({
      name: 'browser_session_navigate',
      description: 'Go to a URL in an open browser session.',
      input: object({ session_id: sessionId, url: string('Where to go') }, 'session_id', 'url'),
      run: work.navigate,
    }),
    defineTool({
      name: 'browser_session_inspect',
      effect: 'read',
      description:
        'List what can be clicked or filled in on the page of a browser session, with a selector and the place of each.',
      input: object(
        { session_id: sessionId, selector: string('Only inside the first element that this CSS selector finds') },
        'session_id',
      ),
      run: work.look,
    }),
    defineTool({
      name: 'browser_session_interact',
      description:
        'Do something on the page of a browser session: click, type, press a key, scroll, hover, select, wait, or go ' +
        'back, forward or reload. Where: a CSS selector, visible text as text=…, or x and y in pixels of the window.',
      input: object({ session_id: sessionId, ...actionSchema }, 'session_id', 'action'),
      run: work.interact,
    }),
    defineTool({
      name: 'browser_session_screenshot',
      effect: 'read',
      description: 'Take a screenshot of the page of a browser session: the window, the whole page, or a part of it.',
      input: object({ session_id: sessionId, ...shotSchema }, 'session_id'),
      run: work.screenshot,
    }),
    defineTool({
      name: 'browser_session_destroy',
      description: 'Close a browser session.',
      input: object({ session_id: sessionId }, 'session_id'),
      run: work.destroy,
    }),
  ];
}

/** The tools over one set of sessions. */
export function sessionTools(host: Host, options: BrowserOptions): Tool[] {
  const { urls = {}, maxSessions = 4, idleMs = 10 * 60_000 } = options;
  const sessions = new Map<string, Session>();
  let [opened, opening] = [0, 0];

  const end = async (id: string): Promise<boolean> => {
    const session = sessions.get(id);
    if (!session) return false;
    sessions.delete(id);
    clearTimeout(session.timer);
    await leave(session.page);
    return true;
  };

  const find = (given: Given): Read<Page> => {
    const id = textAt(given, 'session_id') ?? '';
    const session = sessions.get(id);
    const page = session && newest(session);
    if (session && page) {
      session.page = page;
      session.timer.refresh();
      return { ok: true, value: page };
    }
    const open = sessions.size === 0 ? 'None is open' : `Open are ${[...sessions.keys()].join(', ')}`;
    return refuse('not-found', `There is no session "${safeWords(id)}"`, `${open}; browser_session_create opens one.`);
  };

  const create = async (given: Given): Promise<unknown> => {
    if (sessions.size + opening >= maxSessions) return tooMany([...sessions.keys()], maxSessions);
    const viewport = viewportOf(given);
    opening++;
    const page = await host.open(viewport).finally(() => opening--);
    if (!page.ok) return page;
    const id = `browser-${++opened}`;
    const timer = setTimeout(() => void end(id), idleMs);
    sessions.set(id, { page: page.value, timer });
    // A link that opens a new window leads on there.
    page.value.context().on('page', (next) => {
      const session = sessions.get(id);
      if (session) session.page = next;
    });
    page.value.context().once('close', () => {
      clearTimeout(timer);
      sessions.delete(id);
    });
    const url = textAt(given, 'url');
    const visited = url === undefined ? undefined : await visit(page.value, url, urls);
    const created = `Session ${id} created, ${viewport.width}x${viewport.height}.`;
    if (visited?.ok === false)
      return { ...visited, refusal: { ...visited.refusal, what: `${created} ${visited.refusal.what}` } };
    return `${created} ${await place(page.value)}`;
  };

  const list = async (): Promise<string> => {
    const lines = [...sessions].map(async ([id, session]) => {
      const page = newest(session);
      const size = page?.viewportSize();
      return `${id}: ${page ? await place(page) : 'its page was closed.'}${size ? ` Viewport: ${size.width}x${size.height}.` : ''}`;
    });
    if (lines.length === 0) return 'No browser session is open; browser_session_create opens one.';
    return (await Promise.all(lines)).join('\n');
  };

  const navigate = async (given: Given): Promise<unknown> => {
    const page = find(given);
    if (!page.ok) return page;
    const visited = await visit(page.value, textAt(given, 'url') ?? '', urls);
    if (!visited.ok) return visited;
    const { status } = visited.value;
    return `${await place(page.value)}${status !== undefined && status >= 400 ? ` Status: ${status}` : ''}`;
  };

  const look = async (given: Given): Promise<unknown> => {
    const page = find(given);
    if (!page.ok) return page;
    const found = await inspect(page.value, textAt(given, 'selector'));
    return found.ok ? `${await place(page.value)}\n${found.value}` : found;
  };

  const interact = async (given: Given): Promise<unknown> => {
    const page = find(given);
    if (!page.ok) return page;
    const done = await actOn(page.value, given);
    if (!done.ok) return done;
    await settled(page.value);
    const now = find(given); // a click may have opened a new window
    if (!now.ok) return `${done.value} The page was closed.`;
    if (now.value !== page.value) await settled(now.value);
    return `${done.value} ${await place(now.value)}`;
  };

  const screenshot = async (given: Given, { assets, signal }: ToolContext): Promise<unknown> => {
    const page = find(given);
    if (!page.ok) return page;
    const shot = shotOf(given);
    const bytes = await capture(page.value, shot);
    if (!bytes.ok) return bytes;
    const picture = await pictureOf(bytes.value, page.value.url(), shot, { assets, signal });
    if (!picture.ok) return picture;
    const said = `Screenshot captured successfully!\n${await place(page.value)}`;
    // What is clicked on has one system of coordinates.
    const shown = shot.fullPage ? picture.value : { ...picture.value, detail: 'whole' };
    const words = await wordsOnPage(page.value, shot, { assets });
    return { content: [said, shown, ...words.content], kept: words.kept };
  };

  const destroy = async (given: Given): Promise<unknown> => {
    const page = find(given);
    if (!page.ok) return page;
    const id = textAt(given, 'session_id') ?? '';
    await end(id);
    return `Session ${id} closed.`;
  };

  return toolsOf({ create, list, navigate, look, interact, screenshot, destroy });
}

function tooMany(open: readonly string[], most: number): Read<never> {
  const next =
    open.length === 0
      ? 'Wait for those that are opening.'
      : `Call browser_session_destroy for one of ${open.join(', ')}.`;
  return refuse('not-allowed', 'Too many sessions are open', next, `${most} sessions`);
}

/** A window that closed itself leaves the one it came from. */
function newest({ page }: Session): Page | undefined {
  return page.isClosed() ? page.context().pages().at(-1) : page;
}

async function place(page: Page): Promise<string> {
  const { url, title } = await standing(page);
  return `URL: ${url}${title === '' ? '' : `, title: ${title}`}.`;
}
