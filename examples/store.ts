// A session by hand, for a loop of your own: what was said, and what each model was shown, stays on disk.
import { collect, prepare, send } from 'sightline';
import { openSessions } from 'sightline/session';

const model = 'ollama/qwen3-vl';
await using store = openSessions({ home: process.env['SIGHTLINE_HOME'] ?? '.sightline' });
await using session = await store.create({ title: 'A walk', model });

const question = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Where shall we go?' }] };
await session.append({ type: 'message', message: question }); // resolves when it is on disk

const ledger = await session.ledger(model); // what this model was shown so far
const request = await prepare(await session.transcript(), { model, ledger, assets: session.assets });
const message = await collect(send(request));
if (message.error) throw new Error(message.error.message);
await session.append({ type: 'message', message });
await session.append({ type: 'ledger', ledger: request.ledger }); // after the request was accepted

for (const { title, messages } of await store.list()) console.log(title, messages);
