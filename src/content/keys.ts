// What has the shape of a key, whoever gave it out.

const shapes = [
  /\b(?:sk|pk|gsk|xai|rk|r8|hf)[-_](?:(?=[\w-]*\d)[\w-]{8,}|[\w-]{16,})/, // providers; a short name in small letters is none
  /\bkey-?[0-9a-f]{16,}/,
  /\bAIza[\w-]{16,}/,
  /\b(?:gh[pousr]|github_pat|glpat|npm)[-_]\w{16,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bxox[abeoprs]-[\w-]{10,}/,
  /\beyJ[\w-]{10,}\.[\w-]+\.[\w-]*/, // a signed token
  /(?<=\bbearer\s)(?!auth(?:entication|ori[sz]ation)\b)[^\s"'<&]{8,}/, // the words for it are none
];
const keyShaped = new RegExp(shapes.map(({ source }) => source).join('|'), 'gi');

/** Text without what has the shape of a key. */
export function maskKeys(text: string, instead: () => string = () => '[key]'): string {
  return text.replaceAll(keyShaped, instead);
}
