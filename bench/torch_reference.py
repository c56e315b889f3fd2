#!/usr/bin/env python3
"""What Handrail's network is compared with: the same algorithm as a plain PyTorch script.

SquareCB without a gate over a network of one hidden layer: p_a = 1 / (K + gamma (y_a - y_best)),
gamma = 10 sqrt(m + 1), the best arm gets the rest. One thread, by its processor time. Reads the
rounds that `handrail_bench_decisions --record FILE` wrote, so that both see the same numbers.

The form `plain` is how a user would write it: the library's Linear on the paper's dK columns, its
optimizer, backward(). The other forms ask autograd for the gradients alone and write plain descent
out, which takes less time, and lay the first layer out in three ways.

Prints one JSON object a job. With - as its only argument it reads jobs from stdin, the arguments of
one in each line: loading the library takes longer than most jobs.
"""

import argparse
import functools
import json
import math
import shlex
import struct
import sys
import time

import bench_support

bench_support.prepare_openblas()  # before the library is loaded
try:
    import numpy
    import torch
except ImportError:
    print("torch_reference: PyTorch is missing; apt-get install --no-install-recommends "
          "python3-torch libopenblas0 brings it", file=sys.stderr)
    sys.exit(2)

WIDTH = 100
LEARNING_RATE = 0.01
PERIOD = 10
COPIES = 10
KAPPA = 0.03 * WIDTH ** -0.25  # c_p * width^(-1/4), as in Handrail
REPLAY_STEPS = 100
WARM_UP_ROUNDS = 30
STRETCH_SECONDS = 0.02


class Tape:
    """Rounds as bench/round_tape.cc writes them."""

    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        self._content, self._at = content, 0
        if self._text() != "handrail rounds 1":
            raise SystemExit(f"{path}: is no file of rounds")
        self.name = self._text()
        self._at += 2
        self.round_count, self.arm_count, self.feature_count = (self._u64() for _ in range(3))
        features = self._doubles().reshape(self.round_count, self.feature_count)
        self.costs = self._doubles().reshape(self.round_count, self.arm_count)
        # In the library's own type ahead of time, which favours it: Handrail is given doubles.
        self.features = torch.tensor(features, dtype=torch.float32)

    def _u64(self):
        self._at += 8
        return struct.unpack_from("<Q", self._content, self._at - 8)[0]

    def _text(self):
        size = self._u64()
        self._at += size
        return self._content[self._at - size:self._at].decode()

    def _doubles(self):
        count = self._u64()
        values = numpy.frombuffer(self._content, "<f8", count, self._at)
        self._at += 8 * count
        return values


class Network(torch.nn.Module):
    """One hidden layer. How the arms have it is for each form to say; the output is shared."""

    def __init__(self, first_shape, feature_count):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(first_shape))
        self.bias = torch.nn.Parameter(torch.zeros(WIDTH))
        self.output_weight = torch.nn.Parameter(torch.empty(WIDTH))
        self.output_bias = torch.nn.Parameter(torch.zeros(1))
        torch.nn.init.normal_(self.weight, std=math.sqrt(2.0 / feature_count))
        torch.nn.init.normal_(self.output_weight, std=math.sqrt(2.0 / WIDTH))

    def output(self, sums):
        """One output a row of sums, or one in all."""
        return torch.relu(sums + self.bias) @ self.output_weight + self.output_bias


class BlockNetwork(Network):
    """The paper's encoding: arm a sees the features in block a of dK columns, zeros elsewhere."""

    def __init__(self, arm_count, feature_count):
        super().__init__((arm_count * feature_count, WIDTH), feature_count)
        self.shape = (arm_count, feature_count)
        self.rows = torch.zeros(arm_count, arm_count, feature_count)
        self.arms = torch.arange(arm_count)

    def all_arms(self, features):
        self.rows[self.arms, self.arms] = features
        return self.output(self.rows.view(len(self.arms), -1) @ self.weight)

    def one_arm(self, features, arm):
        row = torch.zeros(self.shape)
        row[arm] = features
        return self.output(row.view(-1) @ self.weight)

    def many(self, features, arms):
        rows = torch.zeros(len(arms), *self.shape)
        rows[torch.arange(len(arms)), arms] = features
        return self.output(rows.view(len(arms), -1) @ self.weight)


class ArmNetwork(Network):
    """The same function without the zeros: a first layer for each arm."""

    def __init__(self, arm_count, feature_count):
        super().__init__((arm_count, feature_count, WIDTH), feature_count)

    def all_arms(self, features):
        return self.output(torch.einsum("d,kdh->kh", features, self.weight))

    def one_arm(self, features, arm):
        return self.output(features @ self.weight[arm])

    def many(self, features, arms):
        return self.output(torch.einsum("nd,ndh->nh", features, self.weight[arms]))


