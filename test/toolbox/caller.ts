// Calls tools as a model does, and keeps the conversation that comes of it.
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { AssetStore } from '../../src/asset/store.ts';
import type { ImageBlock } from '../../src/content/block.ts';
import type { ToolMessage } from '../../src/tool/result.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { invokeTool } from '../../src/toolbox/invoke.ts';

export type Caller = {
  assets: AssetStore;
  conversation: ToolMessage[];
  call: (name: string, input: unknown, signal?: AbortSignal) => Promise<ToolMessage>;
};

export function caller(tools: (conversation: () => ToolMessage[]) => readonly Tool[]): Caller {
  const assets = memoryAssets();
  const conversation: ToolMessage[] = [];
  const given = tools(() => conversation);
  return {
    assets,
    conversation,
    async call(name, input, signal) {
      const id = `c${conversation.length}`;
      const answer = await invokeTool(
        { type: 'call', id, name, input },
        { tools: given, assets, ...(signal && { signal }) },
      );
      conversation.push(answer);
      return answer;
    },
  };
}

export function words({ content }: ToolMessage): string {
  return content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n');
}

export function pictures({ content }: ToolMessage): ImageBlock[] {
  return content.filter((block) => block.type === 'image');
}
