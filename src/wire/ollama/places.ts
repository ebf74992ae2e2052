import type { BodyPlaces } from '../wire.ts';

export const places: BodyPlaces = {
  model: 'model',
  items: 'messages',
  system: [],
  tools: ['tools'],
  toolChoice: [],
  output: ['format'],
  thinking: ['think'],
  maxTokens: ['options.num_predict'],
  answers: [],
  harmless: ['stream', 'keep_alive', 'options', 'truncate', 'logprobs', 'top_logprobs'],
};
