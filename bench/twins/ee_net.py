#!/usr/bin/env python3
"""EE-Net as a plain PyTorch script, the twin of Handrail's policy ee-net; and both side by side.

Written from the authors' description, on the block encoding of dK columns with every gradient taken
by autograd: it shares neither code nor shortcuts with Handrail. A reward is 1 - cost.

    f1  dK -> 100 -> 1, on rewards
    f2  f1's gradient, means of 50 neighbours, Conv1d(100, stride 50) -> 100 -> 1, on r - f1 + 1
    f3  (f1, f2) -> 20 -> 1, on rewards, with --decider network

It plays the largest f1 + w(f2 - 1), all in double precision as Handrail does. With --compare,
Handrail plays the same settings with the same seeds, and by default the same random draws.

    HANDRAIL_DATA=FOLDER bench/twins/ee_net.py --data letter --seeds 1 2 \
        --compare build/release/handrail
"""

import argparse
import json
import math
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import bench_support

bench_support.prepare_openblas()  # before the library is loaded
import torch

import beside
import draws
import streams

UNITS, POOL, KERNEL, STRIDE = 100, 50, 100, 50
EARLY_ROUNDS, EARLY_WEIGHT, LATE_WEIGHT, DECIDER_FROM = 1000, 0.1, 0.01, 500
OTHER_ARMS_TARGET = 1.2
TRAINING_STREAMS = 4  # that Handrail numbers for a training; the last one is not used

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)


class Start:
    """The initial weights of f1, f2 or f3, tensor by tensor in Handrail's numbering."""

    def __init__(self, number, drawn):
        self.number, self.drawn = number, drawn

    def tensor(self, index, shape, input_count, block=0):
        sequence = (block << 32) + 256 * (self.number - 1) + index
        return torch.from_numpy(self.drawn.weights(sequence, shape, input_count))


def given(layer, weights, bias):
    layer.weight.data, layer.bias.data = weights.reshape(layer.weight.shape), bias
    return layer


def dense(start, block_count, inputs, units):
    """Its inputs are blocks of `inputs` columns."""
    columns = block_count * inputs
    blocks = [start.tensor(0, (inputs, units), columns, block) for block in range(block_count)]
    biases = start.tensor(1, (units,), columns)
    above = start.tensor(2, (units + 1,), units)  # the bias comes last
    return torch.nn.Sequential(
        given(torch.nn.Linear(columns, units), torch.cat(blocks).T, biases), torch.nn.ReLU(),
        given(torch.nn.Linear(units, 1), above[:-1], above[-1:]))


