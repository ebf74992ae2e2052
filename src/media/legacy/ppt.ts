// An old PowerPoint file (97 to 2003) in, its slides as Markdown out: title, texts, notes, comments. Its pictures follow
// at the end when asked for. Refused: passwords, damage, PowerPoint 95 and older.
import { refuse } from '../../content/refusal.ts';
import { heading, oneLine, picture } from '../document/markdown.ts';
import type { DocumentReader, InnerPicture } from '../document/reader.ts';
import { finish } from '../web/markdown.ts';
import { isCompound, openCompound } from './compound.ts';
import type { Compound } from './compound.ts';
import { kinds, pptRecords } from './ppt-records.ts';
import type { Slide } from './ppt-slides.ts';
import { allTexts, openedSlides, slidesOf } from './ppt-slides.ts';
import { corrupt, encrypted, withUnlocked } from './refusals.ts';

const encryptedToken = 0xf3d1c4df;
const plainToken = 0xe391c05f;

export const readPpt: DocumentReader = async (bytes, options) => {
  const { name, password } = options;
  const container = await openCompound(bytes);
  if (container === undefined && isCompound(bytes)) return corrupt(name, 'its container cannot be opened');
  if (container?.has('EncryptedPackage') === true) return encrypted(name, password);
  const data = container?.stream('PowerPoint Document');
  if (container?.isWhole('PowerPoint Document') === false) return corrupt(name, 'its slides are cut off');
  if (container === undefined || data === undefined) {
    const next = 'Open it in PowerPoint or LibreOffice and save it as pptx.';
    return refuse('unsupported', `${name} is no presentation of PowerPoint 97 or later`, next);
  }
  const user = container.stream('Current User');
  const lastEdit = user !== undefined && user.length >= 20 ? user.readUInt32LE(16) : 0;
  if (isEncrypted(data, user)) {
    const unlocked =
      password === undefined ? undefined : withoutPassword(container, { data, user, lastEdit }, password);
    return unlocked ? withUnlocked(unlocked, await readPpt(unlocked, options)) : encrypted(name, password);
  }
  const slides = slidesOf(data, lastEdit);
  const texts = slides.length > 0 ? [] : allTexts(data);
  if (slides.length === 0 && texts.length === 0) return corrupt(name, 'no slide can be found in it');
  const pictures = options.pictures ? picturesOf(container.stream('Pictures')) : [];
  const blocks = [...slides.flatMap(slideBlocks), ...texts];
  if (pictures.length > 0) blocks.push(heading(2, 'Pictures'), ...pictures.map((one) => picture(one.name, one.name)));
  return finish(blocks.join('\n\n'), options, { pictures, parts: { count: slides.length, unit: 'slides' } });
};

type Sealed = { data: Buffer; user: Buffer | undefined; lastEdit: number };

/** The whole file without its encryption. Its pictures are sealed one by one, and left out. */
function withoutPassword(container: Compound, { data, user, lastEdit }: Sealed, password: string): Buffer | undefined {
  const opened = openedSlides(data, lastEdit, password);
  if (opened === undefined || user === undefined) return undefined;
  const plain = Buffer.from(user);
  plain.writeUInt32LE(plainToken, 12);
  const pictures = Buffer.alloc(container.stream('Pictures')?.length ?? 0);
  return container.replaced(
    new Map([
      ['PowerPoint Document', opened],
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

function slideBlocks({ title, texts, notes, comments }: Slide, at: number): string[] {
  const blocks = [heading(2, `Slide ${at + 1}${title === '' ? '' : `: ${oneLine(title)}`}`), ...texts];
  if (notes.length > 0) blocks.push('### Notes', ...notes);
  if (comments.length > 0) blocks.push('### Comments', ...comments.map((comment) => `- ${oneLine(comment)}`));
  return blocks;
}

/** By the record that holds a picture: the ending of its name. */
const pictureKinds = new Map([
  [0xf01d, 'jpg'],
  [0xf01e, 'png'],
  [0xf02a, 'jpg'],
]);

function picturesOf(stream: Buffer = Buffer.alloc(0)): InnerPicture[] {
  const found: InnerPicture[] = [];
  for (const { type, instance, start, end } of pptRecords(stream, 0, stream.length)) {
    const kind = pictureKinds.get(type);
    if (kind === undefined) continue;
    const head = (instance & 1) === 1 ? 33 : 17; // one hash or two, and a byte
    found.push({
      name: `picture-${found.length + 1}.${kind}`,
      bytes: new Uint8Array(stream.subarray(start + head, end)),
    });
  }
  return found;
}
