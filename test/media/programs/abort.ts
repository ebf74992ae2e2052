// Gives up one reading that waits and two that are at work; then reads on.
import { read } from '../../../src/media/index.ts';
import { plain } from '../make.ts';
import { busyChild, children, gone, report, slowRead } from './program.ts';

const stops = [new AbortController(), new AbortController(), new AbortController()];
const [first, second, third] = stops.map(({ signal }) => slowRead({ signal }));
await busyChild();
stops[2]?.abort();
const waiting = await third;
const before = children();
stops[0]?.abort();
stops[1]?.abort();
const results = [waiting, await first, await second];
report({
  codes: results.map((result) => (result === undefined || result.ok ? 'read' : result.refusal.code)),
  busy: before.length,
  gone: await gone(before),
  next: (await read(await plain(9, 9).png().toBuffer())).ok,
});
