"""The board of a Signalbox as functions that an agent of any framework can call."""

import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from signalbox_client import Lease, Signalbox, SignalboxError
from signalbox_client.tools.work import WorkTaskComment


class Board:
    """One worker and its task. Its lease is kept while the agent works. A task that the agent leaves unfinished is given back."""

    def __init__(self, phase_id: int) -> None:
        self._client = Signalbox(
            os.environ["SIGNALBOX_URL"], os.environ["SIGNALBOX_API_KEY"], agent_id=os.environ.get("SIGNALBOX_AGENT_ID")
        )
        self._phase_id = phase_id
        self._left = AsyncExitStack()
        self._lease: Lease | None = None

    async def __aenter__(self) -> "Board":
        await self._left.enter_async_context(self._client)
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._left.aclose()

    @property
    def functions(self) -> list[Callable[..., Any]]:
        return [self.claim_task, self.comment_task, self.complete_task, self.fail_task]

    async def claim_task(self) -> str:
        """Takes the next ready task. Work on it, then complete it or say why it failed."""
        try:
            self._lease = await self._left.enter_async_context(self._client.claim(self._phase_id))
        except SignalboxError as error:
            return f"Not done: {error}"
        return self._lease.task.model_dump_json(include={"id", "description", "tags", "progress"}) if self._lease else "No task is ready."

    async def comment_task(self, text: str) -> str:
        """Notes something about your task that others should know."""

        async def comment(lease: Lease) -> None:
            await self._client.call(WorkTaskComment(task_id=lease.task.id, body=text))

        return await self._do(comment)

    async def complete_task(self, result: str) -> str:
        """Says that your task is done, and what was achieved."""
        return await self._do(lambda lease: lease.complete(result))

    async def fail_task(self, reason: str) -> str:
        """Says that your task cannot be done, and why."""
        return await self._do(lambda lease: lease.fail(reason))

    async def _do(self, work: Callable[[Lease], Any]) -> str:
        """Models read errors as answers: they can act on the hint."""
        if self._lease is None:
            return "Not done: claim a task first."
        try:
            await work(self._lease)
            return "Done."
        except SignalboxError as error:
            return f"Not done: {error}"
