"""What the scripts of this folder share: the machine, and how its BLAS is made to see it."""

import math
import os
import platform
import re

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
