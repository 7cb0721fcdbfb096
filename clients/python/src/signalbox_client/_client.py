"""The client."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from math import inf
from types import TracebackType
from typing import Any, Literal, Self, TypeVar, overload

import httpx
from pydantic import TypeAdapter

from ._errors import SignalboxError
from ._http import Envelope, Http
from ._lease import Lease
from ._models import Call
from .tools.event import EventStreamSubscribe
from .tools.shapes import Event
from .tools.work import WorkTaskClaim, WorkTaskClaimAnswer

T = TypeVar("T")
EVENT_WAIT = 20


class Signalbox:
    """A Signalbox. Any number of calls may run at once.

    :param url: e.g. ``http://127.0.0.1:8080``
    :param api_key: a key, or an access token
    :param agent_id: the worker on whose behalf calls are made: 1 to 128 letters, digits and . _ : @ / -. A worker holds one
        task at a time, so two programs need two names. Default: a new name for each client. Empty: the key's own name.
    :param retry_for: how long a failed call is repeated, in seconds
    :param timeout: how long one attempt may take, in seconds; tools that wait do so for at most 60
    :param client: an httpx client to send with; it is not closed
    """

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        agent_id: str | None = None,
        retry_for: float = 60,
        timeout: float = 90,
        client: httpx.AsyncClient | None = None,
    ) -> None:
        self.agent_id = f"worker-{uuid.uuid4().hex[:8]}" if agent_id is None else agent_id
        self._http = Http(url, api_key, self.agent_id, retry_for, timeout, client)
        # The task that this worker holds; `claiming` while it is asked for.
        self._lease: Lease | Literal["claiming"] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.close()

    @overload
    async def call(self, call: Call[T], /, *, idempotency_key: str | None = None, retry_for: float | None = None) -> T: ...
    @overload
    async def call(
        self, call: str, arguments: dict[str, Any] | None = None, /, *, idempotency_key: str | None = None, retry_for: float | None = None
    ) -> Any: ...
    async def call(
        self,
        call: Call[Any] | str,
        arguments: dict[str, Any] | None = None,
        /,
        *,
        idempotency_key: str | None = None,
        retry_for: float | None = None,
    ) -> Any:
        """Calls a tool and answers with its data: a model for a model of ``signalbox_client.tools``, JSON for a name.

        Repeats under the same idempotency key act once, also in another run of the program; default: a new key for each call.

        :raises SignalboxError: ``PENDING_APPROVAL`` when a person has to approve the call first
        """
        name, given = (call, arguments or {}) if isinstance(call, str) else (call.tool, _sent(call))
        envelope = await self._http.call(name, given, idempotency_key or str(uuid.uuid4()), retry_for)
        if envelope.status == "pending_approval":
            raise SignalboxError(
                "PENDING_APPROVAL",
                f"{name} waits for a person's approval.",
                hint="approval.request.get tells how it stands, and has the answer once it is approved.",
                details={"approval_id": next((ref.id for ref in envelope.refs if ref.type == "approval"), None)},
                tool_call_id=envelope.tool_call_id,
            )
        return envelope.data if isinstance(call, str) else _answer_of(call, envelope.data)

    async def envelope(
        self, name: str, arguments: dict[str, Any] | None = None, *, idempotency_key: str | None = None, retry_for: float | None = None
    ) -> Envelope:
        """The whole answer: refs, warnings, metadata. A call that waits for a person is an answer, too.

        :raises SignalboxError:
        """
        return await self._http.call(name, arguments or {}, idempotency_key or str(uuid.uuid4()), retry_for)

    async def pages(self, call: Call[T]) -> AsyncIterator[T]:
        """Each page of a list, from the first or from the call's ``cursor`` on.

        :raises SignalboxError:
        """
        arguments = _sent(call)
        while True:
            envelope = await self._http.call(call.tool, arguments, str(uuid.uuid4()))
            yield _answer_of(call, envelope.data)
            cursor = envelope.metadata.next_cursor or (envelope.data or {}).get("next_cursor")
            if cursor is None:
                return
            arguments["cursor"] = cursor

    async def events(
        self, types: list[str] | None = None, *, subject: str | None = None, after: str | None = None
    ) -> AsyncIterator[Event]:
        """Events as they happen, in order, until the loop is left. After a break it goes on where it was, for as long as it takes.

        :param after: the id of the last event that another run of the program had, or ``oldest``; absent: from now on
        :raises SignalboxError: ``GONE`` when the events after ``after`` are no longer kept
        """
        wanted = EventStreamSubscribe.model_validate({"types": types or [], **({} if subject is None else {"subject": subject})})
        # "From now on" is a place, too: an answer that is lost while waiting for the first event must not lose that event.
        place = after or (await self.call(wanted, retry_for=inf)).next
        while True:
            page = await self.call(wanted.model_copy(update={"after": place, "wait_seconds": EVENT_WAIT}), retry_for=inf)
            for event in page.events:
                yield event
            place = page.next

    def claim(
        self, phase_id: int | None = None, *, task_id: str | None = None, lease_seconds: int | None = None, retry_for: float | None = None
    ) -> Claim:
        """The next ready task of a phase, or the task named, under a lease that is kept by itself::

            async with client.claim(phase_id=2) as lease:
                if lease is not None:
                    await lease.complete(await work(lease.task))

        ``lease`` is None when nothing is ready. When the lease is lost, the body is cancelled and ``LEASE_LOST`` is raised in
        its place. An unfinished task is given back when the body is left.

        :raises SignalboxError: when entered; ``CONFLICT`` when this client holds a task already
        """
        given = {"phase_id": phase_id, "task_id": task_id, "lease_seconds": lease_seconds}
        return Claim(self, WorkTaskClaim.model_validate({name: value for name, value in given.items() if value is not None}), retry_for)


class Claim:
    """What ``claim`` answers with: to be entered by ``async with``."""

    def __init__(self, client: Signalbox, wanted: WorkTaskClaim, retry_for: float | None) -> None:
        self._client = client
        self._wanted = wanted
        self._retry_for = retry_for
        self._lease: Lease | None = None

    async def __aenter__(self) -> Lease | None:
        client = self._client
        if client._lease is not None:
            raise SignalboxError(
                "CONFLICT",
                f"{client.agent_id or 'This worker'} already holds a task, or asks for one.",
                hint="A worker holds one task at a time: complete, fail or release it first, or make another client.",
                details={} if client._lease == "claiming" else {"task_id": client._lease.task.id},
            )
        client._lease = "claiming"
        try:
            since = asyncio.get_running_loop().time()
            claimed: WorkTaskClaimAnswer = await client.call(self._wanted, retry_for=self._retry_for)
            if claimed.task is None:
                return None
            lease = Lease(client._http, claimed, claimed.task, self._left)
            await lease._open(since)
            lease._enter()
            client._lease = self._lease = lease
            return lease
        finally:
            if client._lease == "claiming":
                client._lease = None

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._lease is not None:
            await self._lease._exit(kind, error, trace)

    def _left(self) -> None:
        self._client._lease = None


def _sent(call: Call[Any]) -> dict[str, Any]:
    return call.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _answer_of(call: Call[T], data: Any) -> T:
    for base in type(call).__mro__:
        arguments = base.__pydantic_generic_metadata__["args"] if hasattr(base, "__pydantic_generic_metadata__") else ()
        if arguments:
            return TypeAdapter(arguments[0]).validate_python(data)  # type: ignore[no-any-return]
    return data  # type: ignore[no-any-return]
