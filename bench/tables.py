#!/usr/bin/env python3
"""The tables of docs/performance.md, from the JSON files that the other scripts write.

Usage: bench/tables.py DOCUMENT RESULTS.json...

Replaces what stands between `<!-- begin NAME -->` and `<!-- end NAME -->` for every NAME that the
results have something to say about, and leaves the rest of the document alone.
"""

import json
import pathlib
import re
import sys

from bench_support import mean_and_error, median

# Rates of Vowpal Wabbit 9.11 through its C++ interface, on a machine like the one that the
# project's numbers come from. It is not part of Debian, so it cannot take turns here.
VOWPAL_WABBIT = {"letter": 76_000.0, "shuttle": 301_000.0, "mnist": 52_000.0}

TITLES = {"letter": "letter", "shuttle": "shuttle", "mnist": "MNIST"}


class Row:
    """A number that shall reach something. `is_cost`: less is better."""

    def __init__(self, what, against, goals, unit="×", is_cost=False):
        self.what, self.against, self.goals = what, against, goals
        self.unit, self.is_cost = unit, is_cost
        self.here = self.there = self.number = None

    def fill(self, number, here, there):
        self.number, self.here, self.there = number, here, there
        return self

    def verdict(self):
        if self.number is None:
            return "not measured"
        if self.goals is None:
            return "–"
        reached = [self.number <= goal if self.is_cost else self.number >= goal
                   for goal in self.goals]
        return "aim" if reached[1] else "reached" if reached[0] else "no"

    def cells(self):
        sign = "≤ " if self.is_cost else ""
        goals = [sign + amount(goal, self.unit) for goal in self.goals] if self.goals else ["–"] * 2
        return [self.what, self.against, self.here or "–", self.there or "–",
                "–" if self.number is None else amount(self.number, self.unit), *goals,
                self.verdict()]


def amount(value, unit):
    if unit == "%":
        return f"{100 * value:.0f} %"
    if unit == "µs":
        return f"{1e6 * value:.2f} µs"
    return f"{value:.2f}×" if value < 10 else f"{value:,.0f}×"


def rate(value):
    return f"{value:,.0f} /s"


def duration(seconds):
    for limit, factor, unit in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1.0, 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def middle(results, name):
    values = results["measured"].get(name)
    return median(values) if values else None


def linear_rows(results):
    for stream, agent, how, goals in (("letter", "linear", "", (20, 40)),
                                      ("shuttle", "linear", "", (10, 20)),
                                      ("mnist", "linear", "", (10, 20)),
                                      ("mnist", "linear-lists", ", rows as lists", (10, 20))):
        row = Row(f"linear, {TITLES[stream]}{how}", "Vowpal Wabbit (recorded)", goals)
        here = middle(results, f"{stream}/{agent}")
        other = VOWPAL_WABBIT[stream]
        yield row.fill(here / other, rate(here), rate(other))


def network_rows(results):
    papers = "network of 100, the paper's update"
    for stream, agent, what, goals in (
            ("letter", "paper", papers, (100, 190)),
            ("shuttle", "paper", papers, (400, 900)),
            ("mnist", "paper", papers, (80, 140)),
            ("letter", "replay", "replay, 100 single steps a round", (400, 800)),
            ("letter", "replay-batches", "replay, 10 steps on 10 examples a round", None)):
        name = f"{stream}/{agent}"
        for which, against in (("torch", "PyTorch, plain"), ("tuned torch", "PyTorch, tuned")):
            row = Row(f"{what}, {TITLES[stream]}", against, goals)
            yield row.fill(middle(results, f"{name} {which} ratio"), rate(middle(results, name)),
                           rate(middle(results, f"{name} {which}")))


def ensemble_row(results):
    slower = middle(results, "letter/paper torch") / middle(results, "letter/ensemble torch")
    row = Row("ensemble of 10 against none, letter", "itself", (1.3, 1.1), is_cost=True)
    return row.fill(middle(results, "letter/ensemble slowdown"),
                    rate(middle(results, "letter/ensemble")), f"PyTorch slows {slower:.1f}×")


def kernel_share(results, kernel, counter, ceiling):
    """The median over the turns of a kernel's share of what was measured in the same turn."""
    values = results["measured"].get(f"kernel/{kernel} {counter}")
    if not values:
        return None
    return median([value / most for value, most
                   in zip(values, results["measured"][f"ceiling/{ceiling}"])])


def share_rows(results):
    for what, against, kernel, counter, ceiling, goals in (
            ("forward pass of all arms, letter", "L2 read bandwidth", "forward_all_arms/letter",
             "bytes_per_second", "l2_letter", (0.75, 0.9)),
            ("forward pass of all arms, MNIST, dense", "L3 read bandwidth",
             "forward_all_arms/mnist_dense", "bytes_per_second", "l3", (0.75, 0.9)),
            ("minibatch training, 64 × 784 × 100", "sgemm peak", "train_minibatch/64x784x100",
             "flops_per_second", "sgemm", (0.5, 0.7))):
        row = Row(what, against, goals, unit="%")
        share = kernel_share(results, kernel, counter, ceiling)
        if share is None:
            yield row
            continue
        unit = "GB/s" if counter == "bytes_per_second" else "Gflop/s"
        here = middle(results, f"kernel/{kernel} {counter}") / 1e9
        yield row.fill(share, f"{here:.0f} {unit}",
                       f"{middle(results, f'ceiling/{ceiling}') / 1e9:.0f} {unit}")


