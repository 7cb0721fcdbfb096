"""Calls of tools, repeated under the same idempotency key while repeating makes sense."""

from __future__ import annotations

import asyncio
import json
import random
from math import inf
from typing import Any, Literal
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ._errors import SignalboxError
from .tools.shapes import Ref

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 10.0


class Metadata(BaseModel):
    model_config = ConfigDict(extra="allow")
    next_cursor: str | None = None
    result_count: int | float | None = None
    total_count: int | float | None = None


class _Failure(BaseModel):
    code: Any = "INTERNAL"
    message: str = "The call failed."
    suggestion: str | None = None
    details: dict[str, Any] | None = None
    retryable: bool = False
    retry_after_seconds: float | None = None


class Envelope(BaseModel):
    """The whole answer of a call."""

    model_config = ConfigDict(extra="allow")
    status: Literal["success", "accepted", "partial", "pending_approval", "error"]
    data: Any = None
    metadata: Metadata = Field(default_factory=Metadata)
    refs: list[Ref] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    tool_call_id: str
    error: _Failure | None = None


class Http:
    def __init__(
        self, url: str, api_key: str, agent_id: str, retry_for: float, timeout: float, client: httpx.AsyncClient | None
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"The address of a Signalbox begins with http:// or https://: {url!r}")
        self._url = url.rstrip("/")
        self._headers = {"authorization": f"Bearer {api_key}", "content-type": "application/json"}
        if agent_id:
            self._headers["x-agent-id"] = agent_id
        self._retry_for = retry_for
        self._timeout = timeout
        self._given = client
        self._client = client or httpx.AsyncClient()

    async def close(self) -> None:
        if self._given is None:
            await self._client.aclose()

    async def call(self, tool: str, arguments: dict[str, Any], key: str | None, retry_for: float | None = None) -> Envelope:
        """:raises SignalboxError: of the last attempt"""
        now = asyncio.get_running_loop().time
        until = now() + (self._retry_for if retry_for is None else retry_for)
        # The same bytes each time: the server compares them.
        body = json.dumps(arguments).encode()
        tries = 0
        while True:
            try:
                return await self._once(tool, body, key)
            except SignalboxError as error:
                # A pause with a random part: clients that failed together come back one by one.
                grown = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(tries, 20)) * random.uniform(0.5, 1)
                pause = max(error.retry_after_seconds or 0, grown)
                if not _worth_repeating(error) or now() + pause > until:
                    raise
            tries += 1
            await asyncio.sleep(pause)

    async def _once(self, tool: str, body: bytes, key: str | None) -> Envelope:
        headers = self._headers if key is None else {**self._headers, "idempotency-key": key}
        try:
            async with asyncio.timeout(None if self._timeout == inf else self._timeout):
                answer = await self._client.post(
                    f"{self._url}/api/tools/{quote(tool, safe='')}", content=body, headers=headers, timeout=None
                )
        except (httpx.TransportError, TimeoutError) as error:
            raise SignalboxError(
                "UNREACHABLE",
                f"Signalbox at {self._url} did not answer {tool}.",
                hint="Check the address, and whether the server runs. Whether the call was made is not known; a repeat under the "
                "same idempotency key acts once.",
                retryable=True,
            ) from error
        try:
            envelope = Envelope.model_validate_json(answer.content)
        except ValidationError:
            raise self._no_envelope(tool, answer) from None
        if envelope.status != "error":
            return envelope
        failure = envelope.error or _Failure()
        raise SignalboxError(
            failure.code,
            failure.message,
            hint=failure.suggestion,
            retryable=failure.retryable,
            retry_after_seconds=failure.retry_after_seconds,
            details=failure.details,
            tool_call_id=envelope.tool_call_id,
        )

    def _no_envelope(self, tool: str, answer: httpx.Response) -> SignalboxError:
        """The answer of a proxy, or of something else."""
        status = answer.status_code
        message = f"{self._url} answered {tool} with HTTP {status} and no envelope."
        if status == 429 or 502 <= status <= 504:
            after = answer.headers.get("retry-after", "")
            return SignalboxError(
                "RATE_LIMIT_EXCEEDED" if status == 429 else "SERVICE_UNAVAILABLE",
                message,
                hint="A proxy before the server refuses the call for now.",
                retryable=True,
                retry_after_seconds=float(after) if after.isdigit() else None,
            )
        return SignalboxError("INTERNAL", message, hint="Is this the address of a Signalbox?")


def _worth_repeating(error: SignalboxError) -> bool:
    # An earlier attempt may still run: the server then answers CONFLICT and says when to ask again.
    return error.retryable or (error.code == "CONFLICT" and error.retry_after_seconds is not None)
