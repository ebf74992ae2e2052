// Any model on Amazon Bedrock, over its Converse API and without AWS's SDK: `send` signs the request with the keys that
// AWS's own tools use, or takes AWS_BEARER_TOKEN_BEDROCK, and reads the binary frames of the answer.
import { collect, prepare, send } from 'sightline';
import { transcript } from './conversation.ts';

const request = await prepare(transcript, { model: 'bedrock/us.amazon.nova-pro-v1:0' });
const answer = await collect(send(request));

console.log(answer.error?.message ?? answer.content);
