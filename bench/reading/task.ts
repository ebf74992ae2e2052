// One way of reading one file, called a few times in this process after a warm-up with something small. CPU is that of
// this process and of its children, for the decoders work in a child.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import type * as Sightline from '../../src/index.ts';
import type * as Media from '../../src/media/index.ts';
import type { Task } from '../harness.ts';

/** `calls` of the same work make one figure; the CPU time of programs that have ended is counted in steps of 10 ms. */
export type Way = { way: string; path: string; times: number; calls: number };
export type Taken = { wallMs: number[]; cpuMs: number[]; addedMb: number };

const ways: { [way: string]: (path: string) => Promise<() => Promise<unknown>> } = {
  async 'Sightline, read()'(path) {
    const { memoryAssets, read } = await sightline();
    await read(new TextEncoder().encode('warm'));
    return () => read(path, { assets: memoryAssets() });
  },
  async 'Sightline, all the text'(path) {
    const { render, assets, asset } = await stored(path);
    return () => ok(render({ to: 'text', asset }, { assets }));
  },
  async 'Sightline, 20 pages drawn'(path) {
    const { render, assets, asset } = await stored(path);
    return () => ok(render({ to: 'pages', asset, range: [0, 20], maxEdge: 2000 }, { assets }));
  },
  async 'Sightline, 5 pages cut out'(path) {
    const { render, assets, asset } = await stored(path);
    return () => ok(render({ to: 'pdf', asset, range: [100, 105] }, { assets }));
  },
  async 'bare sharp'(path) {
    const { default: sharp } = await import('sharp');
    sharp.concurrency(1);
    const png = path.endsWith('.png');
    return async () => {
      const sized = sharp(readFileSync(path))
        .autoOrient()
        .resize(2000, 2000, { fit: 'inside', withoutEnlargement: true });
      return png
        ? sized.png({ compressionLevel: 6 }).toBuffer()
        : sized.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer();
    };
  },
  async "pi's read tool"(path) {
    const { createReadTool } = await import('@earendil-works/pi-coding-agent');
    const tool = createReadTool(process.cwd());
    return () => tool.execute('call', { path });
  },
  async mammoth(path) {
    const { default: mammoth } = await import('mammoth');
    return () => mammoth.convertToHtml({ path });
  },
  async officeparser(path) {
    const { parseOffice } = await import('officeparser');
    return () => parseOffice(path);
  },
  async 'pdf.js'(path) {
    const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    return async () => {
      const task = getDocument({ data: new Uint8Array(readFileSync(path)), verbosity: 0 });
      const pdf = await task.promise;
      for (let page = 1; page <= pdf.numPages; page++) await (await pdf.getPage(page)).getTextContent();
      await task.destroy();
    };
  },
  async 'bare PDFium'(path) {
    const { init } = await import('@embedpdf/pdfium');
    const wasm = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
    const pdfium = await init({ wasmBinary: new Uint8Array(wasm).buffer });
    pdfium.PDFiumExt_Init();
    return async () => bareText(pdfium, readFileSync(path));
  },
  async pdftotext(path) {
    return async () => execFileSync('pdftotext', [path, '/dev/null']);
  },
  async 'pdftoppm, raw'(path) {
    return async () => execFileSync('pdftoppm', ['-r', '150', '-f', '1', '-l', '20', path], { maxBuffer: 2 ** 30 });
  },
  async qpdf(path) {
    return async () => execFileSync('qpdf', [path, '--pages', '.', '101-105', '--', '/dev/null']);
  },
};

/** Every page opened and its text taken, as the library gives it: what nobody who uses it can save. */
function bareText(pdfium: WrappedPdfiumModule, bytes: Uint8Array): number {
  const library = pdfium.pdfium as unknown as {
    wasmExports: { malloc(size: number): number; free(at: number): void };
    HEAPU8: Uint8Array;
  };
  const raw = library.wasmExports;
  const memory = raw.malloc(bytes.length);
  library.HEAPU8.set(bytes, memory);
  const document = pdfium.FPDF_LoadMemDocument(memory, bytes.length, '');
  let length = 0;
  for (let at = 0; at < pdfium.FPDF_GetPageCount(document); at += 1) {
    const page = pdfium.FPDF_LoadPage(document, at);
    const text = pdfium.FPDFText_LoadPage(page);
    const count = pdfium.FPDFText_CountChars(text);
    const room = raw.malloc(count * 4 + 2);
    const written = pdfium.FPDFText_GetText(text, 0, count, room) - 1;
    length += new TextDecoder('utf-16le').decode(library.HEAPU8.subarray(room, room + written * 2)).length;
    raw.free(room);
    pdfium.FPDFText_ClosePage(text);
    pdfium.FPDF_ClosePage(page);
  }
  pdfium.FPDF_CloseDocument(document);
  raw.free(memory);
  return length;
}

/** As it is installed: what strips the types off the source would count in the program and in its children. */
function built(path: string): string {
  return new URL(`../../dist/${path}`, import.meta.url).href;
}

async function sightline(): Promise<typeof Sightline> {
  return (await import(built('index.js'))) as typeof Sightline;
}

type Stored = { render: typeof Media.render; assets: Sightline.AssetStore; asset: Sightline.Asset };

async function stored(path: string): Promise<Stored> {
  const { memoryAssets, read } = await sightline();
  const { render } = (await import(built('media/index.js'))) as typeof Media;
  const assets = memoryAssets();
  await read(path, { assets });
  const asset = await assets.put(readFileSync(path), { mediaType: 'application/pdf', name: 'book.pdf' });
  return { render, assets, asset };
}

async function ok(work: Promise<{ ok: boolean }>): Promise<void> {
  if (!(await work).ok) throw new Error('The work was refused.');
}

const task: Task<Way, Taken> = async ({ way, path, times, calls }) => {
  const call = await ways[way]?.(path);
  if (!call) throw new Error(`There is no way "${way}".`);
  const taken: Taken = { wallMs: [], cpuMs: [], addedMb: 0 };
  await call();
  const before = process.memoryUsage.rss();
  for (let round = 0; round < times; round++) {
    const cpu = cpuOfAll();
    const start = performance.now();
    for (let count = 0; count < calls; count++) await call();
    taken.wallMs.push((performance.now() - start) / calls);
    taken.cpuMs.push((cpuOfAll() - cpu) / calls);
    taken.addedMb = Math.max(taken.addedMb, (process.memoryUsage.rss() - before) / 1e6);
  }
  return taken;
};

export default task;

/** Milliseconds of CPU that this process, its ended children and its living ones have used; Linux only. */
function cpuOfAll(): number {
  const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && statOf(pid)?.parent === process.pid);
  const living = ['self', ...children].reduce((sum, pid) => sum + usedBy(pid), 0);
  return living + (statOf('self')?.endedMs ?? 0);
}

function statOf(pid: string): { parent: number; endedMs: number } | undefined {
  const tick = 10;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    const number = (at: number): number => Number(fields[at] ?? 0);
    return { parent: number(1), endedMs: (number(13) + number(14)) * tick };
  } catch {
    return undefined; // it ended between the listing and the look
  }
}

/** All threads of a process, by the scheduler's own clock, which counts in nanoseconds. */
function usedBy(pid: string): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const used = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]);
    return used.reduce((sum, ns) => sum + Number(ns) / 1e6, 0);
  } catch {
    return 0;
  }
}
