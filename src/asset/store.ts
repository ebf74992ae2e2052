// The port of this stage is defined with the content it stores; its two implementations stand beside this file.
export type { AssetStore } from '../content/asset-store.ts';
