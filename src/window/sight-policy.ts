// How pictures and pages with writing go to a model: the part of a policy that a caller may set for each model.
import type { MediaPolicy } from './plan-types.ts';

export type SightPolicy = Pick<MediaPolicy, 'tiles' | 'legibility' | 'pages'>;

/** What of some options concerns writing, without what is not set. */
export function sightPolicy({ tiles, legibility, pages }: SightPolicy): SightPolicy {
  return { ...(tiles && { tiles }), ...(legibility && { legibility }), ...(pages && { pages }) };
}
