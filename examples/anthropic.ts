import Anthropic from '@anthropic-ai/sdk';
import { prepare } from 'sightline';
import { transcript } from './conversation.ts';

const request = await prepare(transcript, { model: 'anthropic/claude-sonnet-5' });
const answer = await new Anthropic().messages.create(await request.sdk());

console.log(answer.content);
