"""An agent of the OpenAI Agents SDK works off one task: pip install signalbox-client openai-agents==0.24.0"""

import asyncio
import os

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

from board import Board


async def main() -> None:
    set_tracing_disabled(True)
    async with Board(phase_id=int(os.environ.get("PHASE", "2"))) as board:
        agent = Agent(
            name="builder",
            instructions="Claim a task, do what it says, and complete it with its result.",
            # The address and key of the model: OPENAI_BASE_URL, OPENAI_API_KEY.
            model=OpenAIChatCompletionsModel(os.environ["MODEL"], AsyncOpenAI()),
            tools=[function_tool(function) for function in board.functions],
        )
        result = await Runner.run(agent, "Work off one task.")
        print(result.final_output)


asyncio.run(main())
