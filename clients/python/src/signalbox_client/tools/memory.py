# Written by `npm run gen`. Do not edit.
"""Tools of the domain memory."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from .._models import Answer, Call, Open


class MemoryRecordDeleteAnswer(Answer):
    memory_id: str
    status: Annotated[Literal["deleted"], Open]


class MemoryRecordDelete(Call[MemoryRecordDeleteAnswer]):
    """Deletes a saved memory for good."""

    tool: ClassVar[str] = "memory.record.delete"

    memory_id: str


class MemoryRecordListAnswerMemories(Answer):
    memory_id: str
    content: str
    category: str
    tags: list[str]
    metadata: dict[str, Any]
    created_by: str
    created_at: str


class MemoryRecordListAnswer(Answer):
    memories: list[MemoryRecordListAnswerMemories]


class MemoryRecordList(Call[MemoryRecordListAnswer]):
    """What has been saved, newest first; all of it or one category. memory.record.search finds by content."""

    tool: ClassVar[str] = "memory.record.list"

    category: str | None = None
    tags: list[str] | None = None
    """Memories that carry all of these"""
    limit: int | None = None
    cursor: str | None = None


class MemoryRecordSaveAnswer(Answer):
    memory_id: str
    status: Annotated[Literal["saved", "exists"], Open]


class MemoryRecordSave(Call[MemoryRecordSaveAnswer]):
    """Saves what is worth knowing later; your whole team finds it."""

    tool: ClassVar[str] = "memory.record.save"

    content: str
    category: str
    """E.g. decision, pattern, problem, convention"""
    tags: list[str] | None = None
    metadata: dict[str, Any] | None = None


class MemoryRecordSearchAnswerMemories(Answer):
    memory_id: str
    content: str
    category: str
    tags: list[str]
    metadata: dict[str, Any]
    created_by: str
    created_at: str
    score: int | float


class MemoryRecordSearchAnswer(Answer):
    memories: list[MemoryRecordSearchAnswerMemories]


class MemoryRecordSearch(Call[MemoryRecordSearchAnswer]):
    """Finds saved memories by words and meaning."""

    tool: ClassVar[str] = "memory.record.search"

    query: str
    category: str | None = None
    tags: list[str] | None = None
    limit: int | None = None
