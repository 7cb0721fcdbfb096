"""Scenarios for the Python client: python scenarios.py NAME. Prints JSON lines; test/clients/python.test.ts does the steps."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import Any

from signalbox_client import Signalbox, SignalboxError
from signalbox_client.tools.work import WorkPhaseList, WorkTaskCreate, WorkTaskGet, WorkTaskList

URL = os.environ["SIGNALBOX_URL"]
KEY = os.environ["SIGNALBOX_API_KEY"]


async def step(name: str, **said: Any) -> Any:
    print(json.dumps({"step": name, **said}), flush=True)
    return json.loads(await asyncio.to_thread(sys.stdin.readline))


async def failure(work: Any) -> dict[str, Any]:
    try:
        await work
    except SignalboxError as error:
        return {
            "code": error.code,
            "message": error.message,
            "hint": error.hint,
            "retryable": error.retryable,
            "retry_after_seconds": error.retry_after_seconds,
            "details": error.details,
            "tool_call_id": error.tool_call_id,
        }
    raise AssertionError("no failure")


async def calls() -> Any:
    async with Signalbox(URL, KEY) as client, Signalbox(URL, KEY, agent_id="") as own:
        made = await client.call(WorkTaskCreate(description="One", phase_id=1, tags=["a"]))
        await step("four more")
        pages = [len(page.tasks) async for page in client.pages(WorkTaskList(limit=2))]
        by_name = await client.call("work-task-get", {"task_id": made.task.id})
        envelope = await client.envelope("work.task.list", {"limit": 2})
        other = await own.call(WorkTaskCreate(description="Two", phase_id=1))
        return {
            "agent_id": client.agent_id,
            "made": made.model_dump(mode="json"),
            "pages": pages,
            "by_name": by_name,
            "envelope": [envelope.status, len(envelope.data["tasks"]), envelope.metadata.result_count],
            "other": other.task.created_by,
        }


async def refused() -> Any:
    async with Signalbox(URL, "wrong") as bad, Signalbox(URL, KEY) as client:
        wrong = await failure(bad.call(WorkPhaseList()))
        missing = await failure(client.call(WorkTaskGet(task_id="task_none")))
        gated = await failure(client.call("graph.store.clear"))
        try:
            Signalbox("localhost:8080", KEY)
        except ValueError as error:
            return {"wrong": wrong, "missing": missing, "gated": gated, "address": str(error)}


async def lost_answer() -> Any:
    async with Signalbox(URL, KEY) as client:
        made = await client.call(WorkTaskCreate(description="Once", phase_id=1))
        return {"id": made.task.id}


async def limited() -> Any:
    async with Signalbox(URL, KEY) as client:
        started = time.monotonic()
        phases = (await client.call(WorkPhaseList())).phases
        waited = time.monotonic() - started
        await step("for an hour")
        hour = await failure(client.call(WorkPhaseList()))
        await step("something else")
        return {"phases": len(phases), "waited": waited, "hour": hour, "else": await failure(client.call(WorkPhaseList()))}


async def away() -> Any:
    async with Signalbox(URL, KEY) as client, Signalbox(URL, KEY, retry_for=0.3) as impatient:
        await step("stop the api")
        creating = asyncio.create_task(client.call(WorkTaskCreate(description="Later", phase_id=1)))
        refused = await failure(impatient.call(WorkPhaseList()))
        await step("start the api")
        return {"refused": refused, "made": (await creating).task.description}


async def kept() -> Any:
    async with Signalbox(URL, KEY) as client:
        async with client.claim(phase_id=1, lease_seconds=8) as lease:
            assert lease is not None
            second = await failure(client.claim(phase_id=1).__aenter__())
            lease.progress("half")
            await step("outlive the lease", until=lease.task.lease_expires_at, id=lease.task.id)
            held = lease.held
            done = await lease.complete("done")
            ended = await failure(lease.complete())
        async with client.claim(phase_id=1) as nothing:
            return {
                "second": second,
                "held": held,
                "done": done.model_dump(mode="json"),
                "after": [lease.held, ended["code"], nothing is None],
            }


async def left() -> Any:
    async with Signalbox(URL, KEY) as client:
        raised = None
        try:
            async with client.claim(phase_id=1) as lease:
                assert lease is not None
                raise RuntimeError(f"broke in {lease.task.id}")
        except RuntimeError as error:
            raised = str(error)
        first = await step("look")

        entered = asyncio.Event()

        async def work() -> None:
            async with client.claim(phase_id=1) as lease:
                assert lease is not None
                entered.set()
                await asyncio.sleep(3600)

        working = asyncio.create_task(work())
        await entered.wait()
        working.cancel()
        cancelled = (await asyncio.gather(working, return_exceptions=True))[0]
        second = await step("look")
        async with client.claim(task_id=second["id"]) as again:
            assert again is not None
            failed = await again.fail("no access")
        return {
            "raised": raised,
            "cancelled": type(cancelled).__name__,
            "seen": [first["status"], second["status"]],
            "failed": failed.task.failure,
        }


async def resumed() -> Any:
    async with Signalbox(URL, KEY, agent_id="builder-1") as first, Signalbox(URL, KEY, agent_id="builder-1") as second:
        before = await first.claim(phase_id=1, lease_seconds=60).__aenter__()
        async with second.claim(phase_id=1) as lease:
            assert before is not None and lease is not None
            await lease.complete()
            return [before.resumed, lease.resumed, before.task.id == lease.task.id]


async def lost_lease(name: str) -> Any:
    """The body is cancelled where it waits, and the loss is raised in place of the cancellation."""
    async with Signalbox(URL, KEY) as client:
        seen: list[str] = []

        async def work() -> None:
            async with client.claim(phase_id=1, lease_seconds=3) as lease:
                assert lease is not None
                await step(name, id=lease.task.id)
                try:
                    await asyncio.sleep(3600)
                except asyncio.CancelledError:
                    seen.append("cancelled")
                    raise
                finally:
                    seen.append((await failure(lease.complete()))["code"])

        lost = await failure(work())
        task = asyncio.current_task()
        assert task is not None
        # A cancellation that was left over would end this.
        await asyncio.sleep(0)
        await step("it is over")
        async with asyncio.timeout(20):
            while True:
                async with Signalbox(URL, KEY) as other, other.claim(phase_id=1) as lease:
                    if lease is not None:
                        done = await lease.complete()
                        return {"lost": lost, "seen": seen, "left": task.cancelling(), "then": done.task.status}
                await asyncio.sleep(0.05)


async def unaware() -> Any:
    """A body that ends by itself after the loss gets the error, and no cancellation later."""
    async with Signalbox(URL, KEY) as client:

        async def work() -> None:
            async with client.claim(phase_id=1, lease_seconds=3) as lease:
                assert lease is not None
                await step("take it away", id=lease.task.id)
                while lease.lost is None:
                    try:
                        await asyncio.sleep(0.05)
                    except asyncio.CancelledError:
                        pass

        lost = await failure(work())
        await asyncio.sleep(0)
        return {"lost": lost["code"]}


async def many() -> Any:
    worked: list[str] = []

    async def work() -> None:
        async with Signalbox(URL, KEY) as client:
            while True:
                async with client.claim(phase_id=1) as lease:
                    if lease is None:
                        return
                    worked.append(lease.task.id)
                    await lease.complete(client.agent_id)

    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(work())
    return sorted(worked)


async def events() -> Any:
    async with Signalbox(URL, KEY) as client:
        heard: list[Any] = []
        two = asyncio.Event()

        async def listen() -> None:
            async for event in client.events(["work.task_changed"]):
                heard.append(event)
                if len(heard) == 2:
                    two.set()

        listening = asyncio.create_task(listen())
        await step("two with a break")
        await two.wait()
        listening.cancel()
        async for event in client.events(["work.task_changed"], after=heard[0].id):
            return {"heard": [event.subject for event in heard], "missed": event.subject}


SCENARIOS = {
    scenario.__name__: scenario for scenario in (calls, refused, lost_answer, limited, away, kept, left, resumed, unaware, many, events)
}

if __name__ == "__main__":
    wanted = sys.argv[1]
    print(json.dumps(asyncio.run(lost_lease(sys.argv[2]) if wanted == "lost_lease" else SCENARIOS[wanted]())))
