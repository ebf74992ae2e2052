// What two eyes nobody here wrote can still read on pictures that reached a model: made pictures go through ourselves and
// through other libraries, are taken out of the bodies, scaled as each vendor documents, and read. Every step is kept in
// node_modules/.cache/eyesight, so that a run that was ended goes on where it was. Writes bench/eyesight/results.json and
// docs/eyesight.md. Ends with 1 when a bar is missed.
//   npm run eyesight [-- --each 3] [-- --minutes 30]
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installPeers, peerVersions } from '../bench/install.ts';
import { inFreshProcess } from '../bench/harness.ts';
import { libraries } from '../bench/eyesight/deliver.ts';
import type { DeliverInput, Delivery, Library } from '../bench/eyesight/deliver.ts';
import { draw, drawing, openBrowser } from '../bench/eyesight/draw.ts';
import type { Drawn } from '../bench/eyesight/draw.ts';
import { missingEye } from '../bench/eyesight/eyes.ts';
import { installEye } from '../bench/eyesight/install.ts';
import { itemsOf } from '../bench/eyesight/items.ts';
import type { Item } from '../bench/eyesight/items.ts';
import { barsOf, resultsOf } from '../bench/eyesight/judge.ts';
import type { Judged, Results } from '../bench/eyesight/judge.ts';
import { openReadings, readDelivered, readOriginal } from '../bench/eyesight/readings.ts';
import { blankPictures, movedBlanks } from '../bench/eyesight/blank.ts';

const { values } = parseArgs({ options: { each: { type: 'string' }, minutes: { type: 'string' } } });
const each = Number(values.each ?? 23);
const until = Date.now() + Number(values.minutes ?? 600) * 60_000;
const folder = fileURLToPath(new URL('../node_modules/.cache/eyesight/', import.meta.url));
mkdirSync(folder, { recursive: true });

const trouble = installPeers() ?? installEye() ?? missingEye();
if (trouble !== undefined) {
  console.error(`The eyes cannot be tried: ${trouble}.`);
  process.exit(2);
}

/** By turns of the kinds, so that what is done of a run tells of all of them. */
const items = itemsOf(each).toSorted((one, other) => one.id.slice(-2).localeCompare(other.id.slice(-2)));
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
if (values.each === undefined) {
  const file = new URL('../bench/eyesight/results.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  console.log('bench/eyesight/results.json is written. `npm run docs` writes docs/eyesight.md.');
}
process.exitCode = results.bars.every(({ holds }) => holds) && moved.moved.length === 0 ? 0 : 1;

function report(all: readonly Judged[], made: Results = resultsOf(all, peerVersions())): void {
  writeFileSync(join(folder, 'judged.json'), JSON.stringify(all));
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
  for (const library of libraries) {
    const nameOf = (id: string): string =>
      `sent-${digestOf(library, library.startsWith('sightline') ? own : theirs, drawn.get(id)?.file ?? '')}`;
    const missing = ids.filter((id) => !existsSync(join(folder, `${nameOf(id)}.json`)));
    for (let at = 0; at < missing.length && Date.now() < until; at += 9) {
      const some = missing.slice(at, at + 9);
      process.stderr.write(`${library}: ${some.join(' ')}\n`);
      const input: DeliverInput = {
        library,
        folder,
        items: some.map((id) => ({ id, file: drawn.get(id)?.file ?? '', type: drawn.get(id)?.type ?? '' })),
      };
      const module = new URL('../bench/eyesight/deliver.ts', import.meta.url);
      const made = await inFreshProcess<Record<string, Delivery[]>>({
        name: library,
        module,
        input,
        limitMs: 1_200_000,
      });
      for (const [id, value] of Object.entries(made)) await once(nameOf(id), () => Promise.resolve(value));
    }
    for (const id of ids) {
      const file = join(folder, `${nameOf(id)}.json`);
      const entry = all.get(id);
      if (entry && existsSync(file)) entry[library] = JSON.parse(readFileSync(file, 'utf8')) as Delivery[];
    }
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
