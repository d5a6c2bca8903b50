"""Eight numbers side by side in one vector register, for code that numba compiles.

A loop over eight numbers is not sure to become vector instructions: arrays could overlap, for all the compiler knows.
These values are vectors from the start, on any processor; one without registers of this width takes several.

`load` and `store` move eight consecutive numbers of an array, `spread` puts the same number into all eight lanes,
`negative` tells which are below 0, and the operators +, −, * and / work lane by lane. Nothing checks the bounds of an
array.
"""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

__all__ = ["LANES", "load", "negative", "spread", "store"]

LANES = 8

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)

#: Products and sums may be contracted into one instruction.
_FLAGS = ("contract", "reassoc", "nsz")


class LanesType(types.Type):
    """The type of such a value in compiled code."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


_lanes = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, of: Any) -> None:
        super().__init__(manager, of, _VECTOR)  # type: ignore[no-untyped-call]


def _instruction(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let compiled code call a function that says what to generate; its first argument is left out of the call."""
    made: Any = intrinsic
    called: Callable[..., Any] = made(function)
    return called


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), _VECTOR.as_pointer())


@_instruction
def load(typing_context: Any, array: Any, place: Any) -> Any:
    """Return the eight numbers of a one-dimensional array of float64 from ``place`` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        return builder.load(pointer, align=8)

    return _lanes(array, types.intp), generate


@_instruction
def store(typing_context: Any, array: Any, place: Any, value: Any) -> Any:
    """Write eight numbers into a one-dimensional array of float64 from ``place`` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], pointer, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, _lanes), generate


@_instruction
def spread(typing_context: Any, number: Any) -> Any:
    """Return one number in all lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        nothing = ir.Constant(_VECTOR, ir.Undefined)
        single = builder.insert_element(nothing, arguments[0], ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), None)
        return builder.shuffle_vector(single, nothing, zeros)

    return _lanes(types.float64), generate


@_instruction
def negative(typing_context: Any, value: Any) -> Any:
    """Return 1.0 in the lanes that are below 0, and 0.0 in the others."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.uitofp(builder.fcmp_ordered("<", arguments[0], ir.Constant(_VECTOR, None)), _VECTOR)

    return _lanes(_lanes), generate


def _operate(name: str, symbol: Callable[..., Any]) -> None:
    """Compile an operator between two such values to the LLVM instruction of this name."""

    class Operation(ConcreteTemplate):
        cases = [signature(_lanes, _lanes, _lanes)]  # type: ignore[no-untyped-call]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return getattr(builder, name)(*arguments, flags=_FLAGS)

    infer_global(symbol)(Operation)  # type: ignore[no-untyped-call]
    lower_builtin(symbol, _lanes, _lanes)(generate)  # type: ignore[no-untyped-call]


_operate("fadd", operator.add)
_operate("fsub", operator.sub)
_operate("fmul", operator.mul)
_operate("fdiv", operator.truediv)
