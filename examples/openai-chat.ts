import OpenAI from 'openai';
import { prepare } from 'sightline';
import { transcript } from './conversation.ts';

const request = await prepare(transcript, { model: 'openai-chat/gpt-4.1' });
const answer = await new OpenAI().chat.completions.create(await request.sdk());

console.log(answer.choices[0]?.message.content);
