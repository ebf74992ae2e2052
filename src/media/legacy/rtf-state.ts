// What Rich Text calls its destinations, characters and character sets: data for its interpreter.

/** Groups whose text is no part of the document. One marked with an asterisk is left out unless it is known. */
export const silent: ReadonlySet<string> = new Set([
  'colortbl', 'stylesheet', 'info', 'fonttbl', 'filetbl', 'listtable', 'listoverridetable', 'revtbl', 'rsidtbl',
  'generator', 'xmlnstbl', 'themedata', 'colorschememapping', 'latentstyles', 'datastore', 'datafield', 'objdata',
  'nonshppict', 'shprslt', 'nonesttables', 'pict', 'fldinst', 'sp', 'sn', 'sv', 'bkmkstart', 'bkmkend', 'atnid', 'atnauthor', 'atntime', 'atndate',
  'atnref', 'atrfstart', 'atrfend', 'annotationid', 'tc', 'tcn', 'xe', 'private', 'mmathPr', 'wgrffmtfilter',
  'upr', 'ftnsep', 'ftnsepc', 'ftncn',
  'aftnsep', 'aftnsepc', 'aftncn', 'pgdsctbl', 'listpicture', 'picprop', 'pnseclvl', 'pn', 'factoidname', 'docvar',
]); // prettier-ignore

/** Groups of their own whose text stands at the end. */
export const aside: ReadonlySet<string> = new Set([
  'header', 'headerl', 'headerr', 'headerf', 'footer', 'footerl', 'footerr', 'footerf',
]); // prettier-ignore

/** Known groups among those marked with an asterisk whose text is shown. */
export const spoken: ReadonlySet<string> = new Set(['shppict', 'shpinst', 'annotation', 'ud', 'listtext', 'pntext']);

/** Control words that are characters. */
export const characters: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['line', '\n'],
  ['lbr', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
]);

/** Character sets of fonts, as code pages. */
export const charsets: ReadonlyMap<number, number> = new Map([
  [77, 10000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
]);
