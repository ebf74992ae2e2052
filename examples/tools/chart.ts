#!/usr/bin/env node
// A bar chart of some numbers, as a picture.
import { executable, png } from 'sightline/executable';

executable({
  name: 'chart',
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
    return { message: `A chart of ${values.length} bars; the highest is ${top}.`, image };
  },
});
