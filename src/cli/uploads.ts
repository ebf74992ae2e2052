// Media among the person's files at a provider: who puts them there, and who takes them back.
import { readSettings } from '../config/config.ts';
import type { Settings } from '../config/config.ts';
import { byteText, grouped } from '../content/figures.ts';
import type { FileUploadOptions } from '../model/uploads/file-uploads.ts';
import type { FileUploads } from '../model/uploads/port.ts';
import type { SessionStore } from '../session/store.ts';
import { choiceOf } from './model.ts';

type Owner = Pick<FileUploadOptions, 'key' | 'baseUrl'>;

/** The uploads of whoever owns a key, written down where all processes find them. */
export async function uploadsOf(
  { key, baseUrl }: Owner,
  { uploads: table }: Pick<SessionStore, 'uploads'>,
  { uploads: { keepHours } }: Pick<Settings, 'uploads'>,
  onUpload?: (words: string) => void,
): Promise<FileUploads> {
  const { fileUploads } = await import('../model/uploads/file-uploads.ts'); // most people never upload
  return fileUploads({
    ...(key !== undefined && { key }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(keepHours !== undefined && { keepHours }),
    ...(table && { table }),
    ...(onUpload && { onProgress: (told) => onUpload(uploadWords(told)) }),
  });
}

type Sent = Parameters<NonNullable<FileUploadOptions['onProgress']>>[0];

/** How far an upload is, for the line that tells a person what goes on. */
export function uploadWords({ name = 'a file', sent, size }: Sent): string {
  return `uploading ${name}, ${byteText(sent)} of ${byteText(size)}`;
}

/** What became of the files that no session needs any more. */
export type Withdrawn = { deleted: number; left: number };

/** Deletes at the providers what no session needs any more, with the keys of the environment and of the settings. */
export async function withdrawUnused(store: SessionStore): Promise<Withdrawn> {
  const unused = await store.unusedUploads();
  if (unused.size === 0) return { deleted: 0, left: 0 };
  const settings = readSettings();
  const owners: Owner[] = [{}, ...Object.keys(settings.models).map((name) => choiceOf(name, settings))];
  let [deleted, left] = [0, unused.size];
  for (const owner of owners) {
    if (left === 0) break;
    const done = await (await uploadsOf(owner, store, settings)).withdraw(unused);
    deleted += done.deleted;
    ({ left } = done);
  }
  return { deleted, left };
}

/** The same in a sentence or two; nothing where there was nothing. */
export function withdrawnLine({ deleted, left }: Withdrawn): string | undefined {
  const went = deleted === 0 ? [] : [`${files(deleted)} at providers deleted.`];
  const stays =
    left === 0
      ? []
      : [`${files(left)} at providers could not be deleted: their key is not here, or the provider refused. They expire there by themselves.`]; // prettier-ignore
  return [...went, ...stays].join(' ') || undefined;
}

function files(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'file' : 'files'}`;
}