class Convolved(torch.nn.Module):
    def __init__(self, start, inputs):
        super().__init__()
        self.missing = max(0, KERNEL - inputs)  # too short for one kernel: zeros at the end
        kernel = start.tensor(255, (KERNEL + 1,), KERNEL)
        self.convolution = given(torch.nn.Conv1d(1, 1, kernel_size=KERNEL, stride=STRIDE),
                                 kernel[:-1], kernel[-1:])
        self.above = dense(start, 1, (inputs + self.missing - KERNEL) // STRIDE + 1, UNITS)

    def forward(self, rows):
        padded = torch.nn.functional.pad(rows, (0, self.missing))
        return self.above(self.convolution(padded[:, None, :])[:, 0, :])


class Learner:
    """A network with its examples, trained on single ones in a given order."""

    def __init__(self, network, optimizer, step_limit, enough):
        self.network, self.optimizer = network, optimizer
        self.step_limit, self.enough = step_limit, enough
        self.inputs, self.targets = [], []

    def add(self, inputs, target):
        self.inputs.append(inputs[None, :])
        self.targets.append(target)

    def train(self, order):
        optimizer = self.optimizer(self.network.parameters())
        step_count = 0
        while True:
            loss_sum = 0.0
            for index in order:
                loss = ((self.network(self.inputs[index]) - self.targets[index]) ** 2).sum()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                loss_sum += loss.item()
                step_count += 1
                if step_count == self.step_limit:
                    return
            if loss_sum / len(order) <= self.enough:
                return


def adam(rate, decay):
    return lambda parameters: torch.optim.Adam(parameters, lr=rate, weight_decay=decay)


class Twin:
    def __init__(self, stream, options):
        self.options, self.draws = options, stream.draws
        self.arm_count = stream.arm_count
        pooled = math.ceil((UNITS * (self.arm_count * stream.feature_count + 2) + 1) / POOL)
        first, second, third = (Start(number, self.draws) for number in (1, 2, 3))
        steps = options.train_steps
        self.f1 = Learner(dense(first, self.arm_count, stream.feature_count, UNITS),
                          lambda p: torch.optim.SGD(p, lr=0.01), steps, 1e-3)
        self.f2 = Learner(Convolved(second, pooled), adam(0.001, 1e-4), steps, 2e-3)
        self.f3 = Learner(dense(third, 1, 2, 20), adam(0.001, 0.0), (steps + 1) // 2, 1e-3)
        self.has_f3 = options.decider == "network"

    def encode(self, features):
        return torch.block_diag(*[features[None, :]] * self.arm_count)

    def pooled_gradient(self, row):
        """f1's output at a row, and its gradient, means of neighbours."""
        parameters = list(self.f1.network.parameters())
        output = self.f1.network(row)[0]
        gradient = torch.cat([g.flatten() for g in torch.autograd.grad(output, parameters)])
        padded = torch.nn.functional.pad(gradient, (0, -len(gradient) % POOL))
        return output.item(), padded.view(-1, POOL).mean(1)

    def choose(self, features, t):
        self.rows = self.encode(features)
        found = [self.pooled_gradient(row) for row in self.rows]
        self.savings = torch.tensor([output for output, _ in found])
        self.gradients = torch.stack([gradient for _, gradient in found])
        with torch.no_grad():
            self.promises = self.f2.network(self.gradients)[:, 0]
            if self.has_f3 and t > DECIDER_FROM:
                pairs = torch.stack([self.savings, self.promises], 1)
                return int(self.f3.network(pairs)[:, 0].argmax())
        weight = LATE_WEIGHT if t > EARLY_ROUNDS else EARLY_WEIGHT
        return int((self.savings + weight * (self.promises - 1.0)).argmax())

    def learn(self, arm, cost, t):
        saved = 1.0 - cost
        self.f1.add(self.rows[arm], saved)
        self.f2.add(self.gradients[arm], saved - self.savings[arm].item() + 1.0)
        if t < EARLY_ROUNDS and cost == streams.HIGH:
            for other in range(self.arm_count):
                if other != arm:
                    self.f2.add(self.gradients[other], OTHER_ARMS_TARGET)
        if self.has_f3:
            self.f3.add(torch.stack([self.savings[arm], self.promises[arm]]), saved)
        period = self.options.train_every if t < EARLY_ROUNDS else self.options.late_train_every
        if t % period == 0:
            self.train(t)

    def train(self, t):
        learners = [self.f1, self.f2] + [self.f3] * self.has_f3
        for index, learner in enumerate(learners):
            learner.train(self.draws.training_order(TRAINING_STREAMS * t + index,
                                                    len(learner.targets), learner.step_limit))


def play(stream, options):
    twin = Twin(stream, options)
    played = beside.Play()
    for t in range(options.rounds):
        arm = twin.choose(torch.tensor(stream.round(t)[0]), t)
        cost = stream.cost(t, arm)
        played.add(arm, cost - streams.LOW)
        twin.learn(arm, cost, t)
    return played


def run(options, data, seed):
    stream = streams.load(data, seed, options)
    began = time.process_time()
    played = play(stream, options)
    seconds = time.process_time() - began
    return {"data": data, "seed": seed, "rounds": options.rounds,
            "regret": round(played.regret, 6),
            "rounds_per_second": round(options.rounds / seconds, 1)}


def compare(options, data):
    agent = (f"ee-net:train_every={options.train_every},late_train_every="
             f"{options.late_train_every},train_steps={options.train_steps},"
             f"decider={options.decider}")
    beside.compare(beside.Program(options.compare, agent, data, options), options.seeds,
                   lambda seed: play(streams.load(data, seed, options), options))


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--data", nargs="+",
                        default=["letter", "shuttle", "mushroom", "pendigits"])
    parser.add_argument("--data-dir")
    parser.add_argument("--rounds", type=int, default=10000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    draws.add_option(parser)
    parser.add_argument("--decider", choices=["linear", "network"], default="linear")
    parser.add_argument("--train-every", type=int, default=10)
    parser.add_argument("--late-train-every", type=int, default=100)
    parser.add_argument("--train-steps", type=int, default=2000)
    parser.add_argument("--compare", metavar="HANDRAIL", help="the program to run beside the twin")
    options = parser.parse_args(arguments)
    if min(options.train_steps, options.train_every, options.late_train_every) < 1:
        parser.error("--train-steps, --train-every and --late-train-every are at least 1")
    return options


def main(arguments):
    options = parse(arguments)
    for data in options.data:
        if options.compare:
            compare(options, data)
            continue
        for seed in options.seeds:
            print(json.dumps(run(options, data, seed)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