class FlatNetwork(Network):
    """The same with the arms side by side, so that a decision is one product over all of them."""

    def __init__(self, arm_count, feature_count):
        super().__init__((feature_count, arm_count, WIDTH), feature_count)
        self.shape = (arm_count, WIDTH)

    def all_arms(self, features):
        sums = features @ self.weight.view(len(features), -1)
        return self.output(sums.view(self.shape))

    def one_arm(self, features, arm):
        return self.output(features @ self.weight[:, arm])

    def many(self, features, arms):
        return self.output(torch.einsum("nd,dnh->nh", features, self.weight[:, arms]))


class PlainNetwork(torch.nn.Module):
    """The paper's encoding once more, of the library's own layers."""

    def __init__(self, arm_count, feature_count):
        super().__init__()
        self.hidden = torch.nn.Linear(arm_count * feature_count, WIDTH)
        self.last = torch.nn.Linear(WIDTH, 1)
        torch.nn.init.normal_(self.hidden.weight, std=math.sqrt(2.0 / feature_count))
        torch.nn.init.normal_(self.last.weight, std=math.sqrt(2.0 / WIDTH))
        torch.nn.init.zeros_(self.hidden.bias)
        torch.nn.init.zeros_(self.last.bias)
        self.shape = (arm_count, feature_count)
        self.arms = torch.arange(arm_count)

    def _output(self, rows):
        return self.last(torch.relu(self.hidden(rows.flatten(1)))).squeeze(1)

    def all_arms(self, features):
        rows = torch.zeros(len(self.arms), *self.shape)
        rows[self.arms, self.arms] = features
        return self._output(rows)

    def one_arm(self, features, arm):
        row = torch.zeros(1, *self.shape)
        row[0, arm] = features
        return self._output(row)

    def many(self, features, arms):
        rows = torch.zeros(len(arms), *self.shape)
        rows[torch.arange(len(arms)), arms] = features
        return self._output(rows)


NETWORKS = {"blocks": BlockNetwork, "arms": ArmNetwork, "flat": FlatNetwork, "plain": PlainNetwork}


class Perturbation:
    """The paper's perturbed copies: f + kappa <theta - theta_0, eps_s> with random signs eps_s."""

    def __init__(self, network):
        self.parameters = list(network.parameters())
        self.initial = self._flat().detach().clone()
        self.signs = torch.randint(0, 2, (COPIES, len(self.initial))).float() * 2.0 - 1.0

    def _flat(self):
        return torch.cat([parameter.reshape(-1) for parameter in self.parameters])

    def shifts(self):
        return KAPPA * (self.signs @ (self._flat() - self.initial))


