"""An agent of CrewAI works off one task: pip install signalbox-client crewai==1.15.30"""

import asyncio
import functools
import os
from collections.abc import Callable
from typing import Any

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool

from board import Board


async def main() -> None:
    loop = asyncio.get_running_loop()

    def called_from_a_thread(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            return asyncio.run_coroutine_threadsafe(function(*args, **given), loop).result()

        return call

    async with Board(phase_id=int(os.environ.get("PHASE", "2"))) as board:
        agent = Agent(
            role="Builder",
            goal="Claim a task, do what it says, and complete it with its result.",
            backstory="You work off the tasks of a board.",
            # The address and key of the model: OPENAI_BASE_URL, OPENAI_API_KEY.
            llm=LLM(f"openai/{os.environ['MODEL']}"),
            tools=[tool(called_from_a_thread(function)) for function in board.functions],
        )
        task = Task(description="Work off one task.", expected_output="What was achieved.", agent=agent)
        # A crew works in threads. This one is free for the heartbeats.
        print(await asyncio.to_thread(Crew(agents=[agent], tasks=[task]).kickoff))


asyncio.run(main())
