// The pictures that eyes are tried on: pages of words nobody can guess, each a string of HTML with the size of its window.
// The same name always gives the same page.

export const kinds = ['desktop', 'terminal', 'dashboard', 'tall', 'slide', 'page', 'scan', 'photo', 'small'] as const;
export type Kind = (typeof kinds)[number];

/** `ratio`: pixels of the picture for each of the page. `as`: what becomes of the picture behind the camera. */
export type Item = {
  id: string;
  kind: Kind;
  html: string;
  width: number;
  height: number;
  ratio: number;
  as: 'screenshot' | 'scan' | 'photo';
};

type Random = () => number;
type Shape = { width: number; height: number; ratio: number; px: number };

export function itemsOf(perKind: number): Item[] {
  return kinds.flatMap((kind) => Array.from({ length: perKind }, (_, at) => itemOf(kind, at)));
}

function itemOf(kind: Kind, at: number): Item {
  const id = `${kind}-${String(at + 1).padStart(2, '0')}`;
  const random = seeded(id);
  const shapes = shapesOf[kind];
  const shape = shapes[at % shapes.length] ?? { width: 1280, height: 800, ratio: 1, px: 13 };
  const as = kind === 'scan' || kind === 'photo' ? kind : 'screenshot';
  const { width, height, ratio } = shape;
  return { id, kind, html: drawings[kind](shape, random, at), width, height, ratio, as };
}

const shape = (width: number, height: number, ratio: number, px: number): Shape => ({ width, height, ratio, px });
const shapesOf: Record<Kind, Shape[]> = {
  desktop: [
    shape(1280, 800, 1, 12),
    shape(1440, 900, 2, 13),
    shape(1920, 1080, 1, 13),
    shape(2560, 1440, 1, 14),
    shape(3840, 2160, 1, 14),
    shape(1920, 1080, 2, 12),
  ],
  terminal: [
    shape(960, 600, 1, 13),
    shape(1280, 800, 2, 13),
    shape(1920, 1080, 1, 14),
    shape(2560, 1440, 1, 15),
    shape(1600, 1200, 1.5, 12),
  ],
  dashboard: [
    shape(1440, 900, 1, 12),
    shape(1920, 1080, 1, 11),
    shape(2560, 1440, 1, 12),
    shape(3840, 2160, 1, 13),
    shape(1600, 1000, 2, 11),
  ],
  tall: [
    shape(1280, 3000, 1, 15),
    shape(1280, 5000, 1, 14),
    shape(1280, 7000, 1, 16),
    shape(1280, 9000, 1, 14),
    shape(1280, 12_000, 1, 15),
    shape(820, 4000, 1.5, 14),
  ],
  slide: [shape(1920, 1080, 1, 28), shape(1280, 720, 1, 22), shape(2560, 1440, 1, 34), shape(1280, 720, 2, 20)],
  page: [shape(1240, 1754, 1, 19), shape(827, 1169, 2, 12), shape(827, 1169, 3, 11), shape(1700, 2200, 1, 25)],
  scan: [shape(1240, 1754, 1, 20), shape(827, 1169, 2, 12.5), shape(1240, 1754, 1.5, 18)],
  photo: [shape(1512, 1134, 2, 17), shape(1134, 1512, 2, 18), shape(1344, 1008, 3, 15)],
  small: [shape(320, 180, 1, 13), shape(480, 300, 1, 12), shape(640, 400, 1, 14), shape(300, 200, 2, 12)],
};

const syllables =
  'ba be bo da de do fa fe fi ga ge go ka ke ko la le lo ma me mi na ne no pa pe po ra re ro sa se so ta te to va ve vo za ze zo mur tan vel kor pin sul gar het'.split(
    ' ',
  );

/** A word nobody knows, so that nobody can guess it. */
function word(random: Random): string {
  const count = 2 + Math.floor(random() * 3);
  return Array.from({ length: count }, () => syllables[Math.floor(random() * syllables.length)]).join('');
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(' ');
}

function figure(random: Random): string {
  return String(Math.floor(10_000 + random() * 9_989_999));
}

function hex(random: Random): string {
  return Math.floor(0x10_00_00 + random() * 0xef_ff_ff)
    .toString(16)
    .padStart(6, '0');
}

/** The same numbers for the same name (mulberry32 over FNV-1a). */
export function seeded(name: string): Random {
  let state = Array.from(name).reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619),
    2_166_136_261,
  );
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function many(count: number, make: (at: number) => string): string {
  return Array.from({ length: Math.max(1, Math.floor(count)) }, (_, at) => make(at)).join('');
}

