# Written by `npm run gen`. Do not edit.
"""Tools of the domain claim."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from .._models import Answer, Call, Open, Part
from .shapes import ClaimDetail


class ClaimEvidenceLinkAnswer(Answer):
    claim: ClaimDetail


class ClaimEvidenceLinkEvidenceRef2(Part):
    type: Literal["artifact", "pointer", "run", "job", "workflow", "approval", "entity", "task", "document", "source", "signal", "opportunity", "draft", "manifest", "claim", "schema", "agent", "feed", "brief", "notification", "subscription", "schedule", "server", "policy", "key", "external_tool"]
    id: str
    sha256: str | None = None
    url: str | None = None


class ClaimEvidenceLinkEvidence(Part):
    ref: str | ClaimEvidenceLinkEvidenceRef2
    """What speaks: a passage (document#ordinal), an entity, an artifact, a run, a URL; or one of the refs of an answer, as it is"""
    stance: Literal["supports", "refutes", "context"]
    note: str | None = None


class ClaimEvidenceLink(Call[ClaimEvidenceLinkAnswer]):
    """Adds what supports or refutes an undecided claim, or gives it context: passages, entities, artifacts, runs, URLs. The same again adds nothing."""

    tool: ClassVar[str] = "claim.evidence.link"

    claim_id: str
    """Id of a claim"""
    evidence: list[ClaimEvidenceLinkEvidence]


class ClaimRecordCreateAnswer(Answer):
    claim_id: str
    status: Annotated[Literal["open", "accepted", "rejected", "needs_more_evidence"], Open]


class ClaimRecordCreate(Call[ClaimRecordCreateAnswer]):
    """Puts down a statement that is to be proved or refuted. claim.evidence.link adds what speaks for or against it, claim.record.decide rules on it."""

    tool: ClassVar[str] = "claim.record.create"

    statement: str
    subject_ref: str | None = None
    """What it is about: an entity, a document, a URL"""
    confidence: int | float | None = None
    """Yours, 0 to 1"""


class ClaimRecordDecideAnswer(Answer):
    claim: ClaimDetail


class ClaimRecordDecide(Call[ClaimRecordDecideAnswer]):
    """Accepts or rejects a claim, for good, or asks for more evidence. Every ruling is kept with its reasons. Agents need a person to approve it."""

    tool: ClassVar[str] = "claim.record.decide"

    claim_id: str
    """Id of a claim"""
    decision: Literal["accepted", "rejected", "needs_more_evidence"]
    rationale: str
    """Why, in view of the evidence"""


class ClaimRecordGetAnswer(Answer):
    claim: ClaimDetail


class ClaimRecordGet(Call[ClaimRecordGetAnswer]):
    """A claim with all its evidence, for and against, and every ruling on it, oldest first."""

    tool: ClassVar[str] = "claim.record.get"

    claim_id: str
    """Id of a claim"""


class ClaimRecordListAnswerClaimsEvidenceCounts(Answer):
    supports: int | float
    refutes: int | float
    context: int | float


class ClaimRecordListAnswerClaims(Answer):
    claim_id: str
    statement: str
    subject_ref: str | None
    confidence: int | float | None
    status: Annotated[Literal["open", "accepted", "rejected", "needs_more_evidence"], Open]
    rationale: str | None
    decided_by: str | None
    decided_at: str | None
    evidence_counts: ClaimRecordListAnswerClaimsEvidenceCounts
    created_by: str
    created_at: str


class ClaimRecordListAnswer(Answer):
    claims: list[ClaimRecordListAnswerClaims]


class ClaimRecordList(Call[ClaimRecordListAnswer]):
    """The claims of your tenant, newest first, with how much speaks for and against each; by status or by what they are about."""

    tool: ClassVar[str] = "claim.record.list"

    status: Literal["open", "accepted", "rejected", "needs_more_evidence"] | None = None
    subject_ref: str | None = None
    """Only claims about exactly this"""
    limit: int | None = None
    cursor: str | None = None
    """next_cursor of the page before"""
