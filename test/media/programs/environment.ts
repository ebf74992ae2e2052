// Shows what a child knows of the environment.
import { readFileSync } from 'node:fs';
import { busyChild, report, slowRead } from './program.ts';

const stop = new AbortController();
const reading = slowRead({ signal: stop.signal });
const pid = await busyChild();
report(
  readFileSync(`/proc/${pid}/environ`, 'latin1')
    .split('\u0000')
    .map((entry) => entry.split('=')[0]),
);
stop.abort();
await reading;
