// The child process: a job in, its result or a refusal out, one at a time. Libraries are loaded when the first job
// needs them, or at once when the parent says which. It ends itself when the parent is gone, also in mid-work.
import { Worker } from 'node:worker_threads';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { Reply, Request } from './job.ts';

const pictureJobs = ['check-image', 'encode-image', 'crop-image', 'compare-images', 'draw-svg', 'thumbnail'] as const;
type PictureJob = (typeof pictureJobs)[number];

const end = (): void => void process.kill(process.pid, 'SIGKILL'); // an orderly exit would wait for native threads

process.on('disconnect', end);
process.on('SIGINT', () => undefined); // Ctrl-C in a terminal reaches us too; the parent decides
process.on('message', (request: Request) => void answer(request));
preload(process.argv[2]);

/** The library for the first job loads while that job is still on its way. */
function preload(job: string | undefined): void {
  if (job === 'read-picture') return; // rare, and its own library is loaded by the job
  if (job === 'extract') return; // which reader it needs is only known with the document
  const loading = pictureJobs.some((name) => name === job)
    ? import('../image/codec.ts').then(({ loadCodec }) => loadCodec())
    : import('../pdf/engine.ts').then(({ loadPdfium }) => loadPdfium());
  loading.catch(() => undefined); // the job itself will meet the same failure and report it
}

async function answer(request: Request): Promise<void> {
  send({ begun: true });
  const result = await run(request).catch(failure);
  send({ result, residentBytes: process.memoryUsage.rss() });
}

async function run(request: Request): Promise<Read<unknown>> {
  if (isPictureRequest(request)) return await runImage(request);
  watchParent();
  if (request.job === 'extract') return await (await import('../document/extract.ts')).extract(request.input);
  if (request.job === 'read-picture') return await (await import('../ocr/work.ts')).readPicture(request.input);
  const work = await import('../pdf/work.ts');
  if (request.job === 'read-pdf') return await work.readPdf(request.input);
  if (request.job === 'draw-pages') return await work.drawPages(request.input);
  return await work.cutPdf(request.input);
}

function isPictureRequest(request: Request): request is Request & { job: PictureJob } {
  return pictureJobs.some((name) => name === request.job);
}

async function runImage(request: Request & { job: PictureJob }): Promise<Read<unknown>> {
  const codec = await import('../image/codec.ts');
  if (request.job === 'draw-svg') {
    const { svg, target, maxPixels } = request.input;
    return { ok: true, value: (await codec.drawSvg(svg, target, maxPixels)) ?? null };
  }
  if (request.job === 'thumbnail') {
    const { bytes, ...box } = request.input;
    return { ok: true, value: await codec.thumbnail(bytes, box) };
  }
  if (request.job === 'check-image') {
    const { bytes, header, maxPixels } = request.input;
    await codec.checkDecodes(bytes, header, maxPixels);
    return { ok: true, value: null };
  }
  if (request.job === 'crop-image') {
    const { bytes, header, crop, target, maxPixels } = request.input;
    return { ok: true, value: (await codec.crop(bytes, header, crop, target, maxPixels)) ?? null };
  }
  if (request.job === 'compare-images') {
    const { one, other, target, maxPixels } = request.input;
    const { difference } = await import('../image/difference.ts');
    return { ok: true, value: (await difference(one, other, target, maxPixels)) ?? null };
  }
  const { bytes, header, target, maxPixels } = request.input;
  return { ok: true, value: (await codec.encode(bytes, header, target, maxPixels)) ?? null };
}

function failure(error: unknown): Read<never> {
  const message = error instanceof Error ? error.message : String(error);
  const absent = /Cannot find (package|module)|Could not load the "sharp" module/.exec(message);
  if (absent !== null) {
    return refuse('missing-decoder', 'The library that decodes this kind of file is not installed', 'Install it.');
  }
  return refuse('corrupt', message.split('\n')[0] ?? 'It cannot be decoded', 'Get the file again or export it anew.');
}

let watched = false;

/** A PDF keeps this thread busy, so a second one looks whether the parent still lives. */
function watchParent(): void {
  if (watched) return;
  watched = true;
  const look = `setInterval(() => process.ppid === ${process.ppid} || process.kill(process.pid, 'SIGKILL'), 1000)`;
  new Worker(look, { eval: true, execArgv: [] }).unref();
}

function send(reply: Reply): void {
  process.send?.(reply, undefined, undefined, (error) => error && end());
}
