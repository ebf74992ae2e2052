#!/bin/sh
# A bar chart of some numbers, as a picture. What is printed is SVG, so a model gets it as a picture.
if [ "$1" = --toolspec ]; then
  cat <<'SPEC'
{
  "name": "chart",
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
    --values=*) values=${1#*=} && shift ;;
    *) echo "There is no flag $1." >&2 && exit 2 ;;
  esac
done

case $values in
  '' | *[!0-9\ ]*) echo 'The values must be whole numbers with spaces between them.' >&2 && exit 2 ;;
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
