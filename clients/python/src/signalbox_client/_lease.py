"""A claimed task, kept by heartbeats."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Literal

from ._errors import SignalboxError
from ._http import Http
from .tools.shapes import Task
from .tools.work import WorkTaskClaimAnswer, WorkTaskCompleteAnswer, WorkTaskFailAnswer, WorkTaskReleaseAnswer

RELEASE_FOR = 5.0
"""How long leaving a lease tries to give the task back, in seconds. If that fails, the lease lapses by itself."""
LONGEST_PROGRESS = 4000


class Lease:
    """A claimed task. Heartbeats are sent until it is completed, failed, released or lost; each carries the last progress."""

    def __init__(self, http: Http, claimed: WorkTaskClaimAnswer, task: Task, left: Callable[[], None]) -> None:
        if task.fencing_token is None:
            raise SignalboxError("INTERNAL", "The claim answered without a fencing token.")
        self.task = task
        self.fencing_token = int(task.fencing_token)
        self.resumed = claimed.already_held is True
        """The worker held this task before the claim, e.g. before its program was restarted."""
        self.lost: SignalboxError | None = None
        """Why the task is no longer this worker's: an error with the code ``LEASE_LOST``."""
        self._http = http
        self._left = left
        self._state: Literal["held", "ending", "ended", "lost"] = "held"
        self._progress: str | None = None
        self._beats: asyncio.Task[None] | None = None
        self._body: asyncio.Task[Any] | None = None
        self._cancelled_body = False
        # Why there are no more heartbeats, while the call that ends the lease has no answer.
        self._unanswered: SignalboxError | TimeoutError | None = None
        self._cancelling = 0
        self._until = 0.0

    @property
    def held(self) -> bool:
        return self._state in ("held", "ending")

    def progress(self, text: str) -> None:
        """Says how far the work is; whoever takes over reads it. Sent with the next heartbeat. At most 4000 characters."""
        if len(text) > LONGEST_PROGRESS:
            raise SignalboxError(
                "VALIDATION_ERROR", f"Progress has at most {LONGEST_PROGRESS} characters.", hint="Put long output into an artifact."
            )
        self._progress = text

    async def complete(self, result: str | None = None) -> WorkTaskCompleteAnswer:
        """:raises SignalboxError: ``LEASE_LOST`` when the task is no longer this worker's"""
        data = await self._end("work.task.complete", {} if result is None else {"result": result})
        return WorkTaskCompleteAnswer.model_validate(data)

    async def fail(self, reason: str, *, retry: bool = False) -> WorkTaskFailAnswer:
        """Says that the task cannot be done; with ``retry``, another attempt may succeed.

        :raises SignalboxError: ``LEASE_LOST`` when the task is no longer this worker's
        """
        return WorkTaskFailAnswer.model_validate(await self._end("work.task.fail", {"reason": reason, "retry": retry}))

    async def release(self) -> WorkTaskReleaseAnswer:
        """Gives the task back unfinished.

        :raises SignalboxError: ``LEASE_LOST`` when the task is no longer this worker's
        """
        return WorkTaskReleaseAnswer.model_validate(await self._end("work.task.release", {}))

    async def _open(self, since: float) -> None:
        now = asyncio.get_running_loop().time
        # After retries, or when the task was held before, nobody knows when the lease began.
        late = now() - since > self._seconds / 3
        self._until = (now() if late else since) + self._seconds
        if late or self.resumed:
            try:
                await self._extend()
            except (SignalboxError, TimeoutError) as error:
                self._lose(error)
                raise self._loss() from error
            except BaseException:
                self._leave("ended")
                raise
        self._beats = asyncio.create_task(self._beat())

    def _enter(self) -> None:
        self._body = asyncio.current_task()
        self._cancelling = self._body.cancelling() if self._body is not None else 0
        if self._state == "lost":
            raise self._loss()

    async def _exit(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        body, self._body = self._body, None
        if self._state == "held":
            with suppress(SignalboxError, TimeoutError):
                async with asyncio.timeout(RELEASE_FOR):
                    await self._end("work.task.release", {}, RELEASE_FOR)
        self._leave("ended")
        if not self._cancelled_body or body is None:
            return
        if kind is not asyncio.CancelledError:
            # The body may have ended before its cancellation arrived.
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0)
        # As in asyncio.timeout: only the cancellation that the loss caused is swallowed.
        if body.uncancel() > self._cancelling:
            raise asyncio.CancelledError
        if kind is None or kind is asyncio.CancelledError:
            raise self._loss() from None

    @property
    def _seconds(self) -> float:
        return float(self.task.lease_seconds)

    @property
    def _shown(self) -> dict[str, Any]:
        return {"task_id": self.task.id, "fencing_token": self.fencing_token}

    def _loss(self) -> SignalboxError:
        return self.lost or SignalboxError("LEASE_LOST", f"The lease of {self.task.id} is lost.")

    async def _end(self, tool: str, more: dict[str, Any], retry_for: float | None = None) -> Any:
        if self._state == "lost":
            raise self._loss()
        if self._state != "held":
            raise SignalboxError("CONFLICT", "This lease has ended.", hint="Claim the next task.")
        # Heartbeats go on: the answer may take several attempts.
        self._state = "ending"
        try:
            envelope = await self._http.call(tool, {**self._shown, **more}, str(uuid.uuid4()), retry_for)
            self._leave("ended")
            return envelope.data
        except SignalboxError as error:
            if self._state == "ending":
                self._state = "held"
            if _refuses(error):
                self._lose(error)
            elif self._unanswered is not None:
                self._lose(self._unanswered)
            if self.lost is not None:
                raise self.lost from error
            raise
        finally:
            if self._state == "ending":
                self._state = "held"

    async def _beat(self) -> None:
        """Heartbeats at a third of the lease, so that two may fail."""
        try:
            while True:
                await asyncio.sleep(self._seconds / 3)
                await self._extend()
        except (SignalboxError, TimeoutError) as error:
            # The call that ends the lease may have come first.
            if self._state == "ending":
                self._unanswered = error
            else:
                self._lose(error)

    async def _extend(self) -> None:
        """:raises: when the lease was refused, or nobody answered before its end"""
        now = asyncio.get_running_loop().time
        async with asyncio.timeout_at(self._until):
            while True:
                began = now()
                arguments = {**self._shown, **({} if self._progress is None else {"progress": self._progress})}
                pause = min(1.0, self._seconds / 10)
                try:
                    async with asyncio.timeout(self._seconds / 3):
                        # A repeated heartbeat does nothing more than the first. Each attempt is counted from its own start.
                        await self._http.call("work.task.heartbeat", arguments, None, 0)
                    self._until = began + self._seconds
                    return
                except SignalboxError as error:
                    if _refuses(error):
                        raise
                    pause = max(pause, error.retry_after_seconds or 0)
                except TimeoutError:
                    pass
                await asyncio.sleep(pause)

    def _lose(self, error: BaseException) -> None:
        if not self.held:
            return
        why = error.message if isinstance(error, SignalboxError) else "No heartbeat was answered before the lease ended."
        self.lost = SignalboxError(
            "LEASE_LOST",
            f"The lease of {self.task.id} is lost: {why}",
            hint="Stop working on this task: another worker may have it. Claim the next one.",
        )
        self._leave("lost")
        # Called by the body itself, it gets the error instead.
        if self._body is not None and self._body is not asyncio.current_task():
            self._cancelled_body = self._body.cancel()

    def _leave(self, state: Literal["ended", "lost"]) -> None:
        if not self.held:
            return
        self._state = state
        if self._beats is not None and self._beats is not asyncio.current_task():
            self._beats.cancel()
        self._left()


def _refuses(error: SignalboxError) -> bool:
    """The server says that the task is not this worker's. Its other errors leave the lease as it is."""
    return error.retry_after_seconds is None and error.code in ("CONFLICT", "NOT_FOUND", "GONE", "UNAUTHORIZED")
