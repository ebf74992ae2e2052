// What two eyes nobody here wrote can still read on pictures that reached a model: made pictures go through ourselves and
// through other libraries, are taken out of the bodies, scaled as each vendor documents, and read. Every step is kept in
// node_modules/.cache/eyesight, so that a run that was ended goes on where it was. Writes bench/eyesight/results.json and
// docs/eyesight.md. Ends with 1 when a bar is missed.
//   npm run eyesight                            all pictures, for hours; needs Chromium and tesseract
//   npm run eyesight -- --minutes 30            as many as there is time for
//   npm run eyesight -- --each 2                two pictures of each kind; keeps no results
//   npm run eyesight -- --only dashboard-09     those whose name begins so; keeps no results
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf } from './arguments.ts';
import { installPeers, peerVersions } from '../bench/install.ts';
import { inFreshProcess } from '../bench/harness.ts';
import { libraries, together } from '../bench/eyesight/deliver.ts';
import type { Delivered, DeliverInput, Delivery, Library } from '../bench/eyesight/deliver.ts';
import { draw, drawing, missingBrowser, openBrowser } from '../bench/eyesight/draw.ts';
import type { Drawn } from '../bench/eyesight/draw.ts';
import { missingEye } from '../bench/eyesight/eyes.ts';
import { installEye } from '../bench/eyesight/install.ts';
import { itemsOf } from '../bench/eyesight/items.ts';
import type { Item } from '../bench/eyesight/items.ts';
import { barsOf, resultsOf } from '../bench/eyesight/judge.ts';
import type { Judged, Results } from '../bench/eyesight/judge.ts';
import { openReadings, readDelivered, readOriginal } from '../bench/eyesight/readings.ts';
import { blankPictures, movedBlanks } from '../bench/eyesight/blank.ts';

const { values } = argumentsOf(import.meta.filename, {
  each: { type: 'string' },
  minutes: { type: 'string' },
  only: { type: 'string', default: '' },
});
const each = Number(values.each ?? 23);
const isWhole = values.each === undefined && values.only === '';
const until = Date.now() + Number(values.minutes ?? 600) * 60_000;
const folder = fileURLToPath(new URL('../node_modules/.cache/eyesight/', import.meta.url));
mkdirSync(folder, { recursive: true });

const trouble = missingBrowser() ?? missingEye() ?? installPeers() ?? installEye();
if (trouble !== undefined) {
  console.error(`The eyes cannot be tried: ${trouble}.`);
  process.exit(2);
}

/** By turns of the kinds, so that what is done of a run tells of all of them. */
const items = itemsOf(each)
  .filter(({ id }) => id.startsWith(values.only))
  .toSorted((one, other) => one.id.slice(-2).localeCompare(other.id.slice(-2)));
const readings = openReadings(folder);
const judged: Judged[] = [];
for (let at = 0; at < items.length && Date.now() < until; at += 9) {
  const drawn = await drawAll(items.slice(at, at + 9));
  judged.push(...(await readAll(drawn, await deliverAll(drawn))));
  report(judged);
}
const moved = await movedBlanks(await blankPictures());
const results = { ...resultsOf(judged, peerVersions()), moved };
report(judged, results);
if (isWhole) {
  const file = new URL('../bench/eyesight/results.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  console.log('bench/eyesight/results.json is written. `npm run docs` writes docs/eyesight.md.');
}
process.exitCode = results.bars.every(({ holds }) => holds) && moved.moved.length === 0 ? 0 : 1;

function report(all: readonly Judged[], made: Results = resultsOf(all, peerVersions())): void {
  if (isWhole) writeFileSync(join(folder, 'judged.json'), JSON.stringify(all));
  console.log(`${all.length} of ${items.length} pictures`);
  for (const line of barsOf(made)) console.log(line);
}

type Kept = Omit<Drawn, 'bytes'> & { item: Item; file: string };

function digestOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 32);
}

