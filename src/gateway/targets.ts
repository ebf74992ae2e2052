// The name that a client asks for → the models that may answer, the first that can be had first.
import { accessOf } from '../config/environment.ts';
import type { Access } from '../config/environment.ts';
import { SightlineError } from '../content/refusal.ts';
import type { Read, Refusal } from '../content/refusal.ts';
import { addressOf } from '../model/address.ts';
import { accessGiven, hasAuth } from '../model/auth.ts';
import type { Secret } from '../model/send-options.ts';
import { endpointAt, profileFor, wordsAlone } from '../window/profile.ts';
import type { WireName } from '../window/profile.ts';
import { endpoints, isEndpoint } from '../window/catalog.ts';
import type { EndpointName } from '../window/catalog.ts';
import { sightPolicy } from '../window/sight-policy.ts';
import type { AnswerTarget, GatewaySettings, TargetModel } from './settings.ts';

/** Claude Code lists only names that begin so: others are offered to it with this before them. */
export const pickerPrefix = 'anthropic.';

/** An exact route, the longest pattern, a model of the settings, `endpoint/model`, the vendor's own, or the default. */
export function targetsFor(name: string, wire: WireName | undefined, settings: GatewaySettings): Read<AnswerTarget[]> {
  const before = settings.known.get(name);
  if (before) return { ok: true, value: before };
  const bare = name.startsWith(pickerPrefix) ? name.slice(pickerPrefix.length) : name;
  const own = named(name, settings, []) ?? named(bare, settings, []);
  if (own) settings.known.set(name, own);
  const found =
    own ??
    (wire && vendorsOwn(bare, wire, settings)) ??
    (settings.default === undefined ? undefined : named(settings.default, settings, []));
  if (found) return { ok: true, value: found };
  return {
    ok: false,
    refusal: noModel(name, Object.keys(settings.routes).concat(Object.keys(settings.models)), 'endpoint/model'),
  };
}

/** Nobody answers under a name: which names there are. */
export function noModel(name: string, names: readonly string[], or?: string): Refusal {
  const what = name === '' ? 'No model is named' : `There is no model "${name}" here`;
  const listed = names.length > 0 ? [`one of these: ${names.join(', ')}`] : [];
  return {
    code: 'not-found',
    what,
    next: `Ask for ${[...listed, ...(or === undefined ? [] : [or])].join('; or for ')}.`,
  };
}

/** The address and the key of a model: its own, else those of the environment. */
export async function accessTo({ choice, profile }: AnswerTarget): Promise<Access> {
  return { ...(await accessGiven(profile.endpoint, choice)), ...placeGiven(choice) };
}

function placeGiven({ baseUrl, apiVersion }: TargetModel): Access {
  return { ...(baseUrl !== undefined && { baseUrl }), ...(apiVersion !== undefined && { apiVersion }) };
}

/** Whether the address of a model says which one is meant. */
export function isInAddress({ choice, profile }: AnswerTarget): boolean {
  const place = { ...accessOf(profile.endpoint), ...placeGiven(choice) };
  return addressOf({ profile, options: {} }, place).url.includes(`/${encodeURIComponent(profile.id)}`);
}

/** The key that was named for a model; an empty one is not there. */
export function keyNamed({ choice: { key, apiKey, token } }: AnswerTarget): Secret | undefined {
  return key ?? apiKey ?? token;
}

/** Whether the key of a model is there, or it wants none. */
export function hasKey(target: AnswerTarget): boolean {
  const { choice, profile } = target;
  if (endpoints[profile.endpoint as EndpointName].keyless || hasAuth(choice.headers)) return true;
  const { key, token } = accessOf(profile.endpoint);
  return (keyNamed(target) ?? key ?? token ?? '') !== '';
}

/** Throws for a model that means nothing, a route that leads to none, and a word about writing that nobody knows. */
export function checkTargets(settings: GatewaySettings): void {
  sightPolicy(settings);
  for (const name of Object.keys(settings.models).concat(Object.keys(settings.routes))) named(name, settings, []);
  const { default: usual } = settings;
  if (usual === undefined || named(usual, settings, [])) return;
  const next = 'Give endpoint/model, or the name of a route or a model of yours.';
  throw new SightlineError('config', `The default "${usual}" is no model. ${next}`);
}

function named(name: string, settings: GatewaySettings, seen: readonly string[]): AnswerTarget[] | undefined {
  const { routes } = settings;
  const route = Object.hasOwn(routes, name)
    ? name
    : seen.length === 0
      ? longestPattern(name, Object.keys(routes))
      : undefined;
  if (route !== undefined) {
    if (seen.includes(route))
      throw new SightlineError(
        'config',
        `The routes ${[...seen, route].join(' → ')} lead in a circle. Let one name a model.`,
      );
    return (routes[route] ?? []).flatMap((next) => {
      const targets =
        next === name ? direct(next, settings) : (named(next, settings, [...seen, route]) ?? direct(next, settings));
      if (targets) return targets;
      throw new SightlineError(
        'config',
        `The route "${route}" names "${next}", which is no model. Give endpoint/model.`,
      );
    });
  }
  return direct(name, settings);
}

/** A model of the settings, or `endpoint/model`; what is said of writing for all holds where it says nothing of its own. */
function direct(name: string, settings: GatewaySettings): AnswerTarget[] | undefined {
  const { models } = settings;
  const own = Object.hasOwn(models, name) ? models[name] : undefined;
  const slash = name.indexOf('/');
  const endpoint = name.slice(0, Math.max(0, slash)).toLowerCase();
  if (!own && (!isEndpoint(endpoint) || slash === name.length - 1)) return undefined;
  return [targetOf({ ...(own ?? { model: name }), ...sightPolicy({ ...settings, ...own }) }, settings)];
}

function targetOf(given: TargetModel, { picturesStay }: GatewaySettings): AnswerTarget {
  const { eyes: _eyes, ...blind } = given;
  const capabilities = { ...given.profile?.capabilities, ...wordsAlone };
  const choice = picturesStay ? { ...blind, profile: { ...given.profile, capabilities } } : given;
  return { choice, profile: profileFor(choice.model, choice.profile) };
}

function longestPattern(name: string, patterns: readonly string[]): string | undefined {
  const fits = patterns.filter((pattern) => pattern.includes('*') && fitsPattern(name, pattern));
  return fits.toSorted((one, other) => other.length - one.length)[0];
}

/** Whether a name is this one; a `*` in it stands for any letters. */
export function fitsPattern(name: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name);
}

/** The model of this name at the vendor of the client's dialect, where the environment has its key. */
function vendorsOwn(name: string, wire: WireName, settings: GatewaySettings): AnswerTarget[] | undefined {
  const endpoint = endpointAt(new URL('http://localhost'), wire, name);
  if (endpoint === undefined || name === '') return undefined;
  const { key, token } = accessOf(endpoint);
  const { keyless, elsewhere } = endpoints[endpoint];
  if (elsewhere || (key === undefined && token === undefined && !keyless)) return undefined; // where that is, nobody has said
  const model = `${endpoint}/${name}`;
  const target = targetOf({ model, ...sightPolicy(settings) }, settings);
  return target.profile.family === 'unknown' ? undefined : [target];
}
