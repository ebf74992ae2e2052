// The workshop of Node. Where it cannot be loaded all the same, the bare one takes its place.
import type { AssetStore } from '../content/asset-store.ts';
import type { ImageBlock } from '../content/block.ts';
import type { Message } from '../message/message.ts';
import { hasPicture } from '../tool/base64-runs.ts';
import type { Spent } from '../tool/tool.ts';
import type { Fact } from '../window/rendition.ts';
import type { OpenWorkshop, SightForBlind } from './workshop.ts';

/** Opens it with the first medium: programs without media never load the media stage. */
export const wholeWorkshop: OpenWorkshop = async (assets, sight, fetchRules, first = '') => {
  // The process that decodes pictures starts while this one loads what it needs. Where none may start, the first picture tells.
  if (hasPicture(first))
    import('../media/child/pool.ts').then(({ warm }) => warm('check-image')).catch(() => undefined);
  const node = await Promise.all([
    import('../asset/memory.ts'),
    import('../media/index.ts'),
    import('../model/renditions.ts'),
  ]).catch(() => undefined);
  if (!node) return (await import('./workshop.ts')).bareWorkshop(assets);
  const [{ sharedAssets }, { canReadPictures, openIntake }, { planWithFacts }] = node;
  const store = assets ?? sharedAssets();
  // Whoever wrote the request must not choose what is opened here.
  const intake = openIntake({ assets: store, roots: [] });
  const describe = sight && (await openEyes(sight, store));
  return {
    intake,
    assets: store,
    readPictures: canReadPictures(),
    plan: (input, signal, spent) =>
      describe
        ? planWithFacts({ ...input, eyes: describe.name }, store, intake, signal, undefined, {
            describe: (picture) => describe.look(picture, input.transcript.messages, spent, signal),
            fetch: fetchRules,
          })
        : planWithFacts(input, store, intake, signal, undefined, { fetch: fetchRules }),
  };
};

type OpenedEyes = {
  name: string;
  look: (
    picture: ImageBlock,
    messages: readonly Message[],
    spent: (spent: Spent) => void,
    signal: AbortSignal | undefined,
  ) => Promise<Fact>;
};

async function openEyes({ eyes, descriptions }: SightForBlind, assets: AssetStore): Promise<OpenedEyes> {
  const [{ describePicture, eyesName, freshEyes }, { prepare }] = await Promise.all([
    import('../model/eyes.ts'),
    import('../model/prepare.ts'),
  ]);
  const state = freshEyes();
  return {
    name: eyesName(eyes),
    look: (picture, messages, spent, signal) =>
      describePicture(picture, { eyes, descriptions, state, assets, messages, spent, signal, prepare }),
  };
}
