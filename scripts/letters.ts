// How well the size of letters is told on pictures that nobody had in mind: other fonts, other scripts, dark themes, fonts like
// handwriting. The fonts are packages of Debian, fetched and unpacked in node_modules/.cache/letters, and installed nowhere.
// Ends with 1 when fewer than 95 of 100 are within a quarter.
//   npm run letters     needs apt-get, dpkg and the net the first time
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Pixels } from '../src/media/image/fit.ts';
import { textSizeIn } from '../src/media/image/legibility.ts';
import { scripts, writing } from '../test/media/writing.ts';
import { argumentsOf } from './arguments.ts';

argumentsOf(import.meta.filename, {});
const folder = fileURLToPath(new URL('../node_modules/.cache/letters/', import.meta.url));
const packages = [
  'fonts-averia-sans-gwf', 'fonts-breip', 'fonts-comic-neue', 'fonts-dancingscript', 'fonts-firacode', 'fonts-hack',
  'fonts-hosny-amiri', 'fonts-humor-sans', 'fonts-ipafont-gothic', 'fonts-jura', 'fonts-kristi', 'fonts-lato',
  'fonts-liberation2', 'fonts-linuxlibertine', 'fonts-nanum', 'fonts-noto-core', 'fonts-open-sans', 'fonts-paratype',
  'fonts-play', 'fonts-roboto-unhinted', 'fonts-wqy-microhei',
]; // prettier-ignore

if (process.env['FONTCONFIG_FILE'] === undefined) {
  const trouble = fetchFonts();
  if (trouble !== undefined) {
    console.error(`Nothing is tried: ${trouble}.`);
    process.exit(2);
  }
  const env = { ...process.env, FONTCONFIG_FILE: `${folder}fonts.conf` };
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit', env });
  process.exit(status ?? 1);
}

const { latin, cyrillic, greek, arabic, code } = scripts;
const chinese =
  '敏捷 的棕色 狐狸 跳过 懒狗 工程师 测量 每个 字母 的像素 总计 四千七百 服务器 配置 渲染 错误 日志 登录 页面';
const japanese = '素早い 茶色の 狐が のろまな 犬を 飛び越える エンジニア 文字の 画素 を 測る 合計 設定 ページ エラー';
const korean = '빠른 갈색 여우가 게으른 개를 뛰어넘고 엔지니어는 글자의 픽셀을 측정한다 합계 설정 오류 로그인 페이지';
const hebrew = 'השועל החום המהיר קופץ מעל הכלב העצלן מהנדסים מודדים פיקסלים של כל אות סך הכול הגדרות';

/** What is written in which fonts. */
const rows: [kind: string, text: string, fonts: string[]][] = [
  ['Latin', latin, ['Liberation Sans', 'Liberation Serif', 'Lato', 'Open Sans', 'Roboto', 'Linux Libertine O', 'PT Serif', 'Jura', 'Play', 'Noto Sans', 'Linux Biolinum O', 'PT Sans Narrow', 'Noto Serif', 'PT Sans Caption']],
  ['code', code, ['Liberation Mono', 'Fira Code', 'Hack', 'PT Mono']],
  ['Cyrillic', cyrillic, ['Liberation Sans', 'PT Sans', 'PT Serif', 'Roboto', 'Noto Serif']],
  ['Greek', greek, ['Liberation Serif', 'Noto Sans', 'Open Sans']],
  ['Arabic', arabic, ['Amiri', 'Noto Naskh Arabic', 'Noto Sans Arabic', 'Noto Kufi Arabic']],
  ['Hebrew', hebrew, ['Noto Sans Hebrew', 'Noto Serif Hebrew']],
  ['Chinese', chinese, ['WenQuanYi Micro Hei']],
  ['Japanese', japanese, ['IPAGothic', 'IPAPGothic']],
  ['Korean', korean, ['NanumGothic', 'NanumMyeongjo', 'NanumBarunGothic', 'NanumSquare']],
  ['handwriting', latin, ['Comic Neue', 'Humor Sans', 'Averia Sans GWF', 'Breip', 'Dancing Script', 'Kristi']],
]; // prettier-ignore
const sizes = [10, 13, 16, 21, 28];

const misses = new Map<string, string[]>();
let tried = 0;
for (const [kind, text, fonts] of rows)
  for (const font of fonts)
    for (const [at, px] of sizes.entries())
      for (const dark of [false, true]) {
        tried++;
        const found = textSizeIn(
          await pixelsOf(writing({ px, font, text, dark, width: 760, height: 500, leading: leadingOf(kind, at) })),
        );
        const off = found === undefined ? undefined : found / px;
        if (off === undefined || Math.abs(off - 1) > 0.25)
          misses.set(kind, [
            ...(misses.get(kind) ?? []),
            `${font} ${px}${dark ? ' dark' : ''}: ${off === undefined ? 'nothing' : off.toFixed(2)}`,
          ]);
      }
const missed = [...misses.values()].flat().length;
for (const [kind, list] of misses) console.log(`${kind}: ${list.join('; ')}`);
console.log(`${tried - missed} of ${tried} within a quarter (${(((tried - missed) / tried) * 100).toFixed(1)} %)`);
process.exitCode = missed <= tried * 0.05 ? 0 : 1;

/** Arabic fonts reach far above and below their lines, and ask for more room themselves. */
function leadingOf(kind: string, at: number): number {
  return (kind === 'Arabic' ? 1.7 : 1.3) + (at % 2) * 0.3;
}

async function pixelsOf(picture: ReturnType<typeof writing>): Promise<Pixels> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 };
}

/** Why the fonts cannot be had; nothing where they are there. */
function fetchFonts(): string | undefined {
  mkdirSync(folder, { recursive: true });
  const missing = packages.filter((name) => globSync(`${name}_*.deb`, { cwd: folder }).length === 0);
  if (missing.length > 0) {
    const { status, stderr } = spawnSync('apt-get', ['download', '-q', ...missing], { cwd: folder });
    if (status !== 0)
      return `apt-get download: ${
        stderr
          .toString()
          .split('\n')
          .findLast((line) => line.startsWith('E:')) ?? 'failed'
      }`;
  }
  for (const file of existsSync(`${folder}unpacked`) && missing.length === 0 ? [] : globSync('*.deb', { cwd: folder }))
    if (spawnSync('dpkg', ['-x', file, 'unpacked'], { cwd: folder }).status !== 0) return `dpkg cannot unpack ${file}`;
  const config = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}unpacked</dir><cachedir>${folder}cache</cachedir></fontconfig>`;
  writeFileSync(`${folder}fonts.conf`, config);
  return undefined;
}
