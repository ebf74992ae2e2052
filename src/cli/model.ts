// The model a person names: one of her own from the settings, or `endpoint/model` as it stands.
import { modelNamed, readSettings } from '../config/config.ts';
import type { PrepareOptions } from '../model/prepare.ts';

/** The default of the environment, the project or the home. */
export function standingModel(): string | undefined {
  return readSettings().model;
}

/** What `prepare` has to know about a model by that name. */
export function prepareAs(name: string): Pick<PrepareOptions, 'model' | 'profile' | 'baseUrl'> {
  const { model, baseUrl, overrides } = modelNamed(name, readSettings());
  return { model, profile: overrides, ...(baseUrl !== undefined && { baseUrl }) };
}
