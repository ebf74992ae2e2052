// While two slow files keep both children busy: a small picture is read, what waits too long is refused, and of those who
// wait the one with nothing at work comes first.
import { memoryAssets } from '../../../src/content/memory-assets.ts';
import { openIntake, read } from '../../../src/media/index.ts';
import { pdfSaying, plain } from '../make.ts';
import { busyChild, report, slowRead } from './program.ts';

const patient = { pdfMs: 3_600_000, pageMs: 3_600_000 };
const stops = [new AbortController(), new AbortController()];
let finished = 0;
const slow = stops.map(({ signal }) =>
  slowRead({ signal, limits: patient }).finally(() => {
    finished += 1;
  }),
);
await busyChild();
const picture = await read(await plain(20, 20).png().toBuffer());
const late = await read(pdfSaying('late'), { name: 'late.pdf', limits: { waitMs: 1 } });
const meanwhile = finished;

const order: string[] = [];
const busy = openIntake({ assets: memoryAssets() });
const heavy = await Promise.all(
  Array.from({ length: 6 }, (_, at) =>
    plain(2100 + at, 2100)
      .png()
      .toBuffer(),
  ),
);
const many = heavy.map(async (bytes) => {
  await busy.check(bytes);
  order.push('many');
});
const one = read(pdfSaying('one')).then(() => order.push('one'));
for (const stop of stops) stop.abort();
await Promise.all([...slow, ...many, one]);
report({
  picture: picture.ok,
  late: late.ok ? 'read' : [late.refusal.code, late.refusal.what, late.refusal.limit],
  meanwhile,
  place: order.indexOf('one'),
});
