"""Talks to a running server through the official Python client, and prints what it saw as one line of JSON."""

import asyncio
import json
import os
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as a2a

URL, KEY, BINDING, VERSION, HOOK = sys.argv[1:6]


def message(text: str, prefix: str = "python", **more: str) -> a2a.SendMessageRequest:
    return a2a.SendMessageRequest(
        message=a2a.Message(message_id=f"{prefix}-{uuid.uuid4()}", role=a2a.ROLE_USER, parts=[a2a.Part(text=text)], **more)
    )


async def collected(events) -> list:
    return [event async for event in events]


def kinds(events) -> list:
    def kind(event) -> str:
        name = event.WhichOneof("payload")
        if name == "status_update":
            return a2a.TaskState.Name(event.status_update.status.state)
        return name

    return [kind(event) for event in events]


async def main() -> None:
    async with httpx.AsyncClient(headers={"X-API-Key": KEY}, timeout=60) as http:
        card = await A2ACardResolver(http, URL).get_agent_card()
        interfaces = [i for i in card.supported_interfaces if i.protocol_binding == BINDING and i.protocol_version == VERSION]
        del card.supported_interfaces[:]
        card.supported_interfaces.extend(interfaces)

        def client(streaming: bool):
            return ClientFactory(ClientConfig(streaming=streaming, httpx_client=http, supported_protocol_bindings=[BINDING])).create(card)

        plain, streaming = client(False), client(True)
        seen: dict = {"skills": len(card.skills)}
        sent = await collected(plain.send_message(message("hello", "tck-complete-task")))
        seen["send"] = a2a.TaskState.Name(sent[-1].task.status.state)
        task_id = sent[-1].task.id
        seen["get"] = (await plain.get_task(a2a.GetTaskRequest(id=task_id))).id == task_id
        seen["stream"] = kinds(await collected(streaming.send_message(message("hello", "tck-stream-001"))))
        direct = await collected(plain.send_message(message("hello", "tck-message-response")))
        seen["message"] = direct[-1].message.parts[0].text
        if VERSION == "1.0":
            listed = await plain.list_tasks(a2a.ListTasksRequest(page_size=1))
            seen["list"] = [len(listed.tasks), listed.total_size >= 2, listed.next_page_token != ""]

        first = await anext(aiter(streaming.send_message(message("hello", "test-resubscribe-message-id"))))
        again = await collected(streaming.subscribe(a2a.SubscribeToTaskRequest(id=first.task.id)))
        seen["resubscribe"] = [kinds(again)[0], kinds(again)[-1]]

        asked = (await collected(plain.send_message(message("hello", "tck-input-required"))))[-1].task
        seen["asked"] = a2a.TaskState.Name(asked.status.state)
        config = await plain.create_task_push_notification_config(
            a2a.TaskPushNotificationConfig(task_id=asked.id, id="hook", url=HOOK, token="python-token")
        )
        seen["push"] = config.url == HOOK
        # That client lists no callbacks over HTTP+JSON 0.3.
        if (BINDING, VERSION) != ("HTTP+JSON", "0.3"):
            listing = await plain.list_task_push_notification_configs(a2a.ListTaskPushNotificationConfigsRequest(task_id=asked.id))
            seen["pushes"] = len(listing.configs)
        cancelled = await plain.cancel_task(a2a.CancelTaskRequest(id=asked.id))
        seen["cancel"] = a2a.TaskState.Name(cancelled.status.state)
        try:
            await plain.get_task(a2a.GetTaskRequest(id="nope"))
        except Exception as error:
            seen["unknown"] = type(error).__name__
        seen["extended"] = len((await plain.get_extended_agent_card(a2a.GetExtendedAgentCardRequest())).skills) > len(card.skills)
        print(json.dumps(seen))


os.environ.setdefault("NO_PROXY", "*")
asyncio.run(main())
