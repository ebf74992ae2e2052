import type { BodyPlaces } from '../wire.ts';

export const places: BodyPlaces = {
  model: 'model',
  items: 'messages',
  system: ['system'],
  tools: ['toolConfig.tools'],
  toolChoice: ['toolConfig.toolChoice'],
  output: ['outputConfig'],
  thinking: ['additionalModelRequestFields'],
  maxTokens: ['inferenceConfig.maxTokens'],
  answers: [],
  harmless: ['inferenceConfig', 'toolConfig'],
};
