// An old PowerPoint file (95 to 2003) in, its slides as Markdown out: title, texts and pictures in their places, notes,
// comments, headers and footers. Refused: passwords that do not open it, damage, PowerPoint 4 and older.
import { refuse } from '../../content/refusal.ts';
import type { Piece } from '../document/markdown.ts';
import { heading, joined, oneLine, picture, quote } from '../document/markdown.ts';
import type { DocumentReader, InnerPicture } from '../document/reader.ts';
import { chosenSlides, slidePieces } from '../document/slide.ts';
import { finish } from '../web/markdown.ts';
import { isCompound, openCompound } from './compound.ts';
import type { Compound } from './compound.ts';
import { isPpt95, slidesOf95 } from './ppt95.ts';
import { openedPictures, pptPictures } from './ppt-pictures.ts';
import { kinds, pptRecords } from './ppt-records.ts';
import type { Show } from './ppt-slides.ts';
import { allTexts, openedSlides, slidesOf } from './ppt-slides.ts';
import { corrupt, encrypted, withUnlocked } from '../document/refusals.ts';

const encryptedToken = 0xf3d1c4df;
const plainToken = 0xe391c05f;

export const readPpt: DocumentReader = async (bytes, options) => {
  const { name, password } = options;
  const container = openCompound(bytes);
  if (container === undefined && isCompound(bytes)) return corrupt(name, 'its container cannot be opened');
  if (container?.has('EncryptedPackage') === true) return encrypted(name, password);
  // A file that PowerPoint 95 can open, too, holds everything twice.
  const both = container?.at('PP97_DUALSTORAGE/PowerPoint Document');
  const part = (stream: string): Buffer | undefined =>
    both === undefined ? container?.stream(stream) : container?.at(`PP97_DUALSTORAGE/${stream}`);
  const data = part('PowerPoint Document');
  if (both === undefined && container?.isWhole('PowerPoint Document') === false)
    return corrupt(name, 'its slides are cut off');
  if (container === undefined || data === undefined) {
    const next = 'Open it in PowerPoint or LibreOffice and save it as pptx.';
    return refuse('unsupported', `${name} is no presentation of PowerPoint 95 or later`, next);
  }
  const user = part('Current User');
  const lastEdit = user !== undefined && user.length >= 20 ? user.readUInt32LE(16) : 0;
  if (isEncrypted(data, user)) {
    const unlocked =
      password === undefined ? undefined : withoutPassword(container, { data, user, lastEdit }, password);
    return unlocked ? withUnlocked(unlocked, await readPpt(unlocked, options)) : encrypted(name, password);
  }
  const pictures = pptPictures(part('Pictures'));
  const show = isPpt95(data) ? undefined : slidesOf(data, lastEdit, new Map(pictures.map((one) => [one.at, one.name])));
  const slides = show?.slides ?? (isPpt95(data) ? slidesOf95(data) : []);
  const texts = slides.length > 0 ? [] : allTexts(data);
  if (slides.length === 0 && texts.length === 0) return corrupt(name, 'no slide can be found in it');
  const chosen = chosenSlides(slides.length, options.pages);
  if (!chosen.ok) return chosen;
  const { range, parts } = chosen.value;
  const pieces = [
    ...marginPieces(show),
    ...slides.slice(...range).flatMap((slide, at) => slidePieces(slide, range[0] + at + 1)),
    ...texts.map((text) => ({ text })),
  ];
  const markdown = joined(parts.range === undefined ? [...pieces, ...otherPictures(pictures, pieces)] : pieces);
  return finish(markdown, options, { pictures: pictures.filter((one) => markdown.includes(`](${one.name})`)), parts });
};

type Sealed = { data: Buffer; user: Buffer | undefined; lastEdit: number };

/** The whole file without its encryption. */
function withoutPassword(container: Compound, { data, user, lastEdit }: Sealed, password: string): Buffer | undefined {
  const opened = openedSlides(data, lastEdit, password);
  if (opened === undefined || user === undefined) return undefined;
  const plain = Buffer.from(user);
  plain.writeUInt32LE(plainToken, 12);
  const pictures = openedPictures(container.stream('Pictures') ?? Buffer.alloc(0), opened.open);
  return container.replaced(
    new Map([
      ['PowerPoint Document', opened.data],
      ['Current User', plain],
      ['Pictures', pictures],
    ]),
  );
}

function isEncrypted(data: Buffer, user: Buffer | undefined): boolean {
  if (user !== undefined && user.length >= 16 && user.readUInt32LE(12) === encryptedToken) return true;
  for (const { type } of pptRecords(data, 0, data.length)) if (type === kinds.encryption) return true;
  return false;
}

/** What stands on all slides is said once, before them. */
function marginPieces(show: Show | undefined): Piece[] {
  if (show === undefined) return [];
  const { slides, notes } = show.margins;
  const hasNotes = show.slides.some((slide) => slide.notes !== '');
  return [
    ...(slides === '' ? [] : [{ text: quote(`On each slide: ${oneLine(slides)}`) }]),
    ...(notes === '' || !hasNotes ? [] : [{ text: quote(`On each page of notes: ${oneLine(notes)}`) }]),
  ];
}

/** Pictures that no slide refers to: those of the designs behind them. */
function otherPictures(pictures: readonly InnerPicture[], pieces: readonly Piece[]): Piece[] {
  // Whatever a picture is said to show, it ends alike.
  const shown = new Set(pieces.map(({ text }) => text.slice(text.lastIndexOf(']('))));
  const left = pictures
    .map(({ name }) => picture('', name))
    .filter((text) => !shown.has(text.slice(text.lastIndexOf(']('))));
  return left.length === 0 ? [] : [{ text: heading(2, 'Other pictures') }, ...left.map((text) => ({ text }))];
}
