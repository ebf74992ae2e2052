// Lines of text → a real one-page PDF, written by hand: five objects, a cross-reference table that points at them.

/** The first line is the title. Plain ASCII only. */
export function reportPdf(lines: readonly string[]): Uint8Array {
  const shown = lines.map((line, at) => {
    const [size, lead] = at === 0 ? [22, 0] : [12, at === 1 ? 36 : 20];
    return `/F1 ${size} Tf 0 -${lead} Td (${line.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj`;
  });
  const content = `BT 72 760 Td\n${shown.join('\n')}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return new TextEncoder().encode(file + table + trailer);
}
