// The model a person names: one of her own from the settings, or `endpoint/model` as it stands. When she names none:
// the standing one, else the first that can be reached.
import type { ModelChoice } from '../agent/options.ts';
import { modelNamed, readSettings } from '../config/config.ts';
import type { Settings } from '../config/config.ts';
import { accessOf, keyVariables } from '../config/environment.ts';
import type { WindowSettings } from '../config/window.ts';
import type { PrepareOptions } from '../model/prepared.ts';
import { triedCapabilities } from '../config/trials.ts';
import { nearestFew } from '../config/wrong.ts';
import { SightlineError } from '../content/refusal.ts';
import { endpoints, isEndpoint, knownModels, localServer, usualModels } from '../window/catalog.ts';
import type { EndpointName } from '../window/catalog.ts';
import { profileFor, wordsAlone } from '../window/profile.ts';
import type { ProfileOverrides } from '../window/profile.ts';
import { sightPolicy } from '../window/sight-policy.ts';
import { wrapped } from './table.ts';
import { screenWidth, styled, tell } from './terminal.ts';

/** The default of the environment, the project or the home. */
export function standingModel(): string | undefined {
  return readSettings().model;
}

/** Sessions know models by their full names; the settings may have more to say about one under a name of its own, or about
 * the server it is on. */
export function ownName(model: string): string {
  const { models, model: standing = '' } = readSettings();
  const own = Object.keys(models).filter((name) => models[name]?.model === model);
  const [endpoint = '', ...id] = model.split('/');
  const server = Object.keys(models).find(
    (name) => models[name]?.baseUrl !== undefined && models[name].model.startsWith(`${endpoint}/`),
  );
  const there = server === undefined || !isElsewhere(endpoint) ? undefined : `${server}/${id.join('/')}`;
  return own.find((name) => name === standing) ?? own[0] ?? there ?? model;
}

/** Whether an endpoint has no address of its own. */
function isElsewhere(endpoint: string): boolean {
  return isEndpoint(endpoint) && endpoints[endpoint].elsewhere === true && accessOf(endpoint).baseUrl === undefined;
}

/** The variable whose key a model needs and that is not set. */
export function neededKey(name: string): string | undefined {
  const { unset } = modelNamed(name, readSettings());
  if (unset !== undefined) return unset;
  const { model, profile, key } = choiceOf(name);
  const { endpoint } = profileFor(model, profile);
  const { keyless, env, signing } = endpoints[endpoint as EndpointName];
  const access = accessOf(endpoint);
  // Who works in a cloud has credentials there, which are looked for when a request leaves.
  const isCloud = signing !== undefined || env?.places !== undefined;
  if (keyless || isCloud || (key ?? access.key ?? access.token) !== undefined) return undefined;
  return keyVariables(endpoint)[0] ?? `the key of ${endpoint}`;
}

/** What `prepare` has to know about a model by that name: what a run is told but for the key, and the address of the environment. */
export function prepareAs(
  name: string,
): Pick<PrepareOptions, keyof PrepareOptions & (keyof Exclude<ModelChoice, string> | keyof WindowSettings)> {
  const settings = readSettings();
  const { key: _key, ...own } = { ...settings.window, ...choiceOf(name, settings) };
  const { baseUrl, apiVersion } = { ...accessOf(profileFor(own.model, own.profile).endpoint), ...own };
  return { ...own, ...(baseUrl !== undefined && { baseUrl }), ...(apiVersion !== undefined && { apiVersion }) };
}

/** Throws for models that nobody knows, with those that may have been meant. */
export function checkModels(names: readonly string[]): void {
  for (const name of names) {
    try {
      const { model, profile } = choiceOf(name);
      profileFor(model, profile);
    } catch (error) {
      const meant = meantModels(name);
      if (!(error instanceof SightlineError) || meant === undefined || error.message.includes('Did you mean'))
        throw error;
      const [what = ''] = error.message.split('. ', 1);
      throw new SightlineError('config', `${what}. ${meant} "sightline models --all" lists them.`, { cause: error });
    }
  }
}

/** Throws when none of the models can be asked for want of a key: then nothing shall begin. */
export function checkHasKey(names: readonly string[]): void {
  const needed = names.map((name) => neededKey(name));
  const [variable] = needed;
  if (variable === undefined || needed.includes(undefined)) return;
  const { model, profile } = choiceOf(names[0] ?? '');
  const { endpoint } = profileFor(model, profile);
  const next = `Set ${variable}, or choose another model with -m; "sightline models" lists those that can be reached.`;
  throw new SightlineError('config', `There is no key for ${endpoint}. ${next}`);
}

