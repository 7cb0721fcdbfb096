"""An agent of Pydantic AI works off one task: pip install signalbox-client "pydantic-ai-slim[openai]==2.68.0" """

import asyncio
import os

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel

from board import Board


async def main() -> None:
    async with Board(phase_id=int(os.environ.get("PHASE", "2"))) as board:
        agent = Agent(
            # The address and key of the model: OPENAI_BASE_URL, OPENAI_API_KEY.
            OpenAIChatModel(os.environ["MODEL"]),
            instructions="Claim a task, do what it says, and complete it with its result.",
            tools=board.functions,
        )
        result = await agent.run("Work off one task.")
        print(result.output)


asyncio.run(main())
