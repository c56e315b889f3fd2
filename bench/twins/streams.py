"""Data sets as streams of rounds, for twins: a reader of its own that shares nothing with Handrail.

Encoding: an indicator for each value of a nominal column (all zero where the cell is missing),
numeric columns with mean 0 and variance 1 over the whole file (a missing cell gets the mean, and
its column an indicator of missing cells), a last column of ones, each row divided by its length.
The class is the arm to play: it costs LOW, every other arm HIGH. Rows are shuffled anew for every
pass over the file.

    stream = streams.load("letter", seed, options)
    for t in range(rounds):
        features, label = stream.round(t)
        cost = stream.cost(t, arm)
"""

import gzip
import os
import pathlib
import re
import sys

import numpy

import draws

LOW = 0.01
HIGH = 1.0
ATTRIBUTE = re.compile(r"@attribute\s+('(?:[^'\\]|\\.)*'|\S+)\s+(.*)", re.IGNORECASE)
CELL = re.compile(r"\s*('(?:[^'\\]|\\.)*'|[^,]*?)\s*(?:,|$)")


def cells(line):
    """The values of a line that commas part; quotes, where there are any, are taken off."""
    if "'" not in line:
        return [cell.strip() for cell in line.split(",")]
    found = []
    place = 0
    while place < len(line):
        match = CELL.match(line, place)
        place = match.end()
        cell = match.group(1)
        if cell.startswith("'"):
            cell = re.sub(r"\\(.)", r"\1", cell[1:-1])
        found.append(cell)
    return found


def read_arff(path):
    """(columns, rows): a column is None if numeric, else the list of its values; cells are text."""
    columns, rows, in_rows = [], [], False
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if not line or line.startswith("%"):
                continue
            if in_rows:
                rows.append(cells(line))
                continue
            if line.lower() == "@data":
                in_rows = True
            match = ATTRIBUTE.match(line)
            if match:
                kind = match.group(2).strip()
                columns.append(cells(kind[1:-1]) if kind.startswith("{") else None)
    return columns, rows


def numeric_features(texts):
    missing = numpy.array([text == "?" for text in texts])
    values = numpy.array([0.0 if text == "?" else float(text) for text in texts])
    mean = values[~missing].mean() if not missing.all() else 0.0
    deviation = values[~missing].std() if not missing.all() else 0.0
    values[missing] = mean
    scaled = (values - mean) / deviation if deviation > 0.0 else numpy.zeros_like(values)
    return [scaled] + ([missing.astype(float)] if missing.any() else [])


def nominal_features(texts, values):
    texts = numpy.array(texts)
    return [(texts == value).astype(float) for value in values]


def encode(columns, rows):
    """Features of all columns but the last, which is the class: its indices are the labels."""
    numeric, nominal = [], []
    for index, values in enumerate(columns[:-1]):
        texts = [row[index] for row in rows]
        if values is None:
            numeric += numeric_features(texts)
        else:
            nominal += nominal_features(texts, values)
    features = numpy.stack(numeric + nominal + [numpy.ones(len(rows))], axis=1)
    features /= numpy.linalg.norm(features, axis=1, keepdims=True)
    index_of = {value: index for index, value in enumerate(columns[-1])}
    return features, numpy.array([index_of[row[-1]] for row in rows])


class Stream:
    """Rounds by number, from 0: a function of (file, draws, number)."""

    def __init__(self, name, features, labels, arm_count, drawn):
        self.name = name
        self.features, self.labels = features, labels
        self.arm_count, self.feature_count = arm_count, features.shape[1]
        self.row_count = len(labels)
        self.draws = drawn
        self._pass, self._order = None, None

    def row(self, number):
        this_pass = number // self.row_count
        if this_pass != self._pass:
            self._order = self.draws.row_order(self.row_count, this_pass)
            self._pass = this_pass
        return self._order[number % self.row_count]

    def round(self, number):
        row = self.row(number)
        return self.features[row], int(self.labels[row])

    def cost(self, number, arm):
        return LOW if arm == self.labels[self.row(number)] else HIGH


def data_folder(given=None):
    folder = given or os.environ.get("HANDRAIL_DATA")
    if not folder:
        sys.exit("streams: set HANDRAIL_DATA or give --data-dir: the folder of the .arff.gz files")
    return pathlib.Path(folder)


def load(name, seed, options):
    """`options` has the folder of the data and the kind of draws."""
    path = data_folder(options.data_dir) / f"{name}.arff.gz"
    if not path.exists():
        sys.exit(f"streams: {path} is not there")
    columns, rows = read_arff(path)
    features, labels = encode(columns, rows)
    return Stream(name, features, labels, len(columns[-1]),
                  draws.KINDS[options.draws](seed))
