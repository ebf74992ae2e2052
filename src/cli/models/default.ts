// `sightline models default`: a name that means something goes into config.toml.
import { join } from 'node:path';
import { readSettings } from '../../config/config.ts';
import { homeFolder } from '../../config/home.ts';
import { writeDefaultModel } from '../../config/write.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed } from '../exit.ts';
import { checkModels } from '../model.ts';
import { asRefused, tellRefusal } from '../refusal.ts';
import { tell } from '../terminal.ts';

export function setDefault(name: string): ExitCode {
  const file = join(homeFolder(), 'config.toml');
  try {
    checkModels([name]);
    writeDefaultModel(file, name);
  } catch (error) {
    tellRefusal(asRefused(error));
    return failed;
  }
  tell(`The default is now ${name} (${file}).`);
  const over = readSettings().model;
  if (over !== name)
    tell(`Here, ${over} still overrides it: SIGHTLINE_MODEL or the sightline.toml of this folder names it.`);
  return done;
}
