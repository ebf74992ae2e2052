// What one client has been given: the results it got, the assets it may read, and the tools made for its folders. It
// lasts as long as the client, and no client sees another's.
import type { Asset } from '../content/block.ts';
import type { Holder } from '../tool/known-assets.ts';
import type { Tool } from '../tool/tool.ts';
import { assetUri } from './content.ts';

/**
 * Tools for the folders a client may read and the results it has got; `close` ends what they have started.
 *
 * @example
 * const tools: ToolsFor = ({ roots }) => ({ tools: [readFileTool({ roots })] });
 * await serveTools(tools);
 */
export type ToolsFor = (client: { roots: readonly string[]; conversation: () => Iterable<Holder> }) => {
  tools: readonly Tool[];
  close?: () => Promise<void>;
};

/** The tools to serve, or how to make them for a client. */
export type ServedTools = readonly Tool[] | ToolsFor;

export type ServerMemory = {
  /** Whether the tools depend on the folders of the client, so that it has to be asked. */
  needsRoots: boolean;
  tools: (roots: readonly string[]) => readonly Tool[];
  remember: (result: Holder) => void;
  /** Lets the client read an asset. */
  offer: (asset: Asset) => void;
  offered: (uri: string) => Asset | undefined;
  allOffered: () => Asset[];
  close: () => Promise<void>;
};

const maxResults = 500;
const maxOffers = 1000;

export function newMemory(served: ServedTools): ServerMemory {
  const made = new Map<string, ReturnType<ToolsFor>>();
  const results: Holder[] = [];
  const offers = new Map<string, Asset>();
  return {
    needsRoots: typeof served === 'function',
    tools(roots) {
      if (typeof served !== 'function') return served;
      const key = roots.join('\n');
      const known = made.get(key) ?? served({ roots, conversation: () => results });
      made.set(key, known);
      return known.tools;
    },
    remember({ content, kept }) {
      results.push({ content, ...(kept && { kept }) });
      if (results.length > maxResults) results.shift();
    },
    offer(asset) {
      offers.set(assetUri(asset), asset);
      const [oldest] = offers.keys();
      if (offers.size > maxOffers && oldest !== undefined) offers.delete(oldest);
    },
    offered: (uri) => offers.get(uri),
    allOffered: () => [...offers.values()],
    async close() {
      await Promise.all([...made.values()].map(async ({ close }) => await close?.()));
      made.clear();
    },
  };
}
