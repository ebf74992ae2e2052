// `screenshot_webpage` and `compare_screenshots`: a page that is opened, looked at and closed again.
import type { BlockInput } from '../../content/input.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { grouped } from '../../media/limits.ts';
import type { Comparison } from '../../media/index.ts';
import { comparePictures } from '../../media/index.ts';
import type { JsonSchema } from '../../tool/schema.ts';
import type { Tool, ToolContext } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import type { Given } from '../argument.ts';
import { integer, numberAt, object, string, textAt } from '../argument.ts';
import type { UrlRules } from '../../media/remote/address.ts';
import type { Host, Viewport } from './host.ts';
import type { Page } from './launch.ts';
import type { PageWords, Shot, Visited } from './visit.ts';
import { allowedUrl, capture, wordsOnPage, pictureOf, shotOf, shotSchema, visit } from './visit.ts';

export const viewportSchema: Record<string, JsonSchema> = {
  viewport_width: integer('Width of the window in pixels (1920)', { minimum: 100, maximum: 4000 }),
  viewport_height: integer('Height of the window in pixels (1080)', { minimum: 100, maximum: 4000 }),
};

export function viewportOf(given: Given): Viewport {
  return { width: numberAt(given, 'viewport_width') ?? 1920, height: numberAt(given, 'viewport_height') ?? 1080 };
}

export function screenshotPageTool(host: Host, rules: UrlRules): Tool {
  return defineTool({
    name: 'screenshot_webpage',
    effect: 'read',
    description: 'Take a screenshot of a web page as a visitor sees it: the window, the whole page, or a part of it.',
    input: object({ url: string('The address of the page'), ...viewportSchema, ...shotSchema }, 'url'),
    run: async (given, context) => {
      const viewport = viewportOf(given);
      const shot = shotOf(given);
      const taken = await photograph(textAt(given, 'url') ?? '', { host, rules, viewport, shot, context });
      if (!taken.ok) return taken;
      const { bytes, visited, words } = taken.value;
      const picture = await pictureOf(bytes, visited.url, shot, context);
      if (!picture.ok) return picture;
      const said = [
        'Screenshot captured successfully!',
        `URL: ${visited.url}`,
        `Viewport: ${viewport.width}x${viewport.height}`,
        `Size: ${bytes.length} bytes`,
        ...statusLine(visited),
      ];
      return { content: [said.join('\n'), picture.value, ...words.content], kept: words.kept };
    },
  });
}

export function compareScreenshotsTool(host: Host, rules: UrlRules): Tool {
  return defineTool({
    name: 'compare_screenshots',
    effect: 'read',
    description:
      'Take screenshots of two web pages and compare them pixel by pixel: both pictures, how much differs and where, ' +
      'and a picture with the differences in red.',
    input: object(
      { url1: string('The first page'), url2: string('The second page'), ...viewportSchema, ...shotSchema },
      'url1',
      'url2',
    ),
    run: async (given, context) => {
      const shot = shotOf(given);
      const common = { host, rules, viewport: viewportOf(given), shot, context };
      const [one, other] = await Promise.all([
        photograph(textAt(given, 'url1') ?? '', common),
        photograph(textAt(given, 'url2') ?? '', common),
      ]);
      if (!one.ok) return one;
      if (!other.ok) return other;
      const { assets, signal } = context;
      const compared = await comparePictures(one.value.bytes, other.value.bytes, { assets, signal });
      if (!compared.ok) return compared;
      const content: BlockInput[] = [text('Comparison of two pages:')];
      for (const [at, { bytes, visited }] of [one.value, other.value].entries()) {
        const picture = await pictureOf(bytes, visited.url, shot, context);
        if (!picture.ok) return picture;
        const heading = [`\n**Page ${at + 1}**: ${visited.url}`, ...statusLine(visited)].join('\n');
        content.push(text(heading), picture.value);
      }
      content.push(text(`\n**Differences**: ${differenceWords(compared.value)}`));
      if (compared.value.different > 0) content.push(compared.value.picture);
      return { content };
    },
  });
}

/** How two pictures differ, in a sentence. */
function differenceWords({ different, pixels, region, one, other }: Comparison): string {
  const same = one.width === other.width && one.height === other.height;
  const sizes = same ? '' : ` The sizes differ: ${one.width}×${one.height} and ${other.width}×${other.height}.`;
  if (different === 0 || !region) return `none, both are the same picture of ${grouped(pixels)} pixels.`;
  const share = ((different / pixels) * 100).toPrecision(3);
  const { x, y, width, height } = region;
  const where = `all inside x=${x} y=${y} ${width}×${height}; red below`;
  return `${grouped(different)} of ${grouped(pixels)} pixels (${Number(share)} %), ${where}.${sizes}`;
}

/** `words`: where those of a whole page are. */
type Photograph = { bytes: Uint8Array; visited: Visited; words: PageWords };
type Circumstances = { host: Host; rules: UrlRules; viewport: Viewport; shot: Shot; context: ToolContext };

async function photograph(
  url: string,
  { host, rules, viewport, shot, context }: Circumstances,
): Promise<Read<Photograph>> {
  const allowed = await allowedUrl(url, rules);
  if (!allowed.ok) return allowed;
  const opened = await host.open(viewport);
  if (!opened.ok) return opened;
  const page = opened.value;
  return await whileOpen(page, context.signal, async () => {
    context.progress(`opening ${url}`);
    const visited = await visit(page, url, rules);
    if (!visited.ok) return visited;
    const bytes = await capture(page, shot);
    if (!bytes.ok) return bytes;
    const words = await wordsOnPage(page, shot, context);
    return { ok: true, value: { bytes: bytes.value, visited: visited.value, words } };
  });
}

/** Works with a page that is closed in the end, and at once when the call is cancelled. */
async function whileOpen<T>(page: Page, signal: AbortSignal, work: () => Promise<Read<T>>): Promise<Read<T>> {
  const stop = (): void => void leave(page);
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) return refuse('cancelled', 'The call was cancelled', 'Ask again when it is needed.');
    return await work();
  } finally {
    signal.removeEventListener('abort', stop);
    await leave(page);
  }
}

/** Closes a page with all that belongs to it. That its browser was closed meanwhile is as good. */
export async function leave(page: Page): Promise<void> {
  await page
    .context()
    .close()
    .catch(() => undefined);
}

/** A page that the server could not give is worth telling. */
function statusLine({ status }: Visited): string[] {
  return status !== undefined && status >= 400 ? [`Status: ${status}`] : [];
}

function text(value: string): BlockInput {
  return { type: 'text', text: value };
}