class Learner:
    """Decides, and learns in one of the ways of `update`."""

    def __init__(self, tape, options):
        torch.manual_seed(options.seed)
        self.network = NETWORKS[options.form](tape.arm_count, tape.feature_count)
        self.perturbation = Perturbation(self.network) if options.ensemble else None
        self.mean_shift = None  # of the copies, until the next step
        self.parameters = list(self.network.parameters())
        self.optimizer = None
        if options.form == "plain":
            self.optimizer = torch.optim.SGD(self.parameters, lr=LEARNING_RATE)
        self.learn = {"paper": self._paper, "replay": self._replay,
                      "replay-batches": self._replay_batches, "none": lambda: None}[options.update]
        self.random = numpy.random.default_rng(options.seed)
        self.examples = []  # (features, arm, cost)

    def decide(self, features, explored):
        with torch.inference_mode():
            outputs = self.network.all_arms(features)
            if self.perturbation is not None:
                if self.mean_shift is None:
                    self.mean_shift = self.perturbation.shifts().mean()
                outputs = outputs + self.mean_shift
            costs = outputs.clamp(0.0, 1.0).numpy().astype(numpy.float64)
        best = costs.argmin()
        probabilities = 1.0 / (len(costs) + 10.0 * math.sqrt(explored + 1.0) *
                               (costs - costs[best]))
        probabilities[best] = 0.0
        probabilities[best] = 1.0 - probabilities.sum()
        arm = numpy.searchsorted(probabilities.cumsum(), self.random.random(), side="right")
        return min(int(arm), len(costs) - 1)

    def observe(self, features, arm, cost):
        self.examples.append((features, arm, cost))
        self.learn()

    def _descend(self, loss):
        self.mean_shift = None
        if self.optimizer is not None:
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            return
        gradients = torch.autograd.grad(loss, self.parameters)
        with torch.no_grad():
            for parameter, gradient in zip(self.parameters, gradients):
                parameter.add_(gradient, alpha=-LEARNING_RATE)

    def _step(self, example):
        features, arm, cost = example
        output = self.network.one_arm(features, arm)
        if self.perturbation is None:
            self._descend((output - cost) ** 2)
        else:
            self._descend(((output + self.perturbation.shifts() - cost) ** 2).mean())

    def _paper(self):
        if len(self.examples) % PERIOD == 0:
            for example in self.examples[-PERIOD:]:
                self._step(example)

    def _replay(self):
        for index in self.random.integers(len(self.examples), size=REPLAY_STEPS):
            self._step(self.examples[index])

    def _replay_batches(self):
        for indices in self.random.integers(len(self.examples), size=(10, REPLAY_STEPS // 10)):
            features, arms, costs = zip(*(self.examples[index] for index in indices))
            outputs = self.network.many(torch.stack(features), torch.tensor(arms))
            self._descend(((outputs - torch.tensor(costs)) ** 2).mean())


def play(tape, options):
    """Plays until the rounds or the time are over. The best stretch of rounds counts too: on a
    machine that others use, it says most about the program."""
    warm_up = Learner(tape, options)
    for t in range(min(WARM_UP_ROUNDS, tape.round_count)):
        warm_up.observe(tape.features[t], warm_up.decide(tape.features[t], t), 0.5)
    learner = Learner(tape, options)
    rounds = min(options.rounds, tape.round_count)
    arms, best_rate, stretch_rounds = [], 0.0, 0
    start = stretch_start = time.process_time()
    for t in range(rounds):
        features = tape.features[t]
        arm = learner.decide(features, t)
        learner.observe(features, arm, float(tape.costs[t, arm]))
        arms.append(arm)
        stretch_rounds += 1
        now = time.process_time()
        # A stretch ends with the steps of a period, never between them.
        is_whole = options.update != "paper" or (t + 1) % PERIOD == 0
        if is_whole and now - stretch_start >= STRETCH_SECONDS:
            best_rate = max(best_rate, stretch_rounds / (now - stretch_start))
            stretch_start, stretch_rounds = now, 0
        if now - start > options.seconds:
            rounds = t + 1
            break
    seconds = time.process_time() - start
    costs = tape.costs[:rounds]
    regret = float((costs[numpy.arange(rounds), arms] - costs.min(axis=1)).sum())
    return {"rounds": rounds, "seconds": seconds, "rounds_per_second": rounds / seconds,
            "best_rounds_per_second": max(best_rate, rounds / seconds), "regret": regret}


def gradient_norms(network, features, scales):
    """sqrt(sum g^2 / U) of each arm's output, one backward pass an arm, as the public code does."""
    norms = []
    for output in network.all_arms(features):
        network.zero_grad(set_to_none=True)
        output.backward(retain_graph=True)
        gradient = torch.cat([parameter.grad.reshape(-1) for parameter in network.parameters()])
        norms.append(torch.sqrt((gradient * gradient / scales).sum()).item())
    return norms


def time_gradients(tape, options):
    torch.manual_seed(options.seed)
    network = NETWORKS[options.form](tape.arm_count, tape.feature_count)
    scales = torch.ones(sum(parameter.numel() for parameter in network.parameters()))
    gradient_norms(network, tape.features[0], scales)
    times = []
    while sum(times) < options.seconds and len(times) < tape.round_count:
        start = time.process_time()
        gradient_norms(network, tape.features[len(times)], scales)
        times.append(time.process_time() - start)
    return {"best_seconds_per_round": min(times), "rounds": len(times)}


def time_sgemm(options):
    """The most flops a second of a square product: what a single core's sgemm can do."""
    size = 512
    left, right = torch.rand(size, size), torch.rand(size, size)
    out = torch.mm(left, right)
    best, spent = math.inf, 0.0
    while spent < options.seconds:
        start = time.process_time()
        torch.mm(left, right, out=out)
        elapsed = time.process_time() - start
        best, spent = min(best, elapsed), spent + elapsed
    return {"size": size, "flops_per_second": 2.0 * size ** 3 / best}


def parse(arguments):
    parser = argparse.ArgumentParser(description="Handrail's network as a plain PyTorch script")
    parser.add_argument("--job", choices=("play", "gradients", "sgemm"), default="play")
    parser.add_argument("--tape", help="file of rounds, for all jobs but sgemm")
    parser.add_argument("--form", choices=tuple(NETWORKS), default="arms")
    parser.add_argument("--update", choices=("paper", "replay", "replay-batches", "none"),
                        default="paper")
    parser.add_argument("--ensemble", action="store_true", help=f"{COPIES} perturbed copies")
    parser.add_argument("--rounds", type=int, default=10_000, help="at most")
    parser.add_argument("--seconds", type=float, default=3.0, help="stop after these")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.job != "sgemm" and options.tape is None:
        parser.error("--tape is needed")
    if options.ensemble and options.update == "replay-batches":
        parser.error("--ensemble learns from one example at a time")
    return options


def run(options):
    result = {"job": options.job, "coretype": bench_support.coretype()}
    if options.job == "sgemm":
        return result | time_sgemm(options)
    tape = read_tape(options.tape)
    result |= {"stream": tape.name, "form": options.form}
    if options.job == "gradients":
        return result | time_gradients(tape, options)
    result |= {"update": options.update, "ensemble": options.ensemble}
    return result | play(tape, options)


@functools.lru_cache
def read_tape(path):
    return Tape(path)


def main(arguments):
    torch.set_num_threads(1)
    if arguments == ["-"]:
        jobs = (shlex.split(line) for line in sys.stdin)
    else:
        jobs = [arguments]
    for job in jobs:
        print(json.dumps(run(parse(job))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
