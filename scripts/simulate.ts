// What media cost over a whole conversation: keeping everything, a sliding window as most agents have it, and the plan.
// Plays a provider's exact-prefix cache against the real planner. Checks the goals at the end and fails when one is missed.
//   npm run simulate              writes the tables into docs/window.md, in a minute or two
//   npm run simulate -- --dry     ten steps; writes nothing
import { readFileSync, writeFileSync } from 'node:fs';
import { batchFor } from '../src/window/retention.ts';
import { profileFor } from '../src/window/profile.ts';
import type { Profile } from '../src/window/profile.ts';
import { argumentsOf } from './arguments.ts';
import { coding, documents, screenshots } from './simulate/loops.ts';
import type { Loop } from './simulate/loops.ts';
import { cachedPart, play } from './simulate/play.ts';
import type { Played } from './simulate/play.ts';

const models = [
  'anthropic/claude-sonnet-4-5',
  'anthropic/claude-opus-5-5',
  'anthropic/claude-fable-5-1',
  'openai/gpt-6-sol',
  'openai/gpt-5.2',
  'openai-chat/gpt-4.1',
  'gemini/gemini-3.1-pro',
];

const { dry } = argumentsOf(import.meta.filename, { dry: { type: 'boolean' } }).values;
const file = 'docs/window.md';
const largestBatch = 32;

function row(model: string, loop: Loop): string {
  const profile = profileFor(model);
  const [all, sliding, ours] = (['everything', 'sliding', 'planned'] as const).map((way) => play(loop, profile, way));
  if (!all || !sliding || !ours) throw new Error('there is nothing to compare');
  const fails = all.failed === undefined ? '' : ` (refused from step ${all.failed + 1} on)`;
  const cells = [
    `\`${model}\``,
    `${money(all)}${fails}`,
    `${money(sliding)}, ${percent(sliding)}`,
    `**${money(ours)}**, ${percent(ours)}`,
    `${(sliding.dollars / ours.dollars).toFixed(2)} ×`,
    `${(all.dollars / ours.dollars).toFixed(2)} ×`,
    `${sliding.moves} / ${ours.moves}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function money({ dollars }: Played): string {
  return `$${dollars.toFixed(2)}`;
}

function percent({ charged }: Played): string {
  return `${(cachedPart(charged) * 100).toFixed(0)} % cached`;
}

function table(loop: Loop): string {
  const head = [
    '| model | everything kept | sliding window of 4 | Sightline | cheaper than the window | than everything | moves |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ];
  return [`**${loop.name}**`, '', ...head, ...models.map((model) => row(model, loop))].join('\n');
}

type Batch = { size: number; dollars: number };

/** The cheapest batch of all, and ours. */
function batches(loop: Loop, profile: Profile): { ours: Batch; best: Batch } {
  const cost = (size: number): Batch => {
    return { size, dollars: play(loop, profile, 'planned', { imagesToKeep: 4, batch: size }).dollars };
  };
  const all = Array.from({ length: largestBatch }, (_, at) => cost(at + 1));
  const best = all.reduce((one, other) => (other.dollars < one.dollars ? other : one));
  return { ours: cost(batchFor(4, profile)), best };
}

function batchTable(loop: Loop, found: readonly { model: string; ours: Batch; best: Batch }[]): string {
  const rows = found.map(({ model, ours, best }) => {
    const { prices } = profileFor(model);
    const part = (price = 0): string => `${Number((price / (prices?.input ?? 1)).toPrecision(3))} ×`;
    const over = `${((ours.dollars / best.dollars - 1) * 100).toFixed(1)} %`;
    return `| \`${model}\` | ${part(prices?.read)} | ${part(prices?.write)} | ${ours.size} | ${best.size} | ${over} |`;
  });
  const head = '| model | cached read | cache write | batch chosen | best batch found | over the best |';
  return [`**The batch, ${loop.name}**`, '', head, '| --- | --- | --- | --- | --- | --- |', ...rows].join('\n');
}

/** What the screenshot loop has to reach, by the price of a cached read. */
const goals: [model: string, thanSliding: number, thanAll: number][] = [
  ['anthropic/claude-sonnet-4-5', 1.5, 2.7],
  ['anthropic/claude-opus-5-5', 1.85, 1],
  ['anthropic/claude-fable-5-1', 2.2, 1],
];

function missed(loop: Loop, found: readonly { model: string; ours: Batch; best: Batch }[]): string[] {
  const trouble = goals.flatMap(([model, thanSliding, thanAll]) => {
    const profile = profileFor(model);
    const [all, sliding, ours] = (['everything', 'sliding', 'planned'] as const).map((way) => play(loop, profile, way));
    if (!all || !sliding || !ours) return [];
    return [
      ...(sliding.dollars / ours.dollars < thanSliding
        ? [`${model}: not ${thanSliding} × cheaper than the window`]
        : []),
      ...(all.dollars / ours.dollars < thanAll ? [`${model}: not ${thanAll} × cheaper than everything`] : []),
      ...(cachedPart(ours.charged) < 0.9 ? [`${model}: less than 90 % of the input is cached`] : []),
      ...(ours.newest ? [] : [`${model}: the newest screenshot was out of sight`]),
    ];
  });
  const dear = found.filter(({ ours, best }) => ours.dollars > best.dollars * 1.05);
  return [...trouble, ...dear.map(({ model }) => `${model}: the batch is more than 5 % from the best`)];
}

if (dry) {
  console.log(table(screenshots(10)));
  process.exit();
}
const loop = screenshots(200);
const found = models.map((model) => ({ model, ...batches(loop, profileFor(model)) }));
const text = [table(loop), batchTable(loop, found), table(documents(40)), table(coding(150))].join('\n\n');
console.log(text);
const before = readFileSync(file, 'utf8');
const after = before.replace(
  /<!-- simulation -->\n[\s\S]*?<!-- end -->/,
  () => `<!-- simulation -->\n${text}\n<!-- end -->`,
);
if (after !== before) writeFileSync(file, after);
const trouble = missed(loop, found);
for (const line of trouble) console.error(line);
if (trouble.length > 0) process.exitCode = 1;
