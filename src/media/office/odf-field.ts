// A field of a form in an OpenDocument file in, what is filled into it out.
import type { XmlNode } from '../xml/tree.ts';
import { boxText } from './activex.ts';

/** Nothing for a field that shows nothing, or nothing that others may see. */
export function odfFieldText({ name, attributes, children }: XmlNode): string | undefined {
  if (name === 'checkbox' || name === 'radio') {
    const state = attributes['current-state'] ?? attributes['state'] ?? attributes['current-selected'];
    const isTicked = (state ?? attributes['selected']) === (name === 'radio' ? 'true' : 'checked');
    return boxText(isTicked, attributes['label'] ?? '');
  }
  const chosen = children.flatMap((one) =>
    typeof one === 'object' && (one.attributes['current-selected'] ?? one.attributes['selected']) === 'true'
      ? [one.attributes['label'] ?? '']
      : [],
  );
  if (name === 'listbox') return chosen.join(', ');
  return name === 'password' || name === 'button' ? undefined : (attributes['current-value'] ?? attributes['value']);
}
