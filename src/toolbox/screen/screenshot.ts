// `screenshot`: the screen of this machine, a region of it, scaled down if wished. What would cost a model too much is
// refused with what to do about it, whatever any service says about tokens.
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { ImageBlock } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { safeName } from '../../content/text.ts';
import { grouped } from '../../media/limits.ts';
import { cropPicture } from '../../media/index.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { integer, numberAt, object, regionAt, regionSchema, string, textAt } from '../argument.ts';

/** Where pictures of the screen may be saved, and what one may cost. */
export type ScreenshotOptions = {
  /** The folder into which pictures may be saved; without it the tool only shows them. */
  folder?: string;
  /** The most tokens a picture may cost, 25,000 unless told. */
  maxTokens?: number;
};

/** A token for every so many pixels, which is the dearest of the usual formulas. */
const pixelsPerToken = 750;

export function screenshotTool({ folder, maxTokens = 25_000 }: ScreenshotOptions = {}): Tool {
  const output = string('Save the picture under this name instead of showing it, such as shot.png');
  return defineTool({
    name: 'screenshot',
    description:
      'Take a screenshot of the screen of this machine, or of a region of it. Use max_dimension to scale it down.',
    concurrency: 1,
    input: object({
      region: regionSchema('Only this part of the screen, in pixels'),
      max_dimension: integer('At most so many pixels on the longer side', { minimum: 16 }),
      ...(folder !== undefined && { output }),
    }),
    run: async (given, { assets, signal }) => {
      const { captureScreen } = await import('./capture.ts');
      const screen = await captureScreen(signal);
      if (!screen.ok) return screen;
      const [region, maxEdge] = [regionAt(given), numberAt(given, 'max_dimension')];
      const picture = await cropPicture(screen.value, {
        assets,
        signal,
        name: 'screen.png',
        ...(region && { region }),
        ...(maxEdge !== undefined && { maxEdge }),
      });
      if (!picture.ok) return picture;
      const name = textAt(given, 'output');
      if (name !== undefined && folder !== undefined) {
        const bytes = (await assets.get(picture.value.asset.id)) ?? new Uint8Array();
        return await save(bytes, name, folder);
      }
      return shown(picture.value, maxTokens);
    },
  });
}

function shown(picture: ImageBlock, maxTokens: number): unknown {
  const tokens = Math.ceil((picture.width * picture.height) / pixelsPerToken);
  if (tokens > maxTokens) {
    const what = `Image is too large (${grouped(tokens)} tokens, max ${grouped(maxTokens)})`;
    return refuse('too-large', what, 'Use max_dimension to scale down or capture a smaller region.');
  }
  const said = `Screenshot captured successfully!\nSize: ${picture.width}x${picture.height}, about ${grouped(tokens)} tokens`;
  return { content: [said, { ...picture, detail: 'whole' }] };
}

/** Saves inside the folder only, and over nothing. */
async function save(bytes: Uint8Array, name: string, folder: string): Promise<Read<never> | string> {
  const path = resolve(folder, name);
  const [root, parent] = [await realpath(folder), await realpath(dirname(path)).catch(() => undefined)];
  if (parent === undefined) return refuse('not-found', 'There is no such folder', 'Name a file in one that exists.');
  const way = relative(root, parent);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    return refuse('not-allowed', `${safeName(name)} lies outside the allowed folder`, 'Give a plain name.');
  }
  try {
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
    await file.writeFile(bytes).finally(() => file.close());
  } catch {
    return refuse('not-allowed', `${safeName(name)} exists already or cannot be written`, 'Choose another name.');
  }
  return `Screenshot saved as ${safeName(name)}, ${grouped(bytes.length)} bytes.`;
}
