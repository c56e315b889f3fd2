"""Random numbers for twins: those that Handrail draws, or independent ones.

With common draws both sides see the rows in the same order, start from the same weights, train in
the same order and sample with the same normals, so that they differ only by what they compute, and
runs can be compared round by round. With draws of its own a twin shares nothing, and only means
over seeds can be compared.

Handrail's numbers are a function of (seed, purpose, sequence): Philox4x32-10 (Salmon et al. 2011)
with the seed as key and (block, sequence, purpose) as counter.
"""

import numpy

POLICY, INITIALISATION, REPLAY, SHUFFLE = 2, 3, 4, 10  # purposes

HALF = numpy.uint64(32)
WORD = numpy.uint64(0xFFFFFFFF)
MULTIPLIERS = (numpy.uint64(0xD2511F53), numpy.uint64(0xCD9E8D57))
WEYL = (0x9E3779B9, 0xBB67AE85)
PHILOX_ROUNDS = 10
FEISTEL_ROUNDS = 8
WORDS_AT_ONCE = 256


def philox4x32(counter, key):
    """Four arrays of words from four such and a key of two words; words are 32 bits in uint64."""
    first, second, third, fourth = counter
    for index in range(PHILOX_ROUNDS):
        keys = [numpy.uint64((word + index * step) % 2**32) for word, step in zip(key, WEYL)]
        products = first * MULTIPLIERS[0], third * MULTIPLIERS[1]
        first, second = (products[1] >> HALF) ^ second ^ keys[0], products[1] & WORD
        third, fourth = (products[0] >> HALF) ^ fourth ^ keys[1], products[0] & WORD
    return first, second, third, fourth


def random_blocks(seed, purpose, sequences, draws):
    """The four words of blocks, one for each pair of `sequences` and `draws`."""
    sequences, draws = numpy.broadcast_arrays(numpy.atleast_1d(numpy.uint64(sequences)),
                                              numpy.atleast_1d(numpy.uint64(draws)))
    counter = (draws, sequences & WORD, sequences >> HALF, numpy.full_like(draws, purpose))
    return philox4x32(counter, (seed % 2**32, seed >> 32))


class Numbers:
    """A cursor over one stream."""

    def __init__(self, seed, purpose, sequence):
        self.name = (seed, purpose, sequence)
        self.read_count = 0

    def bits64(self, count):
        blocks = numpy.arange(self.read_count // 2, (self.read_count + count + 1) // 2)
        words = random_blocks(*self.name, blocks)
        pairs = numpy.stack([words[0] | words[1] << HALF, words[2] | words[3] << HALF], axis=1)
        begin = self.read_count % 2
        self.read_count += count
        return pairs.reshape(-1)[begin:begin + count]

    def each_bits64(self):
        while True:
            yield from self.bits64(WORDS_AT_ONCE).tolist()

    def uniforms(self, count):
        return (self.bits64(count) >> numpy.uint64(11)).astype(float) * 2.0**-53

    def normals(self, count):
        """By pairs of Box and Muller; of an odd count the last one's partner is lost."""
        uniforms = self.uniforms(count + count % 2)
        radii = numpy.sqrt(-2.0 * numpy.log(1.0 - uniforms[0::2]))
        angles = 2.0 * numpy.pi * uniforms[1::2]
        pairs = numpy.stack([radii * numpy.cos(angles), radii * numpy.sin(angles)], axis=1)
        return pairs.reshape(-1)[:count]


def below(bound, words):
    """Of the bits that the bound needs, the first that are below it."""
    mask = (1 << (bound - 1).bit_length()) - 1
    return next(word & mask for word in words if word & mask < bound)


def shuffled_rows(seed, count, this_pass):
    """Rows in the order of a pass: a Feistel network over the next power of four, walked until it
    lands below `count`."""
    half_bits = max(1, ((count - 1).bit_length() + 1) // 2)
    half, mask = numpy.uint64(half_bits), numpy.uint64(2**half_bits - 1)
    sequences = (this_pass << 20) + numpy.arange(2**half_bits)
    tables = [random_blocks(seed, SHUFFLE, sequences, index)[0] & mask
              for index in range(FEISTEL_ROUNDS)]

    def permuted(values):
        left, right = values >> half, values & mask
        for table in tables:
            left, right = right, left ^ table[right]
        return (left << half) + right

    rows = permuted(numpy.arange(count, dtype=numpy.uint64))
    while (outside := rows >= count).any():
        rows[outside] = permuted(rows[outside])
    return rows.astype(int)


class Common:
    """Handrail's draws. Sequences are its own numbering."""

    def __init__(self, seed):
        self.seed = seed

    def row_order(self, count, this_pass):
        return shuffled_rows(self.seed, count, this_pass)

    def weights(self, sequence, shape, input_count):
        """Uniform within 1 / sqrt(inputs), as torch.nn.Linear and Conv1d start."""
        numbers = Numbers(self.seed, INITIALISATION, sequence)
        uniforms = numbers.uniforms(int(numpy.prod(shape))).reshape(shape)
        return (2.0 * uniforms - 1.0) / numpy.sqrt(input_count)

    def training_order(self, sequence, count, step_limit):
        """Only the places that a training reaches are drawn."""
        words = Numbers(self.seed, REPLAY, sequence).each_bits64()
        order = list(range(count))
        for place in range(min(count, step_limit)):
            other = place + below(count - place, words)
            order[place], order[other] = order[other], order[place]
        return order

    def normals(self, sequence, count):
        return Numbers(self.seed, POLICY, sequence).normals(count)


class Own:
    """Independent draws. Sequences mean nothing here: each draw is a new one."""

    def __init__(self, seed):
        self.seed = seed
        self.random = numpy.random.default_rng([seed, 0, 1])

    def row_order(self, count, this_pass):
        return numpy.random.default_rng([self.seed, this_pass]).permutation(count)

    def weights(self, _sequence, shape, input_count):
        return self.random.uniform(-1.0, 1.0, shape) / numpy.sqrt(input_count)

    def training_order(self, _sequence, count, _step_limit):
        return self.random.permutation(count)

    def normals(self, _sequence, shape):
        return self.random.standard_normal(shape)


KINDS = {"common": Common, "own": Own}


def add_option(parser):
    parser.add_argument("--draws", choices=KINDS, default="common",
                        help="Handrail's random numbers [common], or independent ones")
