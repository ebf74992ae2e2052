import OpenAI from 'openai';
import { prepare } from 'sightline';
import { transcript } from './conversation.ts';

const request = await prepare(transcript, { model: 'openai/gpt-5.2' });
const answer = await new OpenAI().responses.create(await request.sdk());

console.log(answer.output_text);
