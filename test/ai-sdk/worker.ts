// What a worker bundles that has the AI SDK and nothing of Node.
export { sightlineMiddleware } from 'sightline/ai-sdk';
