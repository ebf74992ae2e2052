// No SDK at all: the body is streamed from storage, so a request of 30 MB needs no memory to speak of.
import { prepare } from 'sightline';
import { transcript } from './conversation.ts';

const request = await prepare(transcript, {
  model: 'anthropic/claude-sonnet-5',
  baseUrl: process.env['ANTHROPIC_BASE_URL'] ?? 'https://api.anthropic.com',
});
const init: RequestInit & { duplex: 'half' } = {
  method: 'POST',
  headers: {
    ...request.headers,
    'x-api-key': process.env['ANTHROPIC_API_KEY'] ?? '',
    'content-length': String(request.contentLength),
  },
  body: request.stream(),
  duplex: 'half',
};
const answer = await fetch(request.url, init);

console.log(await answer.json());
