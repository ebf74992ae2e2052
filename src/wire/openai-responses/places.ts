import type { BodyPlaces } from '../wire.ts';

export const places: BodyPlaces = {
  model: 'model',
  items: 'input',
  system: ['instructions'],
  tools: ['tools'],
  toolChoice: ['tool_choice', 'parallel_tool_calls'],
  output: ['text'],
  thinking: ['reasoning'],
  maxTokens: ['max_output_tokens'],
  harmless: [
    'temperature',
    'top_p',
    'stream',
    'stream_options',
    'store',
    'include',
    'metadata',
    'user',
    'service_tier',
    'safety_identifier',
    'top_logprobs',
    'prompt_cache_key',
    'prompt_cache_retention',
    'background',
    'previous_response_id',
  ],
};
