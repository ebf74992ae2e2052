// Colours, in one place. Without colour every style is the plain text, so that nothing else has to ask.
import type { EditorTheme, MarkdownTheme } from './kit.ts';

type Paint = (text: string) => string;

export type Theme = {
  dim: Paint;
  bold: Paint;
  accent: Paint;
  good: Paint;
  bad: Paint;
  warn: Paint;
  /** What the person said. */
  own: Paint;
  markdown: MarkdownTheme;
  editor: EditorTheme;
};

export function themeOf(colour: boolean): Theme {
  const style = (on: string, off: string): Paint => (colour ? (text) => `\u001B[${on}m${text}\u001B[${off}m` : plain);
  const [dim, bold, italic, underline] = [style('2', '22'), style('1', '22'), style('3', '23'), style('4', '24')];
  const [accent, good, bad, warn] = [style('36', '39'), style('32', '39'), style('31', '39'), style('33', '39')];
  return {
    dim,
    bold,
    accent,
    good,
    bad,
    warn,
    own: style('1;36', '22;39'),
    markdown: {
      heading: (text) => bold(accent(text)),
      link: underline,
      linkUrl: dim,
      code: accent,
      codeBlock: plain,
      codeBlockBorder: dim,
      quote: italic,
      quoteBorder: dim,
      hr: dim,
      listBullet: accent,
      bold,
      italic,
      strikethrough: style('9', '29'),
      underline,
    },
    editor: {
      borderColor: dim,
      selectList: {
        selectedPrefix: accent,
        selectedText: accent,
        description: dim,
        scrollInfo: dim,
        noMatch: dim,
      },
    },
  };
}

function plain(text: string): string {
  return text;
}
