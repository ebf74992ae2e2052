// Kills the child at work; one job is lost, the others go on.
import { read } from '../../../src/media/index.ts';
import { pdfSaying } from '../make.ts';
import { busyChild, report, slowRead } from './program.ts';

const lost = slowRead();
const pid = await busyChild();
const others = Array.from({ length: 6 }, () => read(pdfSaying('hello')));
process.kill(pid, 'SIGKILL');
const result = await lost;
report({ lost: result.ok ? 'read' : result.refusal, others: (await Promise.all(others)).map(({ ok }) => ok) });
