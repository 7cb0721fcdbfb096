"""What the generated models have in common."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidatorFunctionWrapHandler, WrapValidator

T = TypeVar("T")


def _or_text(value: Any, listed: ValidatorFunctionWrapHandler) -> Any:
    return value if isinstance(value, str) else listed(value)


Open = WrapValidator(_or_text)
"""A newer server may answer with values that this package does not list."""


class Part(BaseModel):
    """An object inside the arguments of a call."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, protected_namespaces=(), defer_build=True)


class Answer(BaseModel):
    """An answer, or an object inside one. Fields of newer servers are kept, too."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=(), defer_build=True)


class Call(Part, Generic[T]):
    """The arguments of a tool; ``T`` is its answer. Only fields that were set are sent."""

    tool: ClassVar[str]
