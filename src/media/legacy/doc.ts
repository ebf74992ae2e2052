// An old Word file (Word 2 to 2003) in, its Markdown out: the text, then notes, comments, text boxes, headers and
// footers. Refused: passwords that do not open it, damage, containers without a Word document in them.
import { refuse } from '../../content/refusal.ts';
import { heading } from '../document/markdown.ts';
import type { DocumentReader } from '../document/reader.ts';
import { finish } from '../web/markdown.ts';
import { isCompound, openCompound } from './compound.ts';
import { corrupt, encrypted, withUnlocked } from './refusals.ts';
import type { Story } from './word-file.ts';
import { isEncryptedWord, isOldWord, openedWord, wordStories } from './word-file.ts';
import { storyBlocks } from './word-markdown.ts';

const titles: readonly (readonly [Story, string])[] = [
  ['body', ''],
  ['boxes', 'Text boxes'],
  ['footnotes', 'Footnotes'],
  ['endnotes', 'Endnotes'],
  ['comments', 'Comments'],
  ['headers', 'Headers and footers'],
  ['header boxes', 'Text boxes in headers and footers'],
];

export const readDoc: DocumentReader = async (bytes, options) => {
  const { name, password } = options;
  const container = await openCompound(bytes);
  if (container === undefined && isCompound(bytes)) return corrupt(name, 'its container cannot be opened');
  if (container?.has('EncryptedPackage') === true) return encrypted(name, password);
  const stream = container === undefined ? Buffer.from(bytes) : container.stream('WordDocument');
  if (container?.isWhole('WordDocument') === false) return corrupt(name, 'its text is cut off');
  if (stream === undefined || !isOldWord(stream)) {
    return refuse(
      'unsupported',
      `${name} is no Word document`,
      'Open it in the program it comes from and save it anew.',
    );
  }
  if (isEncryptedWord(stream)) {
    const unlocked = container && password !== undefined ? openedWord(stream, container, password) : undefined;
    return unlocked ? withUnlocked(unlocked, await readDoc(unlocked, options)) : encrypted(name, password);
  }
  try {
    const stories = wordStories(stream, container);
    const blocks: string[] = [];
    for (const [story, title] of titles) {
      const own = storyBlocks(stories.get(story) ?? []);
      if (title !== '' && own.length > 0) blocks.push(heading(2, title));
      // A header stands once, however many sections repeat it.
      for (const block of title === '' ? own : new Set(own)) blocks.push(block);
    }
    return finish(blocks.join('\n\n'), options);
  } catch (error) {
    if (error instanceof RangeError) return corrupt(name, 'it points outside of itself');
    throw error;
  }
};
