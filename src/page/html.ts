// HTML in which nothing from outside can become markup: what stands in a template is escaped, unless it was made by one.

export type Html = { readonly html: string };

type Value = string | number | Html | readonly Html[] | undefined | false;

/** markup`<p>${words}</p>`. It bears this name because formatters rewrite templates that are called `html`. */
export function markup(strings: TemplateStringsArray, ...values: Value[]): Html {
  return { html: strings.map((text, at) => unindented(text) + written(values[at])).join('') };
}

/** Templates stand on several lines for us; the page needs none of that. */
function unindented(text: string): string {
  return text
    .replaceAll(/(^|>)\n\s*/g, '$1')
    .replaceAll(/\n\s*(?=[<>]|$)/g, '')
    .replaceAll(/\n\s*/g, ' ');
}

function written(value: Value): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'html' in value ? value.html : value.map((one) => one.html).join('');
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Also shows what would otherwise be invisible: control characters and changes of direction. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? '')
    .replaceAll(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu, '\u{FFFD}');
}

export const nothing: Html = { html: '' };
