import { runAgent } from 'sightline';
import { openSessions } from 'sightline/session';
import type { Session } from 'sightline/session';

const ask = async (session: Session, prompt: string): Promise<void> =>
  console.log((await runAgent({ model: 'openai/gpt-5.2', session, prompt })).text);

await using store = openSessions({ home: process.env['SIGHTLINE_HOME'] ?? '.sightline' });
await using session = await store.create();
await ask(session, 'My name is Ada.');
await using fork = await store.fork(session.id);
await ask(session, 'Who am I?');
await ask(fork, 'Who am I, in German?');
console.log((await session.messages()).length, (await fork.messages()).length);
