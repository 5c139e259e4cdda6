"""Eight float32 numbers at a time, in one register.

Numba leaves short loops scalar: it unrolls them before its loop vectoriser comes, and has the other one
switched off. These few operations name the vectors themselves; LLVM maps them to whatever the machine has.
Comparisons are those of numbers: nothing is equal to NaN or below it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

#: Lanes of a vector.
WIDTH = 8


class LanesType(types.Type):
    """The type of eight float32 numbers; only compiled code knows it."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


LANES = LanesType()
WORD, VECTOR = ir.IntType(32), ir.VectorType(ir.FloatType(), WIDTH)


@register_model(LanesType)
class LanesModel(models.PrimitiveModel):
    """A vector register."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)  # type: ignore[no-untyped-call]


def operation(function: Callable[..., Any]) -> Any:
    """An operation of compiled code; whoever calls it leaves out the first argument."""
    return intrinsic(function)


def _spread(builder: Any, value: Any) -> Any:
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), value, WORD(0))
    nowhere = ir.Constant(ir.VectorType(WORD, WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), nowhere)


def _array(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.make_array(kind)(context, builder, value)


@operation
def spread(typingctx: Any, x: Any) -> Any:
    """The number x in every lane."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _spread(builder, args[0])

    return LANES(types.float32), codegen


@operation
def load(typingctx: Any, rows: Any, row: Any, j: Any) -> Any:
    """The lanes rows[row, j, :] of a contiguous array of eight lanes."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = _array(context, builder, signature.args[0], args[0])
        width = builder.extract_value(array.shape, 1)
        at = builder.mul(builder.add(builder.mul(args[1], width), args[2]), ir.IntType(64)(WIDTH))
        pointer = builder.bitcast(builder.gep(array.data, [at]), VECTOR.as_pointer())
        return builder.load(pointer, align=4)

    return LANES(rows, types.int64, types.int64), codegen


@operation
def distances(typingctx: Any, v: Any, x: Any) -> Any:
    """The absolute difference of each lane and x."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        away = builder.fsub(args[0], _spread(builder, args[1]))
        negative = builder.fcmp_ordered("<", away, ir.Constant(VECTOR, [0.0] * WIDTH))
        return builder.select(negative, builder.fneg(away), away)

    return LANES(LANES, types.float32), codegen


@operation
def clamped(typingctx: Any, x: Any, low: Any, high: Any) -> Any:
    """Lane by lane, the number from low to high that is nearest to x."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = _spread(builder, args[0])
        above = builder.select(builder.fcmp_ordered(">", wide, args[2]), args[2], wide)
        return builder.select(builder.fcmp_ordered("<", wide, args[1]), args[1], above)

    return LANES(types.float32, LANES, LANES), codegen


@operation
def product(typingctx: Any, a: Any, b: Any) -> Any:
    """Lane by lane, a * b."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fmul(*args)

    return LANES(LANES, LANES), codegen


@operation
def plus(typingctx: Any, a: Any, b: Any) -> Any:
    """Lane by lane, a + b."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fadd(*args)

    return LANES(LANES, LANES), codegen


@operation
def larger(typingctx: Any, a: Any, b: Any) -> Any:
    """Lane by lane, the larger of a and b."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", args[1], args[0]), args[1], args[0])

    return LANES(LANES, LANES), codegen


@operation
def smaller(typingctx: Any, a: Any, b: Any) -> Any:
    """Lane by lane, the smaller of a and b."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered("<", args[1], args[0]), args[1], args[0])

    return LANES(LANES, LANES), codegen


@operation
def where_equal(typingctx: Any, v: Any, x: Any, a: Any, b: Any) -> Any:
    """Lane by lane, a where v is the number x, elsewhere b."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        same = builder.fcmp_ordered("==", args[0], _spread(builder, args[1]))
        return builder.select(same, args[2], args[3])

    return LANES(LANES, types.float32, LANES, LANES), codegen


@operation
def looked_up(typingctx: Any, table: Any, start: Any, v: Any) -> Any:
    """The entries table[start + v], v holding codes; an infinite lane finds the first entry."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = _array(context, builder, signature.args[0], args[0])
        infinite = ir.Constant(VECTOR, [float("inf")] * WIDTH)
        present = builder.fcmp_ordered("<", args[2], infinite)
        codes = builder.select(present, args[2], ir.Constant(VECTOR, [0.0] * WIDTH))
        places = builder.fptosi(codes, ir.VectorType(ir.IntType(64), WIDTH))
        out = ir.Constant(VECTOR, ir.Undefined)
        for lane in range(WIDTH):
            at = builder.add(builder.extract_element(places, WORD(lane)), args[1])
            out = builder.insert_element(out, builder.load(builder.gep(array.data, [at])), WORD(lane))
        return out

    return LANES(table, types.int64, LANES), codegen


@operation
def within(typingctx: Any, v: Any, limit: Any) -> Any:
    """Which lanes are not above the limit, a bit each (a NaN is not)."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kept = builder.fcmp_unordered("<=", args[0], _spread(builder, args[1]))
        return builder.zext(builder.bitcast(kept, ir.IntType(WIDTH)), ir.IntType(64))

    return types.int64(LANES, types.float32), codegen


@operation
def first_bit(typingctx: Any, bits: Any) -> Any:
    """The number of the lowest bit that is set (of a number that is not 0)."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.IntType(1)(1))

    return types.int64(types.int64), codegen


@operation
def store(typingctx: Any, v: Any, out: Any) -> Any:
    """Write the lanes to a contiguous array of eight numbers."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = _array(context, builder, signature.args[1], args[1])
        builder.store(args[0], builder.bitcast(array.data, VECTOR.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(LANES, out), codegen
