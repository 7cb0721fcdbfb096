# Written by `npm run gen`. Do not edit.
"""Tools of the domain provenance."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from .._models import Answer, Call, Open
from .shapes import EntityRef, GraphEvidence


class ProvenanceChainTraceAnswerSubject(Answer):
    kind: Annotated[Literal["claim", "entity", "opportunity"], Open]
    claim: str | None = None
    title: str | None = None
    entities: list[EntityRef]


class ProvenanceChainTraceAnswerChecks(Answer):
    text: str
    what: str
    said: int | float
    counted: int | float


class ProvenanceChainTraceAnswer(Answer):
    subject: ProvenanceChainTraceAnswerSubject
    chain: list[GraphEvidence]
    checks: list[ProvenanceChainTraceAnswerChecks]


class ProvenanceChainTrace(Call[ProvenanceChainTraceAnswer]):
    """From a claim, an entity or an opportunity back to the passages and facts that support it, each with citation, excerpt, date and weight. Numbers in a claim are counted. An empty chain means that nothing ingested supports it."""

    tool: ClassVar[str] = "provenance.chain.trace"

    claim: str | None = None
    """A sentence, e.g. "47 customers affected by the auth issue" """
    entity_id: str | None = None
    """Instead: an entity"""
    opportunity_id: str | None = None
    """Instead: an opportunity"""
    limit: int | None = None
