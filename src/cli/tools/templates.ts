// Tools to begin with, one for each language: small, whole, without dependencies, and each draws a real picture.

export const languages = ['ts', 'py', 'sh'] as const;
export type Language = (typeof languages)[number];

/** The text of a tool of that name. */
export function templateOf(language: Language, name: string): string {
  return templates[language](name);
}

const templates: Record<Language, (name: string) => string> = {
  ts: (name) => `#!/usr/bin/env node
// A bar chart of some numbers, as a picture.
import { executable, png } from 'sightline/executable';

executable({
  name: '${name}',
  description: 'Draw numbers as a bar chart.',
  input: {
    type: 'object',
    properties: {
      values: { type: 'array', items: { type: 'number' }, default: [3, 7, 5, 9], description: 'One bar each' },
      height: { type: 'integer', minimum: 10, maximum: 1000, default: 120, description: 'In pixels' },
    },
  },
  run(input) {
    const { values = [3, 7, 5, 9], height = 120 } = input as { values?: number[]; height?: number };
    if (values.length === 0) throw new Error('Give at least one value.');
    const top = Math.max(1, ...values);
    const image = png(values.length * 24, height, (x, y) => {
      const isBar = x % 24 < 20 && height - y <= ((values[Math.floor(x / 24)] ?? 0) / top) * height;
      return isBar ? [40, 90, 200] : [250, 250, 250];
    });
    return { message: \`A chart of \${values.length} bars; the highest is \${top}.\`, image };
  },
});
`,
  py: (name) => `#!/usr/bin/env python3
"""A bar chart of some numbers, as a picture."""

from sightline_tool import png, run, tool


@tool
def ${name}(values: list[float] = [3, 7, 5, 9], height: int = 120):
    """Draw numbers as a bar chart.

    Args:
        values: One bar each
        height: In pixels
    """
    if not values:
        raise ValueError("Give at least one value.")
    top = max([1, *values])

    def pixel(x, y):
        is_bar = x % 24 < 20 and height - y <= values[x // 24] / top * height
        return (40, 90, 200) if is_bar else (250, 250, 250)

    image = png(len(values) * 24, height, pixel)
    return {"message": f"A chart of {len(values)} bars; the highest is {top}.", "image": image}


run()
`,
  sh: (name) => `#!/bin/sh
# A bar chart of some numbers, as a picture. What is printed is SVG, so a model gets it as a picture.
if [ "$1" = --toolspec ]; then
  cat <<'SPEC'
{
  "name": "${name}",
  "description": "Draw whole numbers as a bar chart.",
  "input_schema": {
    "type": "object",
    "properties": {
      "values": { "type": "string", "default": "3 7 5 9", "description": "One bar each, with spaces between them" }
    }
  }
}
SPEC
  exit
fi

values='3 7 5 9'
while [ $# -gt 0 ]; do
  case $1 in
    --values) values=$2 && shift 2 ;;
    --values=*) values=\${1#*=} && shift ;;
    *) echo "There is no flag $1." >&2 && exit 2 ;;
  esac
done

case $values in
  '' | *[!0-9\\ ]*) echo 'The values must be whole numbers with spaces between them.' >&2 && exit 2 ;;
esac

top=1
for value in $values; do
  if [ "$value" -gt "$top" ]; then top=$value; fi
done

x=0
bars=
for value in $values; do
  tall=$((value * 120 / top))
  bars="$bars<rect x='$x' y='$((120 - tall))' width='20' height='$tall' fill='#285ac8'/>"
  x=$((x + 24))
done
echo "<svg xmlns='http://www.w3.org/2000/svg' width='$x' height='120' viewBox='0 0 $x 120'>"
echo "<rect width='100%' height='100%' fill='#fafafa'/>$bars</svg>"
`,
};
