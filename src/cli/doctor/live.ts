// `sightline doctor --live`: a small picture and a small PDF to each model of the settings, really sent. What is learnt is
// kept, and plans of later requests know it.
import { readSettings } from '../../config/config.ts';
import { keepTrial, trialsFile } from '../../config/trials.ts';
import { money } from '../../content/figures.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed } from '../exit.ts';
import { taught, tryPdf, tryPicture } from '../live.ts';
import type { LiveTrial } from '../live.ts';
import { checkModels, choiceOf, chooseModel } from '../model.ts';
import { asRefused, refused } from '../refusal.ts';
import { busy, sayJson, tell } from '../terminal.ts';
import { sayFinding } from './finding.ts';
import type { Finding } from './finding.ts';

/** Tries the models that are named, else those of the settings, else the one that would be used. */
export async function liveCommand(named: readonly string[], { json }: { json?: true }): Promise<ExitCode> {
  const models = named.length > 0 ? [...named] : ((await configured()) ?? []);
  if (models.length === 0) return failed;
  try {
    checkModels(models);
  } catch (error) {
    return refused(asRefused(error), json);
  }
  const all: (Finding & { trials: { picture: LiveTrial; pdf: LiveTrial } })[] = [];
  for (const model of models) {
    const found = await busy(`showing a picture and a PDF to ${model}`, tried(model));
    all.push(found);
    if (!json) sayFinding(found);
  }
  if (json) sayJson(all);
  else
    tell(`What was learned is kept in ${trialsFile()} and applies from now on. The settings of a model override it.`);
  return all.some(({ state }) => state === 'broken') ? failed : done;
}

async function configured(): Promise<string[] | undefined> {
  const { models, model } = readSettings();
  const names = [...new Set([...(model === undefined ? [] : [model]), ...Object.keys(models)])];
  return names.length > 0 ? names : await chooseModel(true);
}

async function tried(model: string): Promise<Finding & { trials: { picture: LiveTrial; pdf: LiveTrial } }> {
  const choice = choiceOf(model);
  const picture = await tryPicture(choice);
  const pdf = await tryPdf(choice);
  const learnt = await taught(choice, picture);
  if (Object.keys(learnt).length > 0) keepTrial(choice, learnt);
  const cost = (picture.cost ?? 0) + (pdf.cost ?? 0);
  const price = cost > 0 ? `; ${money(cost)}` : '';
  const says = `${wordsOf(picture, 'picture', 'saw', 'see')}; ${wordsOf(pdf, 'PDF', 'read', 'read')}${price}`;
  const broken = picture.seen === undefined && pdf.seen === undefined;
  const state = broken ? 'broken' : picture.seen && pdf.seen ? 'on' : 'off';
  return {
    part: model,
    state,
    says,
    ...(broken && { next: 'Check its key and its address.' }),
    trials: { picture, pdf },
  };
}

function wordsOf({ seen, how, healed, error }: LiveTrial, what: string, did: string, does: string): string {
  const why = healed.length > 0 ? ` (${healed.join(' ')})` : '';
  if (seen === undefined) return `no answer about the ${what}: ${error ?? 'none came'}`;
  return seen ? `${did} the ${what}, ${how}${why}` : `did not ${does} the ${what}, ${how}${why}`;
}
