// The model that a conversation goes on with when none was named: the one that answered in it last.
import { accessOf } from '../config/environment.ts';
import { SightlineError } from '../content/refusal.ts';
import { usualModels } from '../window/catalog.ts';
import { profileFor } from '../window/profile.ts';
import { ownSessions } from './kept.ts';
import { chooseModel, choiceOf, neededKey, ownName, standingModel } from './model.ts';
import { styled, tell } from './terminal.ts';

type Wanted = { models: readonly string[]; session?: string; quiet?: boolean };

/** Those that were named, else the one of the session, else the usual one; nothing, after help, when there is none. */
export async function modelsFor({ models, session, quiet = false }: Wanted): Promise<string[] | undefined> {
  if (models.length > 0) return [...models];
  return session === undefined ? await chooseModel(quiet) : await continuedModel(session, quiet);
}

/** Tells which one it is. Throws with what to do when it cannot be asked any more. */
async function continuedModel(session: string, quiet: boolean): Promise<string[] | undefined> {
  await using store = ownSessions({ readOnly: true });
  const { model: stored } = await (await store.read(await store.resolve(session))).info();
  if (stored === undefined) return await chooseModel(quiet);
  const model = ownName(stored);
  const missing = missingFor(model);
  if (missing !== undefined) {
    const other = otherModel() ?? '<model>';
    throw new SightlineError('config', `${stored} answered in this conversation, but ${missing}, or add: -m ${other}`);
  }
  if (!quiet) tell(styled('dim', `Going on with ${model}, which answered last; -m chooses another.`));
  return [model];
}

function missingFor(name: string): string | undefined {
  try {
    const variable = neededKey(name);
    const { model, profile } = choiceOf(name);
    return variable && `there is no key for ${profileFor(model, profile).endpoint}. Set ${variable}`;
  } catch (error) {
    if (!(error instanceof SightlineError)) throw error;
    return 'it is not known here any more. Add it to config.toml';
  }
}

/** Another that could be asked. */
function otherModel(): string | undefined {
  const keyed = Object.entries(usualModels).find(([endpoint]) => accessOf(endpoint).key !== undefined);
  const names = [standingModel(), keyed?.join('/')];
  return names.find((name) => name !== undefined && missingFor(name) === undefined);
}
