import { GoogleGenAI } from '@google/genai';
import { prepare } from 'sightline';
import { transcript } from './conversation.ts';

const request = await prepare(transcript, { model: 'gemini/gemini-3-pro-preview' });
const answer = await new GoogleGenAI({}).models.generateContent(await request.sdk());

console.log(answer.text);
