// A medium on the screen: a picture as the terminal can show it, a PDF by the page, anything else by its words.
import type { DocumentBlock, ImageBlock, MediaBlock } from '../../content/block.ts';
import { shortId } from '../../content/words.ts';
import { byteText } from '../../content/figures.ts';
import { refusalText, refuse } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import { shownLine, shownText } from '../shown.ts';
import type { Component } from '../kit.ts';
import { block as wrapped, line, view } from './view.ts';
import type { Scene } from './view.ts';

const box = { columns: 60, rows: 18 };

/** A PDF whose pages can be turned. */
export type Pager = { turn: (by: number) => void; toggleText: () => void; open: () => void };

type MediaView = { component: Component; pager?: Pager };

/** `drawn` is false for media of long ago: their names are enough. */
export function mediaView(block: MediaBlock, given: Scene, drawn = true): MediaView {
  const scene: Scene = drawn ? given : { ...given, graphics: 'none' };
  if (block.type === 'image') return { component: imageView(block, scene) };
  if (block.type === 'document') return documentView(block, scene);
  const name = shownLine(block.asset.name ?? block.type);
  return {
    component: view((width) => [line(scene.theme.dim(`  [${block.type}: ${name}, ${block.seconds} s]`), width)]),
  };
}

/** `[Image: photo.png, 640x480]`, the picture below it where the terminal can. */
function imageView(block: ImageBlock, scene: Scene): Component {
  const picture = pictureView(scene);
  picture.show(block);
  return view((width) => [titleLine(imageTitle(block), block, scene, width), ...picture.lines(width)]);
}

export function imageTitle({ asset, width, height }: ImageBlock): string {
  return `Image: ${shownLine(asset.name ?? 'picture')}, ${width}x${height}`;
}

/** With the folds open also how large it is, and the id by which /view finds it. */
function titleLine(title: string, { asset }: MediaBlock, { theme, open }: Scene, width: number): string {
  const more = open.calls ? `, ${byteText(asset.size)}, ${asset.mediaType}, asset ${shortId(asset.id)}` : '';
  return line(theme.dim(`  [${title}${more}]`), width);
}

function documentView(block: DocumentBlock, scene: Scene): MediaView {
  const { theme, redraw, assets } = scene;
  const [first, end] = block.range ?? [0, block.pages ?? 1];
  const name = shownLine(block.asset.name ?? 'document');
  const isPdf = block.asset.mediaType === 'application/pdf';
  const picture = pictureView(scene);
  let page = first;
  let text: string | undefined;
  let opened: string | undefined;
  const title = (): string => {
    const titled = `${isPdf ? 'PDF' : 'Document'}: ${name}`;
    if (block.pages === undefined) return titled;
    const shown =
      end - first > 1 ? `pages ${first + 1}-${end} of ${block.pages}` : `page ${first + 1} of ${block.pages}`;
    return `${titled}, ${shown}`;
  };
  const load = async (): Promise<void> => {
    const { render } = await import('../../media/index.ts');
    const range = [page, page + 1] as const;
    const drawn = await render({ to: 'pages', asset: block.asset, range, maxEdge: 1200 }, { assets }).catch(notNow);
    const found = drawn.ok ? drawn.value.find((item) => item.type === 'image') : undefined;
    if (range[0] === page) picture.show(found);
  };
  const loadText = async (): Promise<void> => {
    const { render } = await import('../../media/index.ts');
    const range = [page, page + 1] as const;
    const made = await render({ to: 'text', asset: block.asset, range }, { assets }).catch(notNow);
    const found = made.ok ? made.value.find((item) => item.type === 'text') : undefined;
    const none = made.ok ? 'This page has no text of its own.' : refusalText(made.refusal);
    if (range[0] === page) text = shownText(found?.text ?? none);
    redraw();
  };
  // Of a page in half blocks nothing can be read, so its words come first.
  if (isPdf && scene.graphics !== 'none') void (scene.graphics === 'blocks' ? loadText() : load());
  const component = view((width) => {
    const turning = end - first > 1 ? `page ${page + 1} · alt+n next · alt+p back · ` : '';
    const keys = `${turning}alt+t ${text === undefined ? 'text' : 'page'} · alt+o ${opened ?? 'opens it'}`;
    const hint = isPdf ? theme.dim(`  ${keys}`) : '';
    const body = text === undefined ? picture.lines(width) : wrapped(text, width, theme.dim, '  │ ').slice(0, box.rows);
    return [titleLine(title(), block, scene, width), ...body, ...(hint ? [line(hint, width)] : [])];
  });
  if (!isPdf) return { component };
  const turn = (by: number): void => {
    page = Math.min(Math.max(page + by, first), end - 1);
    if (text !== undefined) void loadText();
    else if (scene.graphics !== 'none') void load();
    redraw();
  };
  const toggleText = (): void => {
    if (text === undefined) void loadText();
    else {
      text = undefined;
      if (scene.graphics !== 'none') void load();
    }
    redraw();
  };
  const open = (): void =>
    void openElsewhere(block, scene).then((told) => {
      opened = told;
      redraw();
    });
  return { component, pager: { turn, toggleText, open } };
}

/** A page that cannot be read at this size is read in a viewer; the words say what became of it. */
async function openElsewhere({ asset }: DocumentBlock, { assets }: Scene): Promise<string> {
  try {
    const bytes = await assets.get(asset.id);
    if (!bytes) return 'its bytes are gone';
    const { fileForOthers, openOnDesktop } = await import('../desktop.ts');
    const file = fileForOthers(`${(asset.name ?? 'document').replace(/\.[^.]*$/, '')}.pdf`, bytes);
    return (await openOnDesktop(file)) ? 'opened' : `no viewer here: ${shownLine(file)}`;
  } catch (error) {
    return `cannot be opened: ${shownLine(error instanceof Error ? error.message : String(error))}`;
  }
}

/** Storage that fails costs a picture on the screen, not the chat. */
function notNow(error: unknown): Read<never> {
  const why = error instanceof Error ? error.message : String(error);
  return refuse('corrupt', `The page cannot be shown: ${why}`, 'Try again.');
}

/** Draws a picture when it is ready, and again when the screen changes its width or tells more of itself. */
function pictureView(scene: Scene): {
  show: (block: ImageBlock | undefined) => void;
  lines: (width: number) => string[];
} {
  let current: ImageBlock | undefined;
  let drawn: string[] = [];
  let drawnFor = '';
  const draw = async (block: ImageBlock, columns: number, wanted: string): Promise<void> => {
    const { pictureLines } = await import('../picture/picture.ts');
    const lines = await pictureLines(block, scene.graphics, { ...box, columns }, scene.assets, scene.cell()).catch(
      () => [],
    );
    if (block !== current || wanted !== drawnFor) return;
    drawn = lines.map((text) => (text === '' ? '' : `  ${text}`));
    scene.redraw();
  };
  return {
    show: (block) => {
      current = block;
      drawnFor = '';
      if (!block) drawn = [];
      scene.redraw();
    },
    lines: (width) => {
      const columns = Math.max(1, Math.min(box.columns, width - 4));
      const { width: across, height: down } = scene.cell();
      const wanted = `${columns} ${across}x${down} ${scene.graphics}`;
      if (current && wanted !== drawnFor) {
        drawnFor = wanted;
        void draw(current, columns, wanted);
        if (drawn.length > 0) drawn = []; // what was drawn for another width would be too wide
      }
      return drawn;
    },
  };
}
