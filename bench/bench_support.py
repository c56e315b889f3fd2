"""What the scripts of this folder share: the machine, how its BLAS is made to see it, the programs
that they run, and the network that they run them with.
"""

import argparse
import json
import math
import os
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# The paper's network, every choice spelled out, so that no default can move it. The PyTorch script
# has the same one; its width is the caller's.
NETWORK = ("squarecb:oracle=mlp,own_layer=first,skip=no,pull=0,optimizer=sgd,lr=0.01,clip=inf,"
           "loss=square,gamma=rounds,gamma_scale=10,newest=0")
PAPER = NETWORK + ",update=periodic,period=10,reading=steps"
LINEAR = "squarecb:oracle=linear"

OPENBLAS_KERNELS = (  # (processor flags, vendor or None, OPENBLAS_CORETYPE)
    ({"avx512f", "avx512dq", "avx512bw", "avx512vl"}, None, "SkylakeX"),
    ({"avx2", "fma"}, "AuthenticAMD", "Zen"),
    ({"avx2", "fma"}, None, "Haswell"),
    ({"avx"}, None, "Sandybridge"),
)


def processor():
    """Fields of the first processor in /proc/cpuinfo; none elsewhere than on Linux."""
    fields = {}
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                name, _, value = line.partition(":")
                if not name.strip():
                    break
                fields[name.strip()] = value.strip()
    except OSError:
        pass
    return fields


def coretype():
    """The kernel of OpenBLAS that fits this processor, or nothing for a very old one.

    An OpenBLAS that is older than the processor does not know its model number and falls back to
    SSE3, which would flatter whatever is compared with it.
    """
    fields = processor()
    flags = set(fields.get("flags", "").split())
    for needed, vendor, name in OPENBLAS_KERNELS:
        if needed <= flags and vendor in (None, fields.get("vendor_id")):
            return name
    return None


def prepare_openblas():
    """One thread and the right kernel; only before the library is loaded."""
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
    if coretype() is not None:
        os.environ["OPENBLAS_CORETYPE"] = coretype()


def machine():
    """One sentence about where numbers were measured."""
    fields = processor()
    name = re.sub(r"\s+", " ", fields.get("model name", platform.machine()))
    flags = set(fields.get("flags", "").split())
    widest = next((word for flag, word in (("avx512f", "AVX-512"), ("avx2", "AVX2"),
                                           ("sse4_2", "SSE4")) if flag in flags), "no vectors")
    family = f"family {fields.get('cpu family', '?')}, model {fields.get('model', '?')}"
    return f"{name} ({family}), {widest}, {os.cpu_count()} cores visible, one used"


def median(values):
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2.0


def mean_and_error(values):
    """The mean, and its standard error."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)
    return mean, math.sqrt(variance / len(values))


class Failure(Exception):
    """A sentence for the user."""


def parser(description):
    """What every script can be told."""
    made = argparse.ArgumentParser(description=description.splitlines()[0])
    made.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build/release/bench",
                      help="where the programs are")
    made.add_argument("--out", type=pathlib.Path, help="write the numbers there as JSON")
    made.add_argument("--quick", action="store_true", help="only to see that it works")
    return made


def output_of(command, environment=None):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                          env=environment)
    if done.returncode != 0:
        raise Failure(f"{pathlib.Path(command[0]).name} ended with {done.returncode}: "
                      f"{done.stderr.strip()}")
    return done.stdout


def decisions(options, words):
    """What handrail_bench_decisions says of each agent. Quick: without data sets."""
    program = options.build / "handrail_bench_decisions"
    if not program.exists():
        raise Failure(f"{program} is missing; `cmake --build --preset release` makes it")
    environment = dict(os.environ)
    if options.quick:
        environment.pop("HANDRAIL_DATA", None)
    return [json.loads(line) for line in output_of([program, *words], environment).splitlines()]


def finish(name, options, measure, show):
    """Measures, writes down and shows; the exit code of the script."""
    try:
        results = measure(options)
        if options.out:
            options.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    except (Failure, OSError) as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        return 2
    print(show(results))
    return 0