const dark = { paper: '#1e1e1e', ink: '#d4d4d4', soft: '#2a2d2e', faint: '#9da5b4', mark: '#569cd6' };
const light = { paper: '#ffffff', ink: '#222222', soft: '#f1f3f5', faint: '#5c6670', mark: '#0b5cad' };

function document(style: string, body: string): string {
  return `<!doctype html><meta charset="utf-8"><style>*{box-sizing:border-box;margin:0}body{overflow:hidden;${style}}</style><body>${body}</body>`;
}

function theme(at: number): typeof dark {
  return at % 2 === 0 ? light : dark;
}

function code(random: Random): string {
  const indent = '&nbsp;'.repeat(2 * Math.floor(random() * 4));
  const forms = [
    () => `const ${word(random)} = ${word(random)}(${word(random)}, ${figure(random)});`,
    () => `return ${word(random)}.${word(random)} + ${figure(random)};`,
    () => `if (${word(random)} === "${word(random)}") ${word(random)}();`,
    () => `// ${words(random, 5)}`,
    () => `import { ${word(random)} } from "./${word(random)}";`,
  ];
  return indent + (forms[Math.floor(random() * forms.length)]?.() ?? '');
}

const drawings: Record<Kind, (shape: Shape, random: Random, at: number) => string> = {
  desktop({ width, height, px }, random, at) {
    const { paper, ink, soft, faint, mark } = theme(at);
    const row = px * 1.5;
    const side = `<div style="width:${width * 0.18}px;background:${soft};padding:8px">${many(height / row - 4, () => `<div>${word(random)}.${word(random).slice(0, 3)}</div>`)}</div>`;
    const pane = (count: number): string =>
      `<div style="flex:1;padding:8px 14px;overflow:hidden;white-space:nowrap;font-family:'DejaVu Sans Mono'">${many(count, (line) => `<div><span style="color:${faint}">${line + 1}</span>&nbsp; <span style="color:${line % 5 === 0 ? mark : ink}">${code(random)}</span></div>`)}</div>`;
    const panes = many(width / 1000, () => pane(height / row - 5));
    const menu = `<div style="background:${soft};padding:4px 10px">${words(random, 8)}</div>`;
    const status = `<div style="background:${mark};color:#fff;padding:2px 10px">${words(random, 9)}</div>`;
    return document(
      `font:${px}px/1.5 'DejaVu Sans';color:${ink};background:${paper};height:${height}px;display:flex;flex-direction:column`,
      `${menu}<div style="flex:1;display:flex;overflow:hidden">${side}${panes}</div>${status}`,
    );
  },
  terminal({ height, width, px }, random, at) {
    const columns = Math.floor(width / (px * 0.61)) - 30;
    const line = (): string => {
      const start = `<span style="color:#6a9955">${figure(random)}</span> ${hex(random)}${hex(random)}`;
      return `<div>${start} ${words(random, 1 + Math.floor((random() * columns) / 10))}</div>`;
    };
    const { paper, ink } = at % 4 === 3 ? light : { paper: '#0c0c0c', ink: '#cccccc' };
    return document(
      `font:${px}px/1.35 'DejaVu Sans Mono';white-space:nowrap;color:${ink};background:${paper};padding:10px`,
      many(height / (px * 1.35), line),
    );
  },
  dashboard({ width, height, px }, random, at) {
    const { paper, ink, soft, faint, mark } = theme(at + 1);
    const card = (): string =>
      `<div style="background:${soft};border-radius:6px;padding:12px;overflow:hidden"><div style="color:${faint}">${words(random, 2)}</div><div style="font-size:${px * 2}px">${figure(random)}</div><div style="color:${mark}">${word(random)} ${figure(random)}</div></div>`;
    const cell = (): string => `<td style="padding:2px 10px">${random() < 0.5 ? word(random) : figure(random)}</td>`;
    const rows = (height * 0.7) / (px * 1.5 + 4);
    const table = `<table style="background:${soft};width:100%;border-radius:6px;white-space:nowrap">${many(rows, () => `<tr>${many(Math.min(14, width / (px * 11)), cell)}</tr>`)}</table>`;
    const bars = many(
      30,
      () =>
        `<rect x="${Math.floor(random() * 500)}" y="20" width="9" height="${Math.floor(20 + random() * 80)}" fill="${mark}"/>`,
    );
    return document(
      `font:${px}px/1.4 'DejaVu Sans';color:${ink};background:${paper};padding:14px`,
      `<div style="display:grid;grid-template-columns:repeat(${Math.floor(width / 230)},1fr);gap:10px;margin-bottom:10px">${many(Math.floor(width / 230), card)}</div><svg width="520" height="110">${bars}</svg>${table}`,
    );
  },
  tall({ width, height, px }, random, at) {
    const { paper, ink, soft } = at % 5 === 4 ? dark : light;
    const family = at % 2 === 0 ? 'DejaVu Serif' : 'DejaVu Sans';
    const perParagraph = (width * 0.62 * 5) / (px * 4.6);
    const block = (): string =>
      `<h2 style="font-size:${px * 1.5}px;margin:14px 0 6px">${words(random, 4)}</h2><p>${words(random, perParagraph)}</p>`;
    const aside = `<div style="width:22%;background:${soft};padding:12px;font-size:${px * 0.9}px">${many(height / (px * 10), () => `<p style="margin-bottom:${px * 2}px">${words(random, 8)}</p>`)}</div>`;
    return document(
      `font:${px}px/1.55 '${family}';color:${ink};background:${paper};display:flex;height:${height}px`,
      `<div style="width:70%;padding:20px 40px">${many(height / (px * 12), block)}</div>${aside}`,
    );
  },
  slide({ width, height, px }, random, at) {
    const { paper, ink, mark } = at % 3 === 2 ? dark : light;
    const bullet = (): string => `<li style="margin:${px * 0.35}px 0">${words(random, 5)}</li>`;
    return document(
      `font:${px}px/1.4 'DejaVu Sans';color:${ink};background:${paper};padding:${width * 0.05}px;height:${height}px`,
      `<h1 style="font-size:${px * 1.7}px;color:${mark}">${words(random, 3)}</h1><ul>${many(Math.min(9, (height * 0.55) / (px * 2.1)), bullet)}</ul><p style="font-size:${px * 0.55}px;position:absolute;bottom:${width * 0.02}px">${words(random, 12)} ${figure(random)}</p>`,
    );
  },
  page: (size, random, at) => printed(size, random, at, ''),
  scan: (size, random, at) =>
    printed(size, random, at, `transform:rotate(${(random() * 1.6 - 0.8).toFixed(2)}deg) scale(.97);`),
  photo({ width, height, px }, random) {
    const turn = `perspective(${width * 2}px) rotateX(${(4 + random() * 6).toFixed(1)}deg) rotateY(${(random() * 6 - 3).toFixed(1)}deg) rotate(${(random() * 3 - 1.5).toFixed(1)}deg)`;
    const lines = many(
      (height * 0.78) / (px * 1.5 * 6),
      () => `<p style="margin-bottom:${px}px">${words(random, (width * 0.66 * 5) / (px * 5.2))}</p>`,
    );
    return document(
      `background:radial-gradient(at 30% 20%,#8a6f52,#4a3826);width:${width}px;height:${height}px`,
      `<div style="width:${width * 0.8}px;height:${height * 0.9}px;margin:${height * 0.05}px auto;overflow:hidden;background:linear-gradient(115deg,#fbfaf4,#cfcabd);color:#2b2a28;padding:${px * 2}px;font:${px}px/1.5 'DejaVu Serif';transform:${turn};box-shadow:0 20px 40px #0008">${lines}</div>`,
    );
  },
  small({ width, height, px }, random, at) {
    const { paper, ink, soft, mark } = theme(at);
    const line = (): string => `<div>${words(random, Math.max(2, width / (px * 5.5)))}</div>`;
    return document(
      `font:${px}px/1.45 'DejaVu Sans';color:${ink};background:${paper};padding:8px;height:${height}px`,
      `<div style="background:${soft};color:${mark};padding:3px">${words(random, 2)} ${figure(random)}</div>${many(height / (px * 1.45) - 2, line)}`,
    );
  },
};

/** A printed page, in one column or two. */
function printed({ width, height, px }: Shape, random: Random, at: number, turned: string): string {
  const paragraph = (): string => `<p style="margin-bottom:${px * 0.7}px">${words(random, 55)}</p>`;
  const columns = at % 2 === 0 ? 1 : 2;
  const count = (width * 0.8 * height * 0.8) / (px * px * 1.4 * 55 * 4);
  return document(
    `background:#fff;width:${width}px;height:${height}px`,
    `<div style="${turned}height:${height}px;padding:${width * 0.08}px;overflow:hidden;color:#111;font:${px}px/1.4 '${at % 3 === 0 ? 'DejaVu Sans' : 'DejaVu Serif'}'"><h1 style="font-size:${px * 1.6}px;margin-bottom:${px}px">${words(random, 4)}</h1><div style="columns:${columns};column-gap:${px * 2}px">${many(count, paragraph)}</div></div>`,
  );
}
