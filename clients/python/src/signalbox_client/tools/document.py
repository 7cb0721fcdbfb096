# Written by `npm run gen`. Do not edit.
"""Tools of the domain document."""

from __future__ import annotations

from typing import Any, ClassVar

from .._models import Answer, Call
from .shapes import Place


class DocumentContentClassifyAnswerAlternatives(Answer):
    label: str
    confidence: int | float


class DocumentContentClassifyAnswer(Answer):
    label: str
    confidence: int | float
    alternatives: list[DocumentContentClassifyAnswerAlternatives]


class DocumentContentClassify(Call[DocumentContentClassifyAnswer]):
    """Says which of several labels a parsed or ingested document fits best, by meaning, with how sure that is."""

    tool: ClassVar[str] = "document.content.classify"

    document_id: str
    labels: list[str] | None = None
    """Labels to choose from; default: usual kinds of business documents"""


class DocumentContentParseAnswerSections(Answer):
    title: str
    level: int | float
    place: Place
    characters: int | float


class DocumentContentParseAnswer(Answer):
    job_id: str
    status: str
    document_id: str | None = None
    title: str | None = None
    format: str | None = None
    page_count: int | float | None = None
    table_count: int | float | None = None
    sections: list[DocumentContentParseAnswerSections] | None = None
    text_ref: str | None = None
    metadata: dict[str, Any] | None = None


class DocumentContentParse(Call[DocumentContentParseAnswer]):
    """Reads a file, artifact or web address into title, sections, tables and text without indexing it. The answer names the document for document.table.extract and document.content.classify."""

    tool: ClassVar[str] = "document.content.parse"

    artifact_sha256: str | None = None
    file_path: str | None = None
    """A file on Signalbox's machine, inside INGEST_ROOTS"""
    url: str | None = None


class DocumentTableExtractAnswerTables(Answer):
    title: str | None
    header_rows: int | float
    rows: list[list[str]]
    place: Place


class DocumentTableExtractAnswer(Answer):
    tables: list[DocumentTableExtractAnswerTables]


class DocumentTableExtract(Call[DocumentTableExtractAnswer]):
    """The tables of a document that was parsed or ingested, cell by cell, with the page, slide or sheet each stands on."""

    tool: ClassVar[str] = "document.table.extract"

    document_id: str
    pages: list[int] | None = None
    """Pages or slides, from 1; default: all"""
