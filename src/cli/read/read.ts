// `sightline read`: files in; what a model would get of them out, and, for named models, how each of them would get it.
// Every path is tried; a refusal of one does not keep the others from being read.
import { dirname } from 'node:path';
import { sharedAssets } from '../../asset/memory.ts';
import { isMedia } from '../../content/block.ts';
import type { Read, Refusal } from '../../content/refusal.ts';
import type { DocumentWish } from '../../media/document/reader.ts';
import { wishOf } from '../../media/document/reader.ts';
import type { Limits } from '../../media/limits.ts';
import { read } from '../../media/read.ts';
import type { Progress } from '../../media/context.ts';
import { progressWords } from '../../media/context.ts';
import type { Reading, ReadOptions } from '../../media/reading.ts';

import { blockLine } from '../block-line.ts';
import { drawingHere } from '../drawing.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed } from '../exit.ts';
import { ownLimits } from '../limits.ts';
import type { ToldRefusal } from '../refusal.ts';
import { asRefused, tellRefusal } from '../refusal.ts';
import { checkModels } from '../model.ts';
import { nameOf, sourceOf } from '../source.ts';
import { busy, say, sayDrawn, sayJson, styled, visibleLine } from '../terminal.ts';
import { allFilesOf, filesOf } from './files.ts';
import { nextInFlags, notesInFlags, whatInFlags } from './flags.ts';
import type { LineRange } from './flags.ts';

export type ReadArguments = DocumentWish & {
  images?: boolean;
  part?: string;
  pages?: string;
  lines?: LineRange;
  character?: number;
  as?: 'auto' | 'text' | 'image';
  /** The models named for this reading: only how they get it is shown. */
  models: readonly string[];
  /** The model of the environment: how it gets the file is shown after the reading. */
  standing?: string;
  password?: string;
  json?: boolean;
  /** Many files into a folder: by so many processes, this share of them. */
  out?: string;
  jobs?: number;
  shard?: string;
};

/** Reads every path in turn. */
export async function readCommand(named: readonly string[], options: ReadArguments): Promise<ExitCode> {
  if (options.out !== undefined) return await readInto(options.out, named, options);
  const unknown = unknownModel(options);
  if (unknown) return refuse(unknown, options);
  const meant = pathsOf(named);
  if ('refused' in meant) return refuse(meant.refused, options);
  const { paths, limits } = meant;
  const readings: Read<Reading>[] = [];
  for (const [index, path] of paths.entries()) {
    let far = '';
    const onProgress = (told: Progress): void => void (far = `: ${progressWords(told)}`);
    const reading = await busy(
      () => `reading ${nameOf(path)}${far}`,
      read(sourceOf(path), { ...readOptions(options), limits, onProgress }),
    );
    readings.push(reading);
    if (options.json) continue;
    if (paths.length > 1) say(styled('bold', `${index > 0 ? '\n' : ''}${visibleLine(nameOf(path))}`));
    if (reading.ok) await show(reading.value, options);
    else tellRefusal(await forPeople(reading.refusal, path));
  }
  if (options.json) {
    const values =
      options.models.length === 0 ? readings : await Promise.all(readings.map((one) => withModels(one, options)));
    sayJson(paths.length === 1 && named[0] === paths[0] ? values[0] : values);
  }
  return readings.every(({ ok }) => ok) ? done : failed;
}

/** Every file into one line of JSON, with nothing kept in memory. */
async function readInto(out: string, named: readonly string[], options: ReadArguments): Promise<ExitCode> {
  try {
    const { readMany, shardOf } = await import('./bulk.ts');
    const { jobs = 2, json = false } = options;
    const reading = { ...readOptions(options), limits: ownLimits() };
    return await readMany(allFilesOf(named), { out, jobs, shard: shardOf(options.shard), json, reading });
  } catch (error) {
    return refuse(asRefused(error), options);
  }
}

/** The files that are meant, and the ceilings that hold for them. */
function pathsOf(named: readonly string[]): { paths: string[]; limits: Partial<Limits> } | { refused: ToldRefusal } {
  try {
    return { paths: named.flatMap((path) => filesOf(path)), limits: ownLimits() };
  } catch (error) {
    return { refused: asRefused(error) };
  }
}

function unknownModel({ models, standing }: ReadArguments): ToldRefusal | undefined {
  try {
    checkModels([...models, ...(standing === undefined ? [] : [standing])]);
    return undefined;
  } catch (error) {
    return asRefused(error);
  }
}

function refuse(refused: ToldRefusal, { json }: ReadArguments): ExitCode {
  if (json) sayJson({ ok: false, refusal: refused });
  else tellRefusal(refused);
  return failed;
}

/** The library names its options, the command line its flags. */
async function forPeople(refused: Refusal, path: string): Promise<ToldRefusal> {
  if (refused.code === 'not-found') {
    const { withMeant } = await import('../../toolbox/read-file.ts');
    return await withMeant(refused, path, dirname(path));
  }
  return { ...refused, what: whatInFlags(refused.what), next: nextInFlags(refused.next) };
}

function readOptions(options: ReadArguments): ReadOptions {
  const { pages, lines, character, as, password, images, part } = options;
  return {
    ...lines,
    ...(character !== undefined && { character }),
    ...wishOf(options),
    ...(images === true && { images }),
    ...(part !== undefined && { part }),
    ...(pages !== undefined && { pages }),
    ...(as !== undefined && { as }),
    ...(password !== undefined && { password }),
  };
}

async function withModels(reading: Read<Reading>, { models }: ReadArguments): Promise<unknown> {
  if (!reading.ok) return { reading, models: [] };
  const { deliveriesOf } = await import('../delivery.ts');
  return { reading, models: await deliveriesOf(reading.value, models) };
}

async function show(reading: Reading, { as, models, standing }: ReadArguments): Promise<void> {
  if (models.length > 0) {
    const [main, ...more] = reading.blocks.some(isMedia) ? reading.blocks.filter(isMedia) : reading.blocks;
    if (main) say(`${blockLine(main)}${more.length > 0 ? ` and ${more.length} more` : ''}`);
    return await showTable(reading, models);
  }
  showReading(reading, as === 'text');
  if (as !== 'text') await showPictures(reading);
  if (standing !== undefined && as !== 'text') await showTable(reading, [standing]);
}

/** Pictures as the terminal can show them, when a person looks. */
async function showPictures({ blocks }: Reading): Promise<void> {
  const pictures = blocks.filter((one) => one.type === 'image').slice(0, mostPictures);
  if (pictures.length === 0) return;
  const { graphics, cell } = await drawingHere();
  if (graphics === 'none') return;
  const { pictureLines } = await import('../../tui/picture/picture.ts');
  const box = { columns: Math.min(80, process.stdout.columns - 2), rows: 24 };
  for (const block of pictures) {
    const lines = await pictureLines(block, graphics, box, sharedAssets(), cell);
    if (lines.length > 0) sayDrawn(['', ...lines]);
  }
}

const mostPictures = 4;

async function showTable(reading: Reading, models: readonly string[]): Promise<void> {
  const { deliveriesOf, showDeliveries } = await import('../delivery.ts');
  const deliveries = await busy('planning', deliveriesOf(reading, models));
  say('');
  showDeliveries(deliveries);
}

/** What people read, then the blocks in words. */
function showReading({ output, blocks }: Reading, textOnly: boolean): void {
  say(notesInFlags(output).replace(/\n$/, ''));
  if (textOnly) return;
  say('');
  for (const [index, block] of blocks.entries()) say(styled('dim', `block ${index + 1}: ${blockLine(block)}`));
}
