// How pictures and pages with writing go to a model: the part of a policy that a caller may set for each model.
import { SightlineError } from '../content/refusal.ts';
import type { MediaPolicy } from './plan-types.ts';

export type SightPolicy = Pick<MediaPolicy, 'tiles' | 'legibility' | 'pages'>;

const known = {
  tiles: ['careful', 'auto', 'off'],
  legibility: ['full', 'thrifty'],
  pages: ['picture', 'picture+text', 'text'],
} satisfies { [Name in keyof SightPolicy]-?: SightPolicy[Name][] };

/** The first option about writing that is nothing we know, and what it must be: for programs and settings files alike. */
export function wrongSight(given: Readonly<Record<string, unknown>>): { name: string; words: string } | undefined {
  for (const [name, words] of Object.entries<readonly string[]>(known)) {
    const value = given[name];
    if (value === undefined || words.some((one) => one === value)) continue;
    const quoted = words.map((one) => `"${one}"`);
    return { name, words: `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` };
  }
  return undefined;
}

/** What of some options concerns writing, without what is not set; throws for a word that nobody knows. */
export function sightPolicy(options: SightPolicy): SightPolicy {
  const { tiles, legibility, pages } = options;
  const trouble = wrongSight({ tiles, legibility, pages });
  if (trouble) {
    const value = JSON.stringify(options[trouble.name as keyof SightPolicy]);
    throw new SightlineError('input', `"${trouble.name}" is ${value}, and must be ${trouble.words}.`);
  }
  return { ...(tiles && { tiles }), ...(legibility && { legibility }), ...(pages && { pages }) };
}
