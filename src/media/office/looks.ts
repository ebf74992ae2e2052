// The XML of a Word part in, the same without how it looks out, but for what carries meaning. More than half of a document
// says fonts, sizes and distances; a scan drops that far quicker than a parser reads it. Only whole elements that close themselves are
// taken out, and attributes that Word alone uses, so what was well formed stays so.

const names =
  'rFonts|szCs|sz|lang|color|bCs|iCs|u|kern|spacing|ind|jc|shd|tcW|tblW|tblLook|gridCol|proofErr|noProof|' +
  'bookmarkStart|bookmarkEnd|lastRenderedPageBreak|widowControl|keepNext|keepLines|contextualSpacing|vAlign|top|left|' +
  'bottom|right|insideH|insideV|highlight|trHeight|cnfStyle|autoSpaceDE|autoSpaceDN|adjustRightInd|snapToGrid|textAlignment';

/** A "<" never stands inside a tag, so none of these can reach beyond the one it begins in. */
const elements = new RegExp(`<w:(?:${names})(?: [^<>]*)?/>`, 'g');
const editing = /(<w:(?:p|r|tr))(?: (?:w:rsid\w*|w14:\w+)="[^"<>]*")+/g;
const empty = /<w:([rpt][cr]?Pr)><\/w:\1>/g;

/** Literal sections may hold anything; a part that has one is left as it is. */
export function withoutLooks(xml: string): string {
  if (!xml.includes('<w:') || xml.includes('<![CDATA[')) return xml;
  return xml.replaceAll(elements, '').replaceAll(editing, '$1').replaceAll(empty, '');
}
