// The workshop of Node. Where it cannot be loaded all the same, the bare one takes its place.
import { bareWorkshop } from './workshop.ts';
import type { OpenWorkshop } from './workshop.ts';

/** Opens it with the first medium: programs without media never load the media stage. */
export const wholeWorkshop: OpenWorkshop = async (assets) => {
  const node = await Promise.all([
    import('../asset/memory.ts'),
    import('../media/index.ts'),
    import('../model/renditions.ts'),
  ]).catch(() => undefined);
  if (!node) return bareWorkshop(assets);
  const [{ sharedAssets }, { canReadPictures, openIntake }, { planWithFacts }] = node;
  const store = assets ?? sharedAssets();
  // Whoever wrote the request must not choose what is opened here.
  const intake = openIntake({ assets: store, roots: [] });
  return {
    intake,
    assets: store,
    readPictures: canReadPictures(),
    plan: (input, signal) => planWithFacts(input, store, intake, signal),
  };
};
