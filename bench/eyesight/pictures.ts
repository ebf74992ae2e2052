// A body of any dialect in, the pictures in it out, in their order, each with the part of a whole that its label names.
import type { Box } from './draw.ts';

/** `part`: where a piece lies on the whole, as the label before it says. `overview`: the whole of it, small. */
export type Found = { base64: string; detail?: string; part?: Box; overview?: true };

const starts = ['iVBORw0KGgo', '/9j/', 'UklGR', 'R0lGOD'];

/** Labels stand before their pictures, or all of them before all pictures: in order in both. */
export function picturesIn(body: unknown): Found[] {
  const found: Found[] = [];
  const labels: Pick<Found, 'part' | 'overview'>[] = [];
  const walk = (value: unknown, key: string, parent: Record<string, unknown>): void => {
    if (typeof value === 'string') {
      const base64 = pictureIn(value, key);
      const detail = typeof parent['detail'] === 'string' ? { detail: parent['detail'] } : {};
      if (base64 === undefined) labels.push(...value.split('\n').flatMap(labelIn));
      else found.push({ base64, ...detail, ...labels.shift() });
    } else if (Array.isArray(value)) for (const one of value) walk(one, key, parent);
    else if (typeof value === 'object' && value !== null) {
      const fields = value as Record<string, unknown>;
      for (const [name, one] of Object.entries(fields)) walk(one, name, fields);
    }
  };
  walk(body, '', {});
  return found;
}

/** Where a dialect puts pictures; the same letters in a text are no picture. */
const pictureKeys = new Set(['data', 'url', 'image_url', 'images']);

function pictureIn(text: string, key: string): string | undefined {
  if (!pictureKeys.has(key)) return undefined;
  const base64 = text.startsWith('data:image/') ? text.slice(text.indexOf(',') + 1) : text;
  return starts.some((start) => base64.startsWith(start)) ? base64 : undefined;
}

function labelIn(line: string): Pick<Found, 'part' | 'overview'>[] {
  if (line.includes('the whole of it small')) return [{ overview: true }];
  const label = /\[(?:tile|part) \d+ of \d+ of .* (\d+)×\d+,(?: x (\d+)-(\d+),)? y (\d+)-(\d+), shown at/.exec(line);
  if (!label) return [];
  const [across, left = 0, right = across, top = 0, bottom = 0] = label
    .slice(1)
    .map((one) => (one ? Number(one) : undefined));
  return [{ part: { x: left, y: top, width: (right ?? 0) - left, height: bottom - top } }];
}
