// Names of files against patterns: globs as shells write them, and the rules of a `.gitignore`. Pure.

/** A glob as a regular expression over a path with slashes: `*`, `**`, `?`, `[a-z]`, `{a,b}`. Nothing for one that is none. */
export function globPattern(glob: string): RegExp | undefined {
  let [source, open] = ['', 0];
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] ?? '';
    const group = char === '[' ? /^\[(!?)([^\]\\]+)\]/.exec(glob.slice(at)) : null;
    if (glob.startsWith('**/', at)) [source, at] = [`${source}(?:[^/]+/)*`, at + 2];
    else if (glob.startsWith('**', at)) [source, at] = [`${source}.*`, at + 1];
    else if (char === '*') source += '[^/]*';
    else if (char === '?') source += '[^/]';
    else if (group) [source, at] = [`${source}[${group[1] ? '^' : ''}${group[2]}]`, at + group[0].length - 1];
    else if (char === '{') [source, open] = [`${source}(?:`, open + 1];
    else if (char === '}' && open > 0) [source, open] = [`${source})`, open - 1];
    else if (char === ',' && open > 0) source += '|';
    else source += char.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`);
  }
  try {
    return open === 0 ? new RegExp(`^${source}$`, 'i') : undefined;
  } catch {
    return undefined; // such as [z-a]
  }
}

/** A glob without a slash fits names in every folder. */
export function globFits(glob: string): ((path: string) => boolean) | undefined {
  const pattern = globPattern(glob.replace(/^\.?\//, ''));
  if (pattern === undefined) return undefined;
  return glob.includes('/')
    ? (path) => pattern.test(path)
    : (path) => pattern.test(path.slice(path.lastIndexOf('/') + 1));
}

/** One line of a `.gitignore`, which lies in `folder` (with a slash at its end, or nothing at the top). */
export type IgnoreRule = { folder: string; pattern: RegExp; foldersOnly: boolean; negated: boolean };

export function ignoreRules(text: string, folder: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const words = line.replace(/(?<!\\)\s+$/, '');
    if (words === '' || words.startsWith('#')) return [];
    const negated = words.startsWith('!');
    const foldersOnly = words.endsWith('/');
    const body = words.slice(negated ? 1 : 0, foldersOnly ? -1 : undefined).replace(/^\\(?=[#!])/, '');
    const anchored = body.includes('/');
    const pattern = globPattern(anchored ? body.replace(/^\//, '') : `**/${body}`);
    return pattern === undefined ? [] : [{ folder, pattern, foldersOnly, negated }];
  });
}

/** Whether the last rule that fits says so. What lies in an ignored folder is never asked about. */
export function isIgnored(path: string, isFolder: boolean, rules: readonly IgnoreRule[]): boolean {
  const last = rules.findLast(
    ({ folder, pattern, foldersOnly }) =>
      path.startsWith(folder) && (isFolder || !foldersOnly) && pattern.test(path.slice(folder.length)),
  );
  return last !== undefined && !last.negated;
}
