// The XML of a Word part or a chart in, the same without how it looks out, but for what carries meaning. More than half of a document
// says fonts, sizes and distances; a scan drops that far quicker than a parser reads it. Only whole elements that close themselves are
// taken out, and attributes that Word alone uses, so what was well formed stays so.

const names =
  'rFonts(?![^<>]*="(?:Symbol|Wing|Web))|szCs|sz|lang|color|bCs|iCs|u|kern|spacing|ind|jc|shd|tcW|tblW|tblLook|gridCol|proofErr|noProof|' +
  'bookmarkStart|bookmarkEnd|lastRenderedPageBreak|widowControl|keepNext|keepLines|contextualSpacing|vAlign|top|left|' +
  'bottom|right|insideH|insideV|highlight|trHeight|cnfStyle|autoSpaceDE|autoSpaceDN|adjustRightInd|snapToGrid|textAlignment';

/** A "<" never stands inside a tag, so none of these can reach beyond the one it begins in. */
const elements = new RegExp(`<w:(?:${names})(?: [^<>]*)?/>`, 'g');
const editing = /(<w:(?:p|r|tr))(?: (?:w:rsid\w*|w14:\w+)="[^"<>]*")+/g;
const empty = /<w:([rpt][cr]?Pr)><\/w:\1>/g;

/** Literal sections may hold anything; a part that has one is left as it is. */
export function withoutLooks(xml: string): string {
  if (xml.includes('<c:chartSpace') && !xml.includes('<!')) return without('c:txPr', without('c:spPr', xml));
  if (!xml.includes('<w:') || xml.includes('<![CDATA[')) return xml;
  return withoutLatent(xml).replaceAll(elements, '').replaceAll(editing, '$1').replaceAll(empty, '');
}

/** How lines and areas of a chart look, or its letters. */
function without(name: string, xml: string): string {
  const [begin, end] = [`<${name}>`, `</${name}>`];
  const parts: string[] = [];
  let at = 0;
  for (let from = xml.indexOf(begin); from !== -1; from = xml.indexOf(begin, at)) {
    const to = xml.indexOf(end, from);
    if (to === -1) break;
    parts.push(xml.slice(at, from));
    at = to + end.length;
  }
  return parts.join('') + xml.slice(at);
}

/** The list of styles that a document might use and does not. */
function withoutLatent(xml: string): string {
  const [from, end] = [xml.indexOf('<w:latentStyles '), xml.indexOf(latentEnd)];
  return from === -1 || end < from ? xml : xml.slice(0, from) + xml.slice(end + latentEnd.length);
}

const latentEnd = '</w:latentStyles>';
