#!/usr/bin/env python3
"""NeuralUCB and NeuralTS with a diagonal matrix as a plain PyTorch script, the twin of Handrail's.

A network of one hidden layer on the block encoding: arm a sees the features in block a of dK
columns, so that each arm has a block of the first layer's weights. U starts at ridge for every
parameter; sigma = sqrt(sum ridge nu g^2 / U) with g the gradient of the output. ucb plays the least
mu - sigma, ts the least draw from N(mu, sigma^2); then U += g^2 of the played arm. Training: ucb
takes single examples in shuffled order until train_steps steps or an epoch of mean loss 0.001, with
weight decay ridge; ts takes train_steps full batches with weight decay ridge / n. All in double
precision, where Handrail's default is single.

Prints the regret of each seed, one JSON object a line.
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

DEFAULTS = {
    "ucb": {"nu": 1.0, "ridge": 1e-3, "train_steps": 1000, "train_until": 2000,
            "train_every": 100},
    "ts": {"nu": 1e-5, "ridge": 1e-5, "train_steps": 100, "train_until": 0, "train_every": 100},
}
GOOD_EPOCH_LOSS = 1e-3
BIASES = 0xFFFFFFFF  # in place of an arm, in the numbering of initial weights

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)


class Network:
    """relu(x W_a + b) v + c, started as torch.nn.Linear starts on dK columns."""

    def __init__(self, stream, hidden):
        def start(layer, block, shape, input_count):
            return torch.from_numpy(
                stream.draws.weights((block << 32) + layer, shape, input_count))

        columns = stream.arm_count * stream.feature_count
        above = start(1, 0, (hidden + 1,), hidden)
        self.parameters = [
            torch.stack([start(0, arm, (stream.feature_count, hidden), columns)
                         for arm in range(stream.arm_count)]),
            start(0, BIASES, (hidden,), columns), above[:-1].clone(), above[-1:].clone()]
        for parameter in self.parameters:
            parameter.requires_grad_()

    def sums(self, features, arm):
        blocks, bias, _, _ = self.parameters
        return features @ blocks[arm] + bias

    def output(self, sums):
        _, _, weights, bias = self.parameters
        return torch.relu(sums) @ weights + bias[0]

    def gradients(self, features):
        """Outputs of all arms, and of each its gradient: block, bias, weights and bias above."""
        blocks, bias, _, _ = (parameter.detach() for parameter in self.parameters)
        sums = (torch.einsum("d,kdh->kh", features, blocks) + bias).requires_grad_()
        outputs = self.output(sums)
        slopes = torch.autograd.grad(outputs.sum(), sums)[0]
        units = torch.relu(sums.detach())
        own = features[None, :, None] * slopes[:, None, :]
        return outputs.detach(), [own, slopes, units, torch.ones(len(slopes), 1)]


class Twin:
    def __init__(self, stream, options):
        self.options, self.draws = options, stream.draws
        self.network = Network(stream, options.hidden)
        self.diagonal = [torch.full_like(p, options.ridge) for p in self.network.parameters]
        self.features, self.arms, self.costs = [], [], []

    def choose(self, features):
        outputs, gradients = self.network.gradients(features)
        own, *shared = (gradient ** 2 for gradient in gradients)
        total = (own / self.diagonal[0]).sum((1, 2))
        for square, diagonal in zip(shared, self.diagonal[1:]):
            total = total + (square / diagonal).sum(1)
        sigma = torch.sqrt(self.options.ridge * self.options.nu * total)
        if self.options.policy == "ucb":
            index = outputs - sigma
        else:
            decision = len(self.costs) + 1
            index = outputs - sigma * torch.from_numpy(self.draws.normals(decision, len(outputs)))
        arm = int(index.argmin())
        self.diagonal[0][arm] += own[arm]
        for square, diagonal in zip(shared, self.diagonal[1:]):
            diagonal += square[arm]
        return arm

    def learn(self, features, arm, cost):
        self.features.append(features)
        self.arms.append(arm)
        self.costs.append(cost)
        count = len(self.costs)
        if count > self.options.train_until and count % self.options.train_every != 0:
            return
        if self.options.policy == "ucb":
            self.train_on_singles()
        else:
            self.train_on_whole()

    def step(self, loss, decay):
        gradients = torch.autograd.grad(loss, self.network.parameters)
        with torch.no_grad():
            for parameter, gradient in zip(self.network.parameters, gradients):
                parameter -= self.options.step * (gradient + decay * parameter)

    def train_on_singles(self):
        count = len(self.costs)
        order = self.draws.training_order(count, count, self.options.train_steps)
        step_count = 0
        while True:
            loss_sum = 0.0
            for index in order:
                sums = self.network.sums(self.features[index], self.arms[index])
                loss = (self.network.output(sums) - self.costs[index]) ** 2
                self.step(loss, self.options.ridge)
                loss_sum += loss.item()
                step_count += 1
                if step_count == self.options.train_steps:
                    return
            if loss_sum / len(order) <= GOOD_EPOCH_LOSS:
                return

    def train_on_whole(self):
        """Examples by arm, so that each group is one product with the arm's block."""
        arms = torch.tensor(self.arms)
        features = torch.stack(self.features)
        costs = torch.tensor(self.costs)
        groups = [(arm, torch.nonzero(arms == arm)[:, 0]) for arm in sorted(set(self.arms))]
        groups = [(arm, features[rows], costs[rows]) for arm, rows in groups]
        for _ in range(self.options.train_steps):
            loss = 0.0
            for arm, rows, targets in groups:
                outputs = self.network.output(self.network.sums(rows, arm))
                loss = loss + ((outputs - targets) ** 2).sum()
            self.step(loss / len(costs), self.options.ridge / len(costs))


def play(stream, options):
    twin = Twin(stream, options)
    played = beside.Play()
    for number in range(options.rounds):
        features = torch.tensor(stream.round(number)[0])
        arm = twin.choose(features)
        cost = stream.cost(number, arm)
        played.add(arm, cost - streams.LOW)
        twin.learn(features, arm, cost)
    return played


def run(options, seed):
    stream = streams.load(options.data, seed, options)
    began = time.process_time()
    played = play(stream, options)
    seconds = time.process_time() - began
    return {"policy": options.policy, "data": options.data, "seed": seed,
            "rounds": options.rounds, "regret": round(played.regret, 6),
            "rounds_per_second": round(options.rounds / seconds, 1)}


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--policy", choices=["ucb", "ts"], default="ucb")
    parser.add_argument("--data", default="letter")
    parser.add_argument("--data-dir")
    parser.add_argument("--rounds", type=int, default=10000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    draws.add_option(parser)
    parser.add_argument("--hidden", type=int, default=100)
    parser.add_argument("--step", type=float, default=0.01)
    parser.add_argument("--nu", type=float)
    parser.add_argument("--ridge", type=float)
    for name in ("train-steps", "train-until", "train-every"):
        parser.add_argument("--" + name, type=int)
    options = parser.parse_args(arguments)
    for name, value in DEFAULTS[options.policy].items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    if min(options.train_steps, options.train_every) < 1 or math.isnan(options.step):
        parser.error("--train-steps and --train-every are at least 1")
    return options


def main(arguments):
    options = parse(arguments)
    for seed in options.seeds:
        print(json.dumps(run(options, seed)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