def gradient_rows(results):
    for stream in ("letter", "mnist"):
        row = Row(f"gradient norms of all arms, {TITLES[stream]}", "PyTorch, tuned", (200, 500))
        there = results["measured"][f"{stream}/torch gradient seconds"]
        here = results["measured"].get(f"kernel/gradient_norms/{stream} seconds")
        if not here:
            row.there = duration(median(there))
            yield row
            continue
        yield row.fill(median([b / a for a, b in zip(here, there)]), duration(median(here)),
                       duration(median(there)))


def gate_row(results):
    row = Row("certified gate, a decision with its feedback, K = 26", "open gate", (0.6e-6, 0.3e-6),
              unit="µs", is_cost=True)
    return row.fill(middle(results, "letter/gate seconds"), rate(middle(results, "letter/gated")),
                    rate(middle(results, "letter/linear")))


def ratio_table(results):
    rows = [*linear_rows(results), *network_rows(results), ensemble_row(results),
            *share_rows(results), *gradient_rows(results), gate_row(results)]
    return table(("what", "against", "Handrail", "the other", "ratio", "reach", "aim", "reached"),
                 [row.cells() for row in rows])


def machine_note(results):
    text = (f"{results['machine']}. OpenBLAS with its {results['coretype']} kernels. Medians of "
            f"{results['repetitions']} turns.")
    if results["synthetic"]:
        names = ", ".join(results["synthetic"])
        text += f" Synthetic rounds of the same shape stand in for {names}."
    return text


def ceiling_table(results):
    rows = [[title, f"{middle(results, f'ceiling/{name}') / 1e9:.1f} {unit}"]
            for name, title, unit in (
                ("l1", "read, first-level cache", "GB/s"),
                ("l2", "read, half of the second level", "GB/s"),
                ("l2_letter", "read, as much of it as letter's weights", "GB/s"),
                ("l3", "read, third level", "GB/s"), ("memory", "read, memory", "GB/s"),
                ("fma", "fused multiply-adds, float", "Gflop/s"),
                ("sgemm", "OpenBLAS sgemm, 512 × 512", "Gflop/s"))]
    return table(("ceiling", "one core"), rows)


def kernel_table(results):
    names = sorted({key.split(" ")[0].removeprefix("kernel/") for key in results["measured"]
                    if key.startswith("kernel/")})
    if not names:
        return "No kernel has a benchmark of its own in this build."

    def counter(name, unit):
        value = middle(results, f"kernel/{name} {unit}")
        return "–" if value is None else f"{value / 1e9:.1f}"

    return table(("kernel", "time", "GB/s", "Gflop/s"),
                 [[f"`{name}`", duration(middle(results, f"kernel/{name} seconds")),
                   counter(name, "bytes_per_second"), counter(name, "flops_per_second")]
                  for name in names])


def regret_table(results):
    def cell(name):
        mean, error = mean_and_error(results["measured"][name])
        return f"{mean:,.0f} ± {error:,.0f}"

    names = [key.removesuffix(" tuned torch regret") for key in results["measured"]
             if key.endswith(" tuned torch regret")]
    return table(("stream/agent", "rounds", "seeds", "regret, Handrail", "PyTorch, plain",
                  "PyTorch, tuned"),
                 [[name, f"{middle(results, f'{name} regret rounds'):,.0f}",
                   str(len(results["measured"][f"{name} regret"])), cell(f"{name} regret"),
                   cell(f"{name} torch regret"), cell(f"{name} tuned torch regret")]
                  for name in names])


def scaling_table(results):
    rows = []
    for curve in results["scaling"]:
        points = ", ".join(f"{x:g}: {duration(seconds)}" for x, seconds in curve["points"])
        rows.append([curve["title"], points, f"{curve['exponent']:.2f}"])
    return table(("what grows", "value: a decision with its feedback", "exponent"), rows)


def learning_table(results):
    rows = [[row["what"], row["stream"], f"{row['rounds']:,}", str(row["runs"]),
             f"{row['regret']:,.0f} ± {row['error']:,.0f}",
             "–" if row["reach"] is None else f"≤ {row['reach']:,}", rate(row["rate"])]
            for row in results["learning"]]
    return table(("agent", "stream", "rounds", "seeds", "regret", "reach", "speed"), rows)


SECTIONS = {"machine": machine_note, "ratios": ratio_table, "ceilings": ceiling_table,
            "kernels": kernel_table, "regrets": regret_table}
OTHER_SECTIONS = {"scaling": scaling_table, "learning": learning_table}


def sections_of(results):
    found = {name: make(results) for name, make in OTHER_SECTIONS.items() if name in results}
    if "measured" in results:
        found |= {name: make(results) for name, make in SECTIONS.items()}
    return found


def with_section(document, name, text):
    pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
    if not pattern.search(document):
        raise ValueError(f"has no section `<!-- begin {name} -->`")
    return pattern.sub(lambda found: found.group(1) + text + "\n" + found.group(2), document)


def main(arguments):
    if len(arguments) < 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    path = pathlib.Path(arguments[0])
    try:
        document = path.read_text(encoding="utf-8")
        for name in arguments[1:]:
            results = json.loads(pathlib.Path(name).read_text(encoding="utf-8"))
            for section, text in sections_of(results).items():
                document = with_section(document, section, text)
        path.write_text(document, encoding="utf-8")
    except (OSError, ValueError) as failure:
        print(f"tables: {path}: {failure}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
