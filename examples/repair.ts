// Your own SDK and your own loop: `decode` turns its answer into a message, `repair` changes what the provider refused.
import Anthropic from '@anthropic-ai/sdk';
import { prepare } from 'sightline';
import type { AssistantMessage, Prepared } from 'sightline';
import { transcript } from './conversation.ts';

const client = new Anthropic();

async function ask(request: Prepared<'anthropic-messages'>): Promise<AssistantMessage> {
  try {
    return await request.decode(await client.messages.create(await request.sdk()));
  } catch (error) {
    const repaired = await request.repair(error); // undefined when nothing can be done about it
    if (!repaired) throw error;
    console.log(`repaired: ${repaired.repairs.at(-1)}`);
    return ask(repaired);
  }
}

const message = await ask(await prepare(transcript, { model: 'anthropic/claude-sonnet-5' }));
console.log(message.content, message.usage);
