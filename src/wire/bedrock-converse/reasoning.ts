// How a model on Bedrock is told to think: in the words of its own vendor, beside what Converse knows itself.
import type { Json } from '../../content/json.ts';
import type { Plan } from '../../window/plan-types.ts';

/** The fields that go to the model as they are. */
export function extraFields({ profile, options }: Plan): { [key: string]: Json } {
  const { thinking, thinkingTokens } = options;
  if (thinking === undefined) return {};
  const isOff = thinking === 'off';
  switch (profile.thinking) {
    case 'adaptive':
      return isOff
        ? { thinking: { type: 'disabled' } }
        : {
            thinking: { type: 'adaptive', ...(profile.thinkingOmitted && { display: 'summarized' }) },
            output_config: { effort: thinking },
          };
    case 'budget':
      return isOff || thinkingTokens === undefined
        ? { thinking: { type: 'disabled' } }
        : { thinking: { type: 'enabled', budget_tokens: thinkingTokens } };
    case 'effort': // OpenAI's
      return isOff ? {} : { reasoning_effort: thinking };
    case 'level': // Amazon's
      return {
        reasoningConfig: isOff ? { type: 'disabled' } : { type: 'enabled', maxReasoningEffort: thinking },
      };
    case 'switch': // Qwen's; recorded with this word alone
      return isOff ? {} : { reasoning_config: 'high' };
    case 'none':
      return {};
  }
}
