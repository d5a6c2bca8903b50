"""Sets of nodes as the bits of 64-bit words."""

import numpy as np

from graphs.science.kernel.compilation import Bits, Integers, compiled

__all__ = ["ONE", "list_bits", "ones"]

ONE = np.uint64(1)


@compiled
def ones(word: np.uint64) -> np.int64:
    """Count the bits of a 64-bit word; compilers turn this into one instruction."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def list_bits(bits: Bits, members: Integers) -> int:
    """Write down the numbers of the bits that are set and return how many there are."""
    count = 0
    for word in range(len(bits)):
        left = bits[word]
        while left:
            members[count] = 64 * word + ones((left & (~left + ONE)) - ONE)
            left &= left - ONE
            count += 1
    return count
