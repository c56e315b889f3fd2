"""The curves of bench/scaling.py as an SVG: one panel for each thing that grows, both axes by
logarithm, the same range of times in all of them."""

import math
import xml.sax.saxutils

PANEL_WIDTH, PANEL_HEIGHT = 320, 260
MARGIN = {"left": 64, "right": 20, "top": 18, "bottom": 48}
COLUMNS = 3
COLOURS = {"network": "#1f5fa8", "linear": "#c45a11"}
INK, GRID = "#333333", "#dddddd"
FONT = "'Source Sans 3', 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
UNITS = ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1.0, 1e3, "ms"), (math.inf, 1.0, "s"))


def draw(curves):
    panels = list(dict.fromkeys(curve["panel"] for curve in curves))
    times = [seconds for curve in curves for _, seconds in curve["points"]]
    decades = (math.floor(math.log10(min(times))), math.ceil(math.log10(max(times))))
    rows = math.ceil(len(panels) / COLUMNS)
    width, height = COLUMNS * PANEL_WIDTH, rows * PANEL_HEIGHT
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="{FONT}" font-size="12">',
             "<title>Time of a decision with its feedback, by what grows</title>",
             f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    for index, name in enumerate(panels):
        left, top = index % COLUMNS * PANEL_WIDTH, index // COLUMNS * PANEL_HEIGHT
        members = [curve for curve in curves if curve["panel"] == name]
        parts.append(f'<g transform="translate({left} {top})">')
        parts += Panel(members, decades).draw(name)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


class Panel:
    """A plot in the corner of its own coordinates."""

    def __init__(self, curves, decades):
        self.curves = curves
        self.decades = decades
        values = [x for curve in curves for x, _ in curve["points"]]
        self.low, self.high = math.log(min(values)), math.log(max(values))
        self.right = PANEL_WIDTH - MARGIN["right"]
        self.bottom = PANEL_HEIGHT - MARGIN["bottom"]

    def x(self, value):
        share = (math.log(value) - self.low) / (self.high - self.low)
        return MARGIN["left"] + share * (self.right - MARGIN["left"])

    def y(self, seconds):
        first, last = self.decades
        share = (math.log10(seconds) - first) / (last - first)
        return self.bottom - share * (self.bottom - MARGIN["top"])

    def draw(self, name):
        parts = self._time_axis() + self._value_axis(name)
        for order, curve in enumerate(self.curves):
            parts += self._curve(curve, order)
        return parts

    def _time_axis(self):
        parts = []
        for decade in range(self.decades[0], self.decades[1] + 1):
            seconds, y = 10.0 ** decade, self.y(10.0 ** decade)
            factor, unit = next((f, u) for limit, f, u in UNITS if seconds < limit * 0.999)
            parts.append(line((MARGIN["left"], y), (self.right, y), GRID))
            parts.append(text(MARGIN["left"] - 6, y + 4, f"{seconds * factor:g} {unit}", "end"))
        middle = (MARGIN["top"] + self.bottom) / 2
        parts.append(f'<text transform="translate(14 {middle:.1f}) rotate(-90)" '
                     f'text-anchor="middle" fill="{INK}">time of a round</text>')
        return parts

    def _value_axis(self, name):
        parts = [line((MARGIN["left"], self.bottom), (self.right, self.bottom), INK)]
        ticks = sorted({x for curve in self.curves for x, _ in curve["points"]})
        for value in ticks:
            x = self.x(value)
            parts.append(line((x, self.bottom), (x, self.bottom + 4), INK))
            parts.append(text(x, self.bottom + 17, f"{value:g}", "middle"))
        middle = (MARGIN["left"] + self.right) / 2
        return parts + [text(middle, self.bottom + 37, name, "middle")]

    def _curve(self, curve, order):
        kind = curve["title"].rsplit(", ", 1)[1]
        colour = COLOURS[kind]
        places = [(self.x(x), self.y(seconds)) for x, seconds in curve["points"]]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>']
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>'
                  for x, y in places]
        label = f"{kind}: exponent {curve['exponent']:.2f}"
        return parts + [text(MARGIN["left"] + 8, MARGIN["top"] + 14 * (order + 1), label, "start",
                             colour)]


def line(start, end, colour):
    return (f'<path d="M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}" '
            f'stroke="{colour}"/>')


def text(x, y, words, anchor, colour=INK):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
            f"{xml.sax.saxutils.escape(words)}</text>")
