// Names of files against patterns: globs as shells write them, and the rules of a `.gitignore`. Pure, and quick whatever
// somebody has written: no pattern makes it go back.

/** One step through a path: a letter, letters within a name (`*`), anything (`**`), whole folders (`**` and a slash). */
type GlobStep = 'name' | 'anything' | 'folders' | ((char: string) => boolean);

/** Whether a path fits `*`, `**`, `?` and `[a-z]`. */
function patternOf(glob: string): (path: string) => boolean {
  const steps = stepsOf(glob);
  return (path) => fits(steps, path);
}

const mostAlternatives = 200;

/** The globs that one with braces stands for; nothing when a brace stays open, or there are too many. */
function alternatives(glob: string): string[] | undefined {
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const inner = /\{([^{}]*)\}/.exec(one);
    if (inner) {
      const [before, after] = [one.slice(0, inner.index), one.slice(inner.index + inner[0].length)];
      open.push(...(inner[1] ?? '').split(',').map((choice) => `${before}${choice}${after}`));
    } else if (one.includes('{')) return undefined;
    else done.push(one);
    if (open.length + done.length > mostAlternatives) return undefined;
  }
  return done;
}

function stepsOf(glob: string): GlobStep[] {
  return [...glob.matchAll(/\*\*\/|\*+|\?|\[!?[^\]]+\]|[^]/gu)].map(([part]): GlobStep => {
    if (part === '**/') return 'folders';
    if (part.startsWith('*')) return part === '*' ? 'name' : 'anything';
    if (part === '?') return (char) => char !== '/';
    return /^\[./u.test(part) ? oneOf(part.slice(1, -1)) : (char) => char === part;
  });
}

/** A letter of `abc`, of `a-z`, or none of them after an exclamation mark. */
function oneOf(choice: string): (char: string) => boolean {
  const negated = choice.startsWith('!');
  const ranges = [...choice.slice(negated ? 1 : 0).matchAll(/(.)-(.)|([^])/gu)];
  return (char) => {
    const isThere = ranges.some(([, low, high, single]) =>
      single === undefined ? char >= (low ?? '') && char <= (high ?? '') : char === single,
    );
    return char !== '/' && isThere !== negated;
  };
}

/** All places in the steps that what was read so far can have led to, letter by letter. */
function fits(steps: readonly GlobStep[], path: string): boolean {
  let places = reached(steps, [0], true);
  for (const char of path) {
    const next = [...places].flatMap((at) => {
      const step = steps[at];
      if (step === undefined) return [];
      if (typeof step === 'function') return step(char) ? [at + 1] : [];
      return step === 'name' && char === '/' ? [] : [at];
    });
    places = reached(steps, next, char === '/');
  }
  return places.has(steps.length);
}

/** A star may stand for nothing, folders for none of them: but only where a name begins. */
function reached(steps: readonly GlobStep[], from: readonly number[], begins: boolean): Set<number> {
  const places = new Set(from);
  for (const at of places) {
    const step = steps[at];
    if (step === 'name' || step === 'anything' || (step === 'folders' && begins)) places.add(at + 1);
  }
  return places;
}

/** Globs as shells know them, `{a,b}` included, whether letters are small or not. One without a slash fits names in every
 * folder, any other one whole paths, or what is left of them below `folder`. Nothing for one that is none. */
export function globFits(glob: string, folder = ''): ((path: string) => boolean) | undefined {
  const all = alternatives(glob.replace(/^\.?\//, '').toLowerCase())?.map(patternOf);
  if (all === undefined) return undefined;
  const fitsAny = (path: string): boolean => all.some((one) => one(path.toLowerCase()));
  if (!glob.includes('/')) return (path) => fitsAny(path.slice(path.lastIndexOf('/') + 1));
  return (path) => fitsAny(path) || (path.startsWith(folder) && fitsAny(path.slice(folder.length)));
}

/** One line of a `.gitignore`, which lies in `folder` (with a slash at its end, or nothing at the top). */
export type IgnoreRule = {
  folder: string;
  pattern: (path: string) => boolean;
  foldersOnly: boolean;
  negated: boolean;
};

const longestRule = 1000;

/** The rules that a `.gitignore` holds. */
export function ignoreRules(text: string, folder: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const words = line.trimEnd();
    if (words === '' || words.startsWith('#') || words.length > longestRule) return [];
    const negated = words.startsWith('!');
    const foldersOnly = words.endsWith('/');
    const body = words.slice(negated ? 1 : 0, foldersOnly ? -1 : undefined).replace(/^\\(?=[#!])/, '');
    const pattern = patternOf(body.includes('/') ? body.replace(/^\//, '') : `**/${body}`);
    return [{ folder, pattern, foldersOnly, negated }];
  });
}

/** Whether the last rule that fits says so. What lies in an ignored folder is never asked about. */
export function isIgnored(path: string, isFolder: boolean, rules: readonly IgnoreRule[]): boolean {
  const last = rules.findLast(
    ({ folder, pattern, foldersOnly }) =>
      path.startsWith(folder) && (isFolder || !foldersOnly) && pattern(path.slice(folder.length)),
  );
  return last !== undefined && !last.negated;
}
