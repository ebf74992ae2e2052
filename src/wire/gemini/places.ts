import type { BodyPlaces } from '../wire.ts';

export const places: BodyPlaces = {
  model: 'model',
  items: 'contents',
  system: ['systemInstruction', 'system_instruction'],
  tools: ['tools'],
  toolChoice: ['toolConfig.functionCallingConfig', 'toolConfig.retrievalConfig', 'tool_config'],
  output: [
    'generationConfig.responseSchema',
    'generationConfig.responseJsonSchema',
    'generationConfig.responseMimeType',
  ],
  thinking: ['generationConfig.thinkingConfig', 'generation_config.thinking_config'],
  maxTokens: [
    'generationConfig.maxOutputTokens',
    'generationConfig.max_output_tokens',
    'generation_config.maxOutputTokens',
    'generation_config.max_output_tokens',
  ],
  answers: [
    'generationConfig.candidateCount',
    'generationConfig.candidate_count',
    'generation_config.candidateCount',
    'generation_config.candidate_count',
  ],
  harmless: ['safetySettings', 'generationConfig', 'generation_config', 'toolConfig', 'cachedContent'],
};
