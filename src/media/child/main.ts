// The child process: a job in, its result or a refusal out, one at a time. Libraries are loaded when the first job
// needs them, or at once when the parent says which. It ends itself when the parent is gone, also in mid-work.
import * as modules from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import type { DocumentKind } from '../document/kinds.ts';
import type { OnProgress } from '../context.ts';
import { paced } from '../context.ts';
import type { Reply, Request } from './job.ts';
import { missingDecoder, missingLibrary } from './missing.ts';
import { notShared, sharedIn } from './shared.ts';

const pictureJobs = [
  'check-image',
  'encode-image',
  'crop-image',
  'tile-image',
  'compare-images',
  'draw-svg',
  'thumbnail',
] as const;
type PictureJob = (typeof pictureJobs)[number];

/** The parent has the bytes of jobs in a file that follows the channel. */
const shared = process.argv[3] === undefined ? notShared : sharedIn(4);

const end = (): void => void process.kill(process.pid, 'SIGKILL'); // an orderly exit would wait for native threads

const { enableCompileCache, flushCompileCache }: Partial<typeof modules> = modules; // Deno has neither
enableCompileCache?.(); // compiled code is kept between runs, which halves the time to start
// Most jobs are done before code that was compiled for speed pays: what is compiled for it must be ten times as hot as
// usual. A version of V8 that does not know one of these words goes on without it.
for (const [what, calls] of [
  ['maglev', 4000],
  ['maglev-osr', 1000],
  ['turbofan', 30_000],
  ['osr', 5000],
] as const) {
  setFlagsFromString(`--invocation-count-for-${what}=${calls}`);
}

process.on('disconnect', end);
process.on('SIGINT', () => undefined); // Ctrl-C in a terminal reaches us too; the parent decides
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parent says nothing else
process.on('message', (message: unknown) => void answer(shared.take(message) as Request));
preload(process.argv[2]);

/** The library for the first job loads while that job is still on its way. */
function preload(job: string | undefined): void {
  if (job === 'read-picture' || job === 'query-json' || job === 'table-records' || job === 'open-part') return; // rare, and their own libraries are loaded by the job
  if (job === 'extract') return; // which reader it needs is only known with the document
  const loading = pictureJobs.some((name) => name === job)
    ? import('../image/codec.ts').then(({ loadCodec }) => loadCodec())
    : import('../pdf/engine.ts').then(({ loadPdfium }) => loadPdfium());
  loading.then(() => flushCompileCache?.()).catch(() => undefined); // the job itself will meet the same failure and report it
}

async function answer(request: Request): Promise<void> {
  send({ begun: true });
  const { gapMs } = request;
  const tell = gapMs === undefined ? nobodyListens : paced((progress) => send({ progress }), 0, gapMs);
  let spoiled = false;
  const result = await run(request, tell).catch((error: unknown) => {
    spoiled = error instanceof WebAssembly.RuntimeError; // nobody knows what state it left behind
    return failure(error);
  });
  const residentBytes = spoiled ? Number.POSITIVE_INFINITY : process.memoryUsage.rss();
  send({ result, residentBytes });
}

const nobodyListens: OnProgress = () => undefined;

async function run(request: Request, tell: OnProgress): Promise<Read<unknown>> {
  if (isPictureRequest(request)) return await runImage(request);
  if (mayTakeLong(request)) watchParent();
  if (request.job === 'extract')
    return await (await import('../document/extract.ts')).extract({ ...request.input, tell });
  if (request.job === 'query-json') return await (await import('../json/jq.ts')).answerQuery(request.input);
  if (request.job === 'open-part') return await (await import('../part.ts')).openPart(request.input);
  if (request.job === 'table-records') return await (await import('../sheet/answer.ts')).tableRecords(request.input);
  if (request.job === 'read-picture') return await (await import('../ocr/work.ts')).readPicture(request.input);
  const work = await import('../pdf/work.ts');
  if (request.job === 'read-pdf') return await work.readPdf(request.input, tell);
  if (request.job === 'draw-pages') return await work.drawPages(request.input, tell);
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
    return { ok: true, value: await codec.encodeThumbnail(bytes, box) };
  }
  if (request.job === 'check-image') {
    const { bytes, header, maxPixels } = request.input;
    return { ok: true, value: (await codec.checkDecodes(bytes, header, maxPixels)) ?? null };
  }
  if (request.job === 'crop-image') {
    const { bytes, header, crop, target, maxPixels } = request.input;
    return { ok: true, value: (await codec.crop(bytes, header, crop, target, maxPixels)) ?? null };
  }
  if (request.job === 'tile-image') {
    const { bytes, header, grid, target, maxPixels } = request.input;
    const { cutTiles } = await import('../image/tile.ts');
    return { ok: true, value: (await cutTiles(bytes, header, grid, target, maxPixels)) ?? null };
  }
  if (request.job === 'compare-images') {
    const { one, other, target, maxPixels } = request.input;
    const { difference } = await import('../image/difference.ts');
    return { ok: true, value: (await difference(one, other, target, maxPixels)) ?? null };
  }
  const { bytes, header, target, maxPixels } = request.input;
  return { ok: true, value: (await codec.encodePicture(bytes, header, target, maxPixels)) ?? null };
}

function failure(error: unknown): Read<never> {
  const library = missingLibrary(error);
  if (library !== undefined) return missingDecoder(library);
  if (error instanceof RangeError && /call stack|string length|array length/i.test(error.message)) {
    const next = 'Split it into smaller files, or export it anew.';
    return refuse('too-large', 'The file holds more, or is nested deeper, than its reader can take', next);
  }
  const message = error instanceof Error ? error.message : String(error);
  return refuse('corrupt', message.split('\n')[0] ?? 'It cannot be decoded', 'Get the file again or export it anew.');
}

const foreign: ReadonlySet<DocumentKind> = new Set(['xlsx', 'xls', 'ods', 'fods', 'encrypted']);

/** A small document that only our own code reads is done within seconds, whatever it holds: sizes are bounded. */
function mayTakeLong(request: Request): boolean {
  return request.job !== 'extract' || foreign.has(request.input.kind) || request.input.bytes.length > 256 * 1024;
}

let watched = false;

/** A PDF keeps this thread busy, so a second one looks whether the parent still lives. Its start costs more than a letter
 * takes to read. */
function watchParent(): void {
  if (watched) return;
  watched = true;
  const look = `setInterval(() => process.ppid === ${process.ppid} || process.kill(process.pid, 'SIGKILL'), 1000)`;
  new Worker(look, { eval: true, execArgv: [] }).unref();
}

function send(reply: Reply): void {
  process.send?.(shared.put(reply), undefined, undefined, (error) => error && end());
}
