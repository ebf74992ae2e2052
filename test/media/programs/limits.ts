// Time, memory and the caller's signal each end a job, and the next one is done as if nothing had been.
import { read } from '../../../src/media/index.ts';
import { pdfSaying } from '../make.ts';
import { report, slowRead } from './program.ts';

const late = await slowRead({ limits: { pdfMs: 300, pageMs: 0 } });
const large = await slowRead({ limits: { childBytes: 1024 * 1024 } });
const stopped = await slowRead({ signal: AbortSignal.timeout(300) });
const next = await read(pdfSaying('hello'));
report([late, large, stopped, next].map((result) => (result.ok ? 'read' : result.refusal.code)));
