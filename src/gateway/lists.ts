// What clients ask beside answers: which models there are, how many tokens a request has, whether anybody is there.
import { accessOf } from '../config/environment.ts';
import { refusalText } from '../content/refusal.ts';
import { usualModels } from '../window/catalog.ts';
import { capabilitiesOf } from '../window/profile.ts';
import type { Inquiry, ServedModel } from '../wire/served.ts';
import { wireMeantBy, wires } from '../wire/registry.ts';
import { errorAnswer, invalid } from './errors.ts';
import type { GatewaySettings } from './settings.ts';
import { noModel, targetsFor } from './targets.ts';

/** An answer to what is asked beside answers; undefined where the address means something else. */
export function sideAnswer(
  asked: Inquiry,
  settings: GatewaySettings,
  mayUse: (name: string) => boolean,
): { status: number; body: unknown } | undefined {
  const meant = wireMeantBy(asked);
  const inOrder = Object.values(wires).toSorted((one, other) => +(other.name === meant) - +(one.name === meant));
  for (const { name: wire, served } of inOrder) {
    const probe = served.probe?.(asked);
    if (probe) return { status: 200, body: probe };
    const found = served.models?.match(asked);
    if (!found || !served.models) continue;
    const { named = (id: string) => id, list, one } = served.models;
    const all = namesOf(settings).filter(mayUse);
    const rows = all.flatMap((name) => servedModel(name, named(name), settings));
    if (found.id === undefined) return { status: 200, body: list(rows) };
    const { id } = found;
    const model = rows.find((row) => row.id === id) ?? (mayUse(id) ? servedModel(id, id, settings)[0] : undefined);
    if (model) return { status: 200, body: one(model) };
    return errorAnswer(invalid(refusalText(noModel(id, all)), 404), wire);
  }
  return undefined;
}

/** The names that can be asked for; patterns and what only the environment knows by its keys are no names. */
export function namesOf({ routes, models }: GatewaySettings): string[] {
  const usual = Object.entries(usualModels).filter(([endpoint]) => accessOf(endpoint).key !== undefined);
  const names = [...Object.keys(routes), ...Object.keys(models), ...usual.map((pair) => pair.join('/'))];
  return [...new Set(names)].filter((name) => !name.includes('*'));
}

function servedModel(name: string, id: string, settings: GatewaySettings): ServedModel[] {
  const found = targetsFor(name, undefined, settings);
  const profile = found.ok ? found.value[0]?.profile : undefined;
  if (!profile) return [];
  const { vision, thinking } = capabilitiesOf(profile);
  const { contextTokens, maxOutputTokens } = profile;
  return [{ id, contextTokens, maxOutputTokens, sees: vision, thinks: thinking }];
}
