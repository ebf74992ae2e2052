// The source of an SVG in, what the drawing library may be given out, or why it may not. Entities are refused: they
// can multiply without end, and they are the one way to name other files that needs no link.

type Prepared = { svg: string } | { why: string };

/** The same drawing as UTF-8 text without a declaration that might say otherwise. */
export function prepareSvg(source: string): Prepared {
  const svg = source.replace(/^\s*<\?xml\s[^>]*\?>/, '');
  if (/<!ENTITY/i.test(svg)) return { why: 'it defines entities' };
  return { svg };
}

/** What a drawing that names no size is drawn as, like a browser does it. */
export function withNominalSize(svg: string): string {
  return svg.replace(/<((?:[\w.-]+:)?svg)(?=[\s/>])/, '<$1 width="300" height="150"');
}
