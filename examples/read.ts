// One file in, what a model can see of it out; or a refusal that says what to do next.
import { read } from 'sightline';

const reading = await read('examples/report.pdf', { pages: '1' });
if (reading.ok) console.log(reading.value.output, reading.value.blocks);

const refused = await read('examples/report.pdf', { limits: { pdfBytes: 500 } });
if (!refused.ok) console.log(refused.refusal);
