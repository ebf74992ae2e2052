// Pictures of writing, drawn with the fonts of this machine: lines of words in a size that is known.
import sharp from 'sharp';
import type { Sharp } from 'sharp';

/** Words of several scripts; what they say does not matter. */
export const scripts = {
  latin:
    'the quick brown fox jumps over lazy dogs while seven clever engineers measure pixels of every letter Config Render 4711 value=0.25 total',
  code: 'const value = items.map((x) => x.id + 42); return { ok: true, [key]: false } // TODO_FIX 0xff00aa if (a || !b) await fetch("/api/v1")',
  cyrillic:
    'съешь же ещё этих мягких французских булок да выпей чаю Быстрая лиса прыгает через ленивую собаку Итого 4711',
  greek: 'ξεσκεπάζω την ψυχοφθόρα βδελυγμία το κόκκινο Σύνολο αλεπού πηδάει πάνω από',
  arabic: 'نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر ومغلف بجلد أزرق',
  figures: '4,711 0.25 12:30 99% 1,024 $3.50 2026-11 +17 3,141 59.2',
} as const;

export type Script = keyof typeof scripts;

type Page = {
  px: number;
  width: number;
  height: number;
  font?: string;
  script?: Script;
  /** Other words than those of a script. */
  text?: string;
  dark?: boolean;
  /** Nothing lies behind the letters. */
  clear?: boolean;
  leading?: number;
};

/** Lines of words in letters of so many pixels, ragged at their ends. */
export function writing({
  px,
  width,
  height,
  font = 'DejaVu Sans',
  script = 'latin',
  text = scripts[script],
  dark = false,
  clear = false,
  leading = 1.45,
}: Page): Sharp {
  const words = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').split(' ');
  let seed = px * 7 + 1;
  const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const line = (length: number): string => {
    let row = '';
    while (row.length < length) row += `${words[Math.floor(next() * words.length)]} `;
    return row;
  };
  const [paper, ink] = dark ? ['#1e1e1e', clear ? '#ffffff' : '#d4d4d4'] : ['#ffffff', '#222222'];
  const lines = Array.from({ length: Math.floor((height - px) / (px * leading)) }, (_, row) => {
    const share = 0.55 + next() * 0.4;
    const y = (px * 1.5 + row * px * leading).toFixed(1);
    return `<text x="12" y="${y}" font-family="${font}" font-size="${px}" fill="${ink}">${line((width / (px * 0.6)) * share)}</text>`;
  });
  const behind = clear ? '' : `<rect width="100%" height="100%" fill="${paper}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${behind}${lines.join('')}</svg>`;
  const drawn = sharp(Buffer.from(svg), { limitInputPixels: false });
  return clear ? drawn : drawn.flatten({ background: paper });
}
