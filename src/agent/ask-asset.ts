// `ask_asset`: a question about a picture, answered by the eyes of a model that has none.
import type { AssetStore } from '../asset/store.ts';
import type { ImageBlock } from '../content/block.ts';
import { refuse } from '../content/refusal.ts';
import type { Read } from '../content/refusal.ts';
import { descriptionHeading } from '../content/words.ts';
import { cropPicture } from '../media/index.ts';
import { askEyes, eyesName } from '../model/eyes.ts';
import { prepare } from '../model/prepare.ts';
import type { Eyes } from '../model/prepared.ts';
import { assetName, findKnown, knownAssets } from '../tool/known-assets.ts';
import { defineTool } from '../tool/tool.ts';
import type { Tool, ToolContext } from '../tool/tool.ts';
import { object, regionAt, regionSchema, string, textAt } from '../toolbox/argument.ts';
import type { Region } from '../media/index.ts';

/** The tool for a model that cannot see. */
export function askAssetTool(eyes: Eyes): Tool {
  return defineTool({
    name: 'ask_asset',
    effect: 'read',
    description:
      'Ask a model that sees something about a picture of this conversation, such as a number or a word on it. Use it for ' +
      'what the description beside "[…, asset ab12cd34, described by …]" leaves open.',
    input: object(
      {
        asset: string('The name of the asset, such as ab12cd34'),
        question: string('What you want to know'),
        region: regionSchema('Only this part of it, in pixels of the original picture'),
      },
      'asset',
      'question',
    ),
    run: async (given, context) => {
      const found = findKnown(textAt(given, 'asset') ?? '', knownAssets(context.conversation?.() ?? []));
      if (!found.ok) return found;
      const { asset, block } = found.value;
      if (block?.type !== 'image')
        return refuse('unsupported', `${assetName(asset)} is no picture`, 'Call read_asset_text for its words.');
      const picture = await partOf(block, regionAt(given), context);
      if (!picture.ok) return picture;
      const { assets, signal, spent } = context;
      const said = await askEyes(picture.value, textAt(given, 'question') ?? '', {
        eyes,
        assets,
        signal,
        spent,
        prepare,
      });
      return said.ok ? { content: [descriptionHeading(block, eyesName(eyes)), ...said.value] } : said;
    },
  });
}

/** A picture, or a region cut out of its original. */
async function partOf(
  block: ImageBlock,
  region: Region | undefined,
  { assets, signal }: { assets: AssetStore } & Pick<ToolContext, 'signal'>,
): Promise<Read<ImageBlock>> {
  if (!region) return { ok: true, value: block };
  const { asset } = block.original ?? block;
  const bytes = await assets.get(asset.id);
  if (!bytes) return refuse('not-found', `The bytes of ${assetName(asset)} are no longer stored`, 'Read it again.');
  return await cropPicture(bytes, { assets, signal, region, name: block.asset.name ?? 'picture' });
}
