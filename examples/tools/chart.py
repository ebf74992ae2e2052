#!/usr/bin/env python3
"""A bar chart of some numbers, as a picture."""

from sightline_tool import png, run, tool


@tool
def chart(values: list[float] = [3, 7, 5, 9], height: int = 120):
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
