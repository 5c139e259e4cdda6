"""Compiled kernels: arrays in, arrays out, no randomness, nothing imported from above."""
