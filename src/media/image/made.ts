// The header of a source and what was made of it in, the words for what happened between them out: a model must know
// when it sees a page, a frame or another size than the file has. Nothing when the picture stayed as it was.
import type { WithText } from './codec.ts';
import { scalingWords } from './fit.ts';
import type { ImageHeader } from './format.ts';
import { upright } from './format.ts';
import { imageFormatOf } from './formats.ts';

/** `kept` says that no pixel was touched. */
export type Fitted = WithText & { kept: boolean };

/** What happened between source and block, in words a model can use. */
export function whatWasMade(header: ImageHeader, made: Fitted): string {
  if (made.kept) return header.animated && header.frames !== undefined ? `animated, ${header.frames} frames` : '';
  const source = upright(header);
  const words = [...partWords(header)];
  if (source.width !== made.width || source.height !== made.height) words.push(scalingWords(source, made));
  if (header.orientation !== 1) words.push('turned upright');
  if (header.rare !== undefined) words.push(`converted from ${header.rare}`);
  const format = imageFormatOf(header.type);
  if (format?.canonical !== true) words.push(`converted from ${format?.name ?? header.type}`);
  else if (header.type !== made.type) words.push(`saved as ${imageFormatOf(made.type)?.name ?? made.type}`);
  return words.length === 0 ? 'compressed to fit' : words.join('; ');
}

/** Which part of the source is shown, when it has more than one. */
function partWords({ type, animated, frames, pages = 1, page = 0 }: ImageHeader): string[] {
  if (animated) return [frames === undefined ? 'first frame only' : `first frame of ${frames}`];
  if (pages < 2) return [];
  return [imageFormatOf(type)?.parts === 'sizes' ? `largest of ${pages} sizes` : `page ${page + 1} of ${pages}`];
}
