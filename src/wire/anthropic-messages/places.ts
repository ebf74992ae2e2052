import type { BodyPlaces } from '../wire.ts';

export const places: BodyPlaces = {
  model: 'model',
  items: 'messages',
  system: ['system'],
  tools: ['tools'],
  toolChoice: ['tool_choice'],
  output: ['output_config.format'],
  thinking: ['thinking', 'output_config.effort'],
  maxTokens: ['max_tokens'],
  answers: [],
  harmless: ['temperature', 'top_p', 'top_k', 'stop_sequences', 'stream', 'metadata', 'service_tier', 'output_config'],
};
