// `attach_to_response`: the model chooses what of the conversation the person gets with its answer. The choice is in the
// call itself; the tool says whether it holds.
import { describeAsset, describeMedia } from '../../content/words.ts';
import { refuse } from '../../content/refusal.ts';
import { attachedAs, attachedByAnswer, attachTool, maxAttached } from '../../message/attached.ts';
import type { Attached } from '../../message/attached.ts';
import type { Message } from '../../message/message.ts';
import { assetName } from '../../tool/known-assets.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { object } from '../argument.ts';
import type { AssetToolOptions } from './lookup.ts';
import { lookUp } from './lookup.ts';

export function attachToResponseTool(options: AssetToolOptions): Tool {
  return defineTool({
    name: attachTool,
    effect: 'idempotent',
    description:
      'Give the person pictures, documents or other files of this conversation together with your answer, such as a ' +
      `chart that a tool made; without it she may not see them. At most ${maxAttached} go with one answer. Then answer.`,
    input: object(
      {
        assets: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          maxItems: maxAttached,
          description: 'The names of the assets as list_assets tells them, such as ab12cd34',
        },
      },
      'assets',
    ),
    run: (given, context) => {
      const names = given['assets'] as readonly string[];
      const before = (context.conversation?.() ?? []) as Iterable<Message>;
      const earlier = attachedByAnswer([...before], { until: context.callId }).at(-1);
      const chosen = new Map<string, Attached>();
      for (const one of earlier?.answer ? [] : (earlier?.attached ?? [])) chosen.set(one.asset.id, one);
      for (const name of names) {
        const found = lookUp(name, options, context);
        if (!found.ok) return found;
        chosen.set(found.value.asset.id, attachedAs(found.value));
      }
      const all = [...chosen.values()].map(words).join(', ');
      if (chosen.size <= maxAttached) return `With your answer goes: ${all}.`;
      const limit = `${maxAttached} with one answer`;
      return refuse('not-allowed', `That would be too many: ${all}`, 'Attach nothing more, and answer.', limit);
    },
  });
}

function words(one: Attached): string {
  return `${one.type === 'file' ? describeAsset(one.asset) : describeMedia(one)} (${assetName(one.asset)})`;
}