/** The question whether another name was meant; nothing when none is near, or when it is one of the known. */
export function meantModels(name: string): string | undefined {
  const known = [...Object.keys(readSettings().models), ...knownNames()];
  const near = known.includes(name) ? [] : nearestFew(name, known);
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`;
}

/** `endpoint/model` of the catalog. */
export function knownNames(endpoint?: EndpointName): string[] {
  return Object.entries(knownModels)
    .filter(([name]) => endpoint === undefined || name === endpoint)
    .flatMap(([name, models]) => models.map((model) => `${name}/${model}`));
}

/** The same for a run, key and options of the settings included. */
export function choiceOf(name: string, settings: Settings = readSettings()): Exclude<ModelChoice, string> {
  const { model, baseUrl, apiVersion, overrides, key, temperature, sight, options } = modelNamed(name, settings);
  return {
    model,
    profile: profileOf({ ...overrides, ...triedOf({ model, baseUrl }, overrides) }, settings),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiVersion !== undefined && { apiVersion }),
    ...(key !== undefined && { key }),
    ...(overrides.maxOutputTokens !== undefined && { maxTokens: overrides.maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...options,
    ...sightPolicy({ ...settings.window, ...sight }),
  };
}

/** Who describes pictures for the first of some models that has somebody, else for all; nobody where pictures stay at home. */
export function eyesFor(
  names: readonly string[],
  settings: Settings = readSettings(),
): { eyes?: Exclude<ModelChoice, string> } {
  const own = names.map((name) => modelNamed(name, settings).eyes).find((eyes) => eyes !== undefined);
  const eyes = own ?? settings.eyes;
  return eyes === undefined || settings.images.never ? {} : { eyes: choiceOf(eyes, settings) };
}

/** What a live trial taught, below what the settings say of the model itself. */
function triedOf(
  tried: { model: string; baseUrl?: string | undefined },
  { capabilities }: ProfileOverrides,
): ProfileOverrides {
  const known = { ...triedCapabilities(tried), ...capabilities };
  return Object.keys(known).length > 0 ? { capabilities: known } : {};
}

/** What all models share by the settings: how closely pictures are looked at, and whether they leave this machine. */
function profileOf(overrides: ProfileOverrides, { images }: Settings): ProfileOverrides {
  const capabilities = images.never ? { ...overrides.capabilities, ...wordsAlone } : overrides.capabilities;
  return {
    ...(images.detail && { imageDetail: images.detail }),
    ...overrides,
    ...(capabilities && { capabilities }),
  };
}

/** The usual model of the first vendor whose key is in the environment. */
export function keyedModel(): string | undefined {
  return Object.entries(usualModels)
    .find(([endpoint]) => accessOf(endpoint).key !== undefined)
    ?.join('/');
}

/** The model to use when none was named; nothing, after one screen of help, when there is none. */
export async function chooseModel(quiet = false): Promise<string[] | undefined> {
  const standing = standingModel();
  if (standing !== undefined) return [standing];
  const keyed = keyedModel();
  if (keyed !== undefined) return [told(keyed, quiet)];
  const { discover } = await import('../model/discover/discover.ts');
  const local = await discover(localServer, { signal: AbortSignal.timeout(1500) });
  const seeing = local.ok ? local.value.find(({ overrides }) => overrides.capabilities?.vision === true) : undefined;
  const found = seeing ?? (local.ok ? local.value[0] : undefined);
  if (found) return [told(`${localServer}/${found.id}`, quiet)];
  tellNoModel(local.ok);
  return undefined;
}

function told(model: string, quiet: boolean): string {
  if (!quiet) tell(styled('dim', `Using ${model}; -m or SIGHTLINE_MODEL chooses another.`));
  return model;
}

function tellNoModel(ollamaRuns: boolean): void {
  const names = Object.keys(usualModels).flatMap((endpoint) => keyVariables(endpoint).slice(0, 1));
  tell(styled('red', 'There is no model to ask yet.'));
  const places = [
    'a model in config.toml or SIGHTLINE_MODEL',
    `a key in ${[...new Set(names)].join(', ')}`,
    `Ollama on this machine (${ollamaRuns ? 'it runs, but has no models' : 'it does not answer'})`,
  ];
  for (const line of wrapped(`  Looked for: ${places.join('; ')}.`, 2, screenWidth(process.stderr))) tell(line);
  tell('');
  tell('The three shortest ways to go on:');
  tell('  1. ', styled('bold', 'export ANTHROPIC_API_KEY=…'), '   or the key of another vendor');
  tell('  2. ', styled('bold', 'ollama pull qwen3-vl'), '          a model of your own, free and private');
  tell('  3. ', styled('bold', 'sightline demo'), '                what it does, without any model');
}
