// Ends at once while its child is busy, as if it had been killed.
import { busyChild, report, slowRead } from './program.ts';

void slowRead();
report(await busyChild());
process.kill(process.pid, 'SIGKILL');
