// What models were really shown in recorded conversations with media in results and in messages (pydantic-ai's cassettes of its matrix of
// tool returns, 2026-08): a row for each provider, place, kind and carrier, with how often it was answered at all and how often the
// answer names what the file shows. `0/1` was refused, `2/0` was answered 200 and never seen. Sounds that were heard and not described count as seen.
export type Sight = {
  model: string;
  slot: 'result' | 'user';
  kind: string;
  carrier: string;
  answered: number;
  seen: number;
};

const recorded: Record<string, string> = {
  'anthropic/claude-sonnet-4-5': `
    result image inline 2/2, result image url 1/1, result document url 1/1, result image file 1/1, result document file 1/1
    user image inline 1/1, user document inline 1/1, user image url 1/1, user document url 1/1, user image file 1/1, user document file 1/1`,
  'openai/gpt-5.2': `
    result image inline 1/1, result document inline 1/1, result image url 1/1, result document url 1/1, result image file 1/1, result document file 1/1
    user image inline 1/1, user document inline 1/1, user image url 1/1, user document url 1/1, user image file 1/1, user document file 1/1
    user audio inline 0/1, user audio url 0/1, user audio file 0/1`,
  'openai-chat/gpt-4.1': `
    user image inline 1/1, user document inline 1/1, user image url 2/2, user document file 2/2, user audio inline 0/2`,
  'gemini/gemini-3-flash-preview': `
    result image inline 2/2, result document inline 1/1, result image file 1/0, result document file 1/0
    user image inline 1/1, user document inline 1/1, user audio inline 1/1, user video inline 1/1
    user image file 1/1, user document file 1/1, user audio file 2/2, user video file 2/2`,
  'gemini/gemini-2.5-flash': `
    user image inline 2/2, user document inline 1/1, user video inline 1/1, user video url 1/1
    user image file 2/2, user document file 2/2, user audio file 2/2, user video file 2/2`,
  'vertex/gemini-3-flash-preview': `
    result image inline 1/1, result document inline 1/1, result document url 1/1, result image url 0/1, result image file 1/1, result document file 1/1
    user image inline 1/1, user audio inline 1/1, user video inline 1/1
    user document url 1/1, user audio url 2/2, user video url 2/2, user image url 0/1
    user image file 1/1, user document file 1/1, user audio file 2/2, user video file 2/2`,
  'bedrock/us.amazon.nova-2-lite-v1:0': `
    result image inline 3/3, result document inline 0/1, result image file 1/1, result document file 0/1, result video file 0/1
    user image inline 1/1, user document inline 6/6, user video inline 6/6, user image file 1/1, user document file 1/1, user video file 1/1`,
  'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0': `
    result image inline 3/3, result document inline 3/0, result image file 0/1, result document file 1/0
    user image inline 1/1, user document inline 3/3, user video inline 0/6, user image file 0/1, user document file 0/1, user video file 0/1`,
  'bedrock/us.meta.llama4-maverick-17b-instruct-v1:0': 'result image inline 1/1, result document inline 1/1',
  'bedrock/us.mistral.pixtral-large-2502-v1:0': 'result document inline 1/1, user image inline 2/2',
  'mistral/pixtral-large-latest': `
    user image inline 1/1, user image url 2/2, user document inline 4/4, user document url 2/2`,
  'groq/meta-llama/llama-4-scout-17b-16e-instruct': 'user image inline 2/2, user image url 2/2',
  'xai/grok-4': 'user image url 2/2, user image file 2/2, user document file 4/4',
};

/** `0/n` stands for n refusals. */
function sightOf(model: string, words: string): Sight {
  const [slot = '', kind = '', carrier = '', share = ''] = words.trim().split(' ');
  const [answered = 0, seen = 0] = share.split('/').map(Number);
  const isRefused = answered === 0;
  return { model, slot: slot as Sight['slot'], kind, carrier, answered, seen: isRefused ? 0 : seen };
}

export const recordedSight: readonly Sight[] = Object.entries(recorded).flatMap(([model, text]) =>
  text
    .split(/[,\n]/)
    .filter((words) => words.trim() !== '')
    .map((words) => sightOf(model, words)),
);
