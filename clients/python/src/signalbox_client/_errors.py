"""The one error of this package."""

from __future__ import annotations

from typing import Any, Literal

from .tools._codes import ErrorCode

Code = ErrorCode | Literal["UNREACHABLE", "PENDING_APPROVAL", "LEASE_LOST"]
"""A code of the server, or one of this package.

``UNREACHABLE``: no answer came within the time for retries. ``PENDING_APPROVAL``: a person has to approve the call first.
``LEASE_LOST``: the task is no longer this worker's.
"""


class SignalboxError(Exception):
    """Every failure of this package."""

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        hint: str | None = None,
        retryable: bool = False,
        retry_after_seconds: float | None = None,
        details: dict[str, Any] | None = None,
        tool_call_id: str | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}" + (f" {hint}" if hint else ""))
        self.code = code
        self.message = message
        self.hint = hint
        """What to do next, in a sentence."""
        self.retryable = retryable
        """Whether the same call may succeed later. The client has already repeated it for as long as its options allow."""
        self.retry_after_seconds = retry_after_seconds
        self.details = details or {}
        """Facts for programs: ids, limits, fields. With ``PENDING_APPROVAL``: ``approval_id``."""
        self.tool_call_id = tool_call_id
        """The server's id of the call, as in its ledger and its log."""
