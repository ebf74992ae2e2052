// A conversation that outlives the program: each run goes on where the last one ended, on any model.
import { document, runAgent } from 'sightline';
import { openSessions } from 'sightline/session';

await using store = openSessions({ home: process.env['SIGHTLINE_HOME'] ?? '.sightline' });
const [newest] = await store.list();
await using session = newest ? await store.open(newest.id) : await store.create({ title: 'The third quarter' });

const report = document('examples/report.pdf');
const prompt = newest ? 'And in one sentence?' : [report, 'What does the report say?'];
const { text, messages, error } = await runAgent({ model: 'openai/gpt-5.2', session, prompt });

console.log(error?.message ?? text);
console.log(`${messages.length} messages so far`);
