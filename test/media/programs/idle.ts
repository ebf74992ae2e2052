// Reads a picture and a PDF, then has nothing more to do.
import { read } from '../../../src/media/index.ts';
import { pdfSaying, plain } from '../make.ts';
import { report } from './program.ts';

const results = [await read(await plain(9, 9).png().toBuffer()), await read(pdfSaying('hello'))];
report(results.map(({ ok }) => ok));
