import { Ollama } from 'ollama';
import { prepare } from 'sightline';
import { transcript } from './conversation.ts';

const request = await prepare(transcript, { model: 'ollama/qwen3-vl' });
const answer = await new Ollama({ host: process.env['OLLAMA_HOST'] ?? '' }).chat(await request.sdk());

console.log(answer.message.content);
