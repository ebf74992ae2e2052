// Style sheets in, what they say of classes out, as far as it changes what words mean: struck, raised, lowered. Rules for
// certain screens and for anything but a class are left out; bounded in length, and linear. Pure.
const longest = 500_000;

/** Declarations by the class they are for, or by an element and a class (`span.sup`). */
export type ClassStyles = ReadonlyMap<string, string>;

const meant = /(?:vertical-align\s*:\s*(?:super|sub)\b|text-decoration(?:-line)?\s*:[^;]{0,100}line-through)/gi;

export function classStyles(css: string): ClassStyles {
  const found = new Map<string, string>();
  for (const { selectors, body } of rulesIn(withoutComments(css.slice(0, longest)))) {
    const style = [...(body.match(meant) ?? []), ...movedStyle(body)].join(';');
    if (style === '') continue;
    for (const selector of selectors.split(',')) {
      const [, name = '', own = ''] = /^([a-z][a-z\d]*)?\.([\w-]+)$/i.exec(selector.trim()) ?? [];
      if (own !== '') found.set(`${name.toLowerCase()}.${own}`, style);
    }
  }
  return found;
}

/** Letters that are moved up or down from where they stand are raised or lowered. */
function movedStyle(body: string): string[] {
  const [, up] = (/position\s*:\s*relative/i.test(body) && /(?:^|[;\s])top\s*:\s*(-?)0?\.\d+em/i.exec(body)) || [];
  return up === undefined ? [] : [`vertical-align:${up === '-' ? 'super' : 'sub'}`];
}

function withoutComments(css: string): string {
  const [first = '', ...parts] = css.split('/*');
  const behind = parts.map((part) => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : ''));
  return [first, ...behind].join(' ');
}

/** Rules that hold everywhere: those inside of another block do not. */
function rulesIn(css: string): { selectors: string; body: string }[] {
  const rules: { selectors: string; body: string }[] = [];
  let [depth, selectors, body] = [0, '', ''];
  for (const piece of css.split(/([{}])/)) {
    if (piece === '{') depth += 1;
    else if (piece === '}') {
      if (depth === 1) rules.push({ selectors, body });
      depth = Math.max(0, depth - 1);
      if (depth === 0) body = '';
    } else if (depth === 0) selectors = piece;
    else if (depth === 1) body += piece;
  }
  return rules;
}

/** The style sheets inside a page. */
export function styleSheetsIn(html: string): string {
  const text = html.slice(0, longest);
  const lower = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const sheets: string[] = [];
  for (let at = lower.indexOf('<style'); at !== -1; at = lower.indexOf('<style', at)) {
    const [start, end] = [lower.indexOf('>', at), lower.indexOf('</style', at)];
    if (start === -1 || end === -1) break;
    sheets.push(text.slice(start + 1, end));
    at = end;
  }
  return sheets.join('\n');
}

/** What the classes of an element say of it. */
export function styleOfClasses(styles: ClassStyles, name: string, classes: string): string {
  const own = classes.slice(0, 1000).split(/\s+/);
  return own.flatMap((one) => [styles.get(`.${one}`) ?? [], styles.get(`${name}.${one}`) ?? []].flat()).join(';');
}
