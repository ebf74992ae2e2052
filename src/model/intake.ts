// The one way in for whoever was not handed one: how the options of a run, a request or an import become an intake.
import type { AssetStore } from '../asset/store.ts';
import type { Intake, Place } from '../content/intake.ts';
import { openIntake } from '../media/index.ts';
import type { MediaOptions } from '../media/index.ts';

/** What an intake is opened from; everything else about a run does not concern it. */
export type IntakeNeeds = Place & { assets?: AssetStore | undefined; limits?: MediaOptions['limits'] };

/** Opens the intake of a run, a request or an import. It is handed down from there and never opened again below. */
export function intakeOf({ assets, base, roots, signal, limits }: IntakeNeeds = {}): Intake {
  return openIntake({ base, roots, signal, ...(assets && { assets }), ...(limits && { limits }) });
}
