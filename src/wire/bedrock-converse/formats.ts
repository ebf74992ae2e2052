// Converse names formats, not media types.
import { docxType, xlsxType } from '../../content/words.ts';
import type { MediaKind } from '../../content/block.ts';
import type { ConverseImage, ConverseVideo } from './types.ts';

export const pictureFormats: Readonly<Record<string, ConverseImage['image']['format']>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

export const filmFormats: Readonly<Record<string, ConverseVideo['video']['format']>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
  'video/webm': 'webm',
  'video/mpeg': 'mpeg',
};

const others = new Map(
  Object.entries({
    pdf: 'application/pdf',
    csv: 'text/csv',
    html: 'text/html',
    md: 'text/markdown',
    txt: 'text/plain',
    doc: 'application/msword',
    docx: docxType,
    xls: 'application/vnd.ms-excel',
    xlsx: xlsxType,
    mpg: 'video/mpeg',
    mp3: 'audio/mpeg',
    m4a: 'audio/mp4',
  }),
);

/** The media type that a format of a request stands for. */
export function typeOfFormat(kind: MediaKind, format: string): string {
  const known = [pictureFormats, filmFormats].flatMap((formats) => Object.entries(formats));
  return known.find(([, name]) => name === format)?.[0] ?? others.get(format) ?? `${kind}/${format}`;
}
