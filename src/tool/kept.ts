// What was kept at the intake while a result was read: its words name these assets, but no block holds them.
import type { Asset } from '../content/block.ts';
import type { Intake } from '../content/intake.ts';

/** The intake with an eye on what is kept there; `kept` gives it all, each asset once, after those known before. */
export function watchKept(intake: Intake): { intake: Intake; kept: (before?: readonly Asset[]) => Asset[] } {
  const seen: Asset[] = [];
  const keep: Intake['keep'] = async (bytes, about) => {
    const asset = await intake.keep(bytes, about);
    seen.push(asset);
    return asset;
  };
  const kept = (before: readonly Asset[] = []): Asset[] => [
    ...new Map([...before, ...seen].map((asset) => [asset.id, asset])).values(),
  ];
  return { intake: { ...intake, keep }, kept };
}
