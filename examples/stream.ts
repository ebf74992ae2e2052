// The same events for every vendor: `events` reads the stream of the SDK you use.
import OpenAI from 'openai';
import { collect, prepare } from 'sightline';
import type { ModelEvent } from 'sightline';
import { transcript } from './conversation.ts';

const request = await prepare(transcript, { model: 'openai/gpt-5.2' });
const stream = await new OpenAI().responses.create({ ...(await request.sdk()), stream: true });

async function* shown(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  for await (const event of events) {
    if (event.type === 'block-delta' && event.kind === 'text') process.stdout.write(event.text); // or thinking, or call
    yield event;
  }
}

const message = await collect(shown(request.events(stream))); // the next message of the conversation
console.log(`\n${message.error?.message ?? message.stop}`);