/** A value kept under a name, made when it is not there yet. */
async function once<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
  const file = join(folder, `${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Value;
  const value = await make();
  writeFileSync(file, JSON.stringify(value));
  return value;
}

async function drawAll(wanted: readonly Item[]): Promise<Map<string, Kept>> {
  let browser: Awaited<ReturnType<typeof openBrowser>> | undefined;
  const all = new Map<string, Kept>();
  for (const item of wanted) {
    if (Date.now() > until) break;
    const name = digestOf(`drawing ${drawing}`, JSON.stringify(item));
    const made = await once(`drawn-${name}`, async () => {
      process.stderr.write(`draw ${item.id}\n`);
      browser ??= await openBrowser();
      const { bytes, ...rest } = await draw(item, browser);
      writeFileSync(join(folder, `${name}.picture`), bytes);
      return { ...rest, file: `${name}.picture` };
    });
    all.set(item.id, { ...made, item });
  }
  await browser?.close();
  return all;
}

/** What of our own code decides over pictures: when it changes, they are delivered anew. */
function ownDigest(): string {
  const files = globSync([
    'src/{content,window,wire,model,media/image}/**/*.ts',
    'bench/eyesight/pictures.ts',
  ]).toSorted();
  return digestOf(...files.map((file) => readFileSync(file)));
}

type Bodies = Map<string, Record<Library, Delivery[]>>;

async function deliverAll(drawn: ReadonlyMap<string, Kept>): Promise<Bodies> {
  const ids = [...drawn.keys()];
  const all = new Map<string, Record<string, Delivery[]>>(ids.map((id) => [id, {}]));
  const own = ownDigest();
  const theirs = digestOf(JSON.stringify(peerVersions()));
  const fileOf = (library: Library, id: string): string => {
    const who = library.startsWith('sightline') ? own : theirs;
    return join(folder, `sent-${digestOf(library, who, drawn.get(id)?.file ?? '')}.json`);
  };
  for (const group of together) {
    const missing = ids.filter((id) => group.some((library) => !existsSync(fileOf(library, id))));
    if (missing.length === 0 || Date.now() > until) continue;
    process.stderr.write(`${group.join(', ')}: ${missing.join(' ')}\n`);
    const input: DeliverInput = {
      libraries: group,
      folder,
      items: missing.map((id) => ({ id, file: drawn.get(id)?.file ?? '', type: drawn.get(id)?.type ?? '' })),
    };
    const module = new URL('../bench/eyesight/deliver.ts', import.meta.url);
    const made = await inFreshProcess<Delivered>({ name: group.join(), module, input, limitMs: 1_200_000 });
    for (const library of group)
      for (const [id, value] of Object.entries(made[library] ?? {}))
        writeFileSync(fileOf(library, id), JSON.stringify(value));
  }
  for (const library of libraries)
    for (const id of ids) {
      const entry = all.get(id);
      if (entry && existsSync(fileOf(library, id)))
        entry[library] = JSON.parse(readFileSync(fileOf(library, id), 'utf8')) as Delivery[];
    }
  const whole = [...all].filter(([, made]) => libraries.every((library) => made[library]));
  return new Map(whole as [string, Record<Library, Delivery[]>][]);
}

async function readAll(pictures: ReadonlyMap<string, Kept>, bodies: Bodies): Promise<Judged[]> {
  const all: Judged[] = [];
  for (const [id, made] of bodies) {
    const picture = pictures.get(id);
    if (!picture || Date.now() > until) break;
    const before = readings.count();
    const original = await readOriginal(picture, folder, readings);
    const cells: Judged['cells'] = [];
    for (const library of libraries)
      for (const delivery of made[library]) {
        const { pictures: sent, ...about } = delivery;
        cells.push({
          library,
          ...about,
          count: sent.length,
          ...(await readDelivered(picture, delivery, folder, readings)),
        });
      }
    all.push({ id, kind: picture.item.kind, original, cells });
    if (readings.count() > before) process.stderr.write(`read ${id} (${readings.count() - before} places)\n`);
  }
  return all;
}
