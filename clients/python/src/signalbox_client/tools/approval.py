# Written by `npm run gen`. Do not edit.
"""Tools of the domain approval."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call
from .shapes import Approval


class ApprovalRequestApproveAnswer(Answer):
    approval: Approval


class ApprovalRequestApprove(Call[ApprovalRequestApproveAnswer]):
    """Approves a waiting call: it runs once, with exactly the arguments of the request. For people with the role operator, pm, pm_leader or admin."""

    tool: ClassVar[str] = "approval.request.approve"

    approval_id: str
    """Of approval.request.list, or of the answer that said pending_approval"""
    note: str | None = None
    """Why; the caller reads it"""
    input_hash: str | None = None
    """Hash of the arguments that you reviewed; refused if the call has others"""
    wait_seconds: int | None = None
    """How long to wait for its answer"""


class ApprovalRequestCancelAnswer(Answer):
    approval: Approval


class ApprovalRequestCancel(Call[ApprovalRequestCancelAnswer]):
    """Nobody wants it any longer: it never runs. For whoever asked, and for those who may decide."""

    tool: ClassVar[str] = "approval.request.cancel"

    approval_id: str
    """Of approval.request.list, or of the answer that said pending_approval"""


class ApprovalRequestGetAnswer(Answer):
    approval: Approval


class ApprovalRequestGet(Call[ApprovalRequestGetAnswer]):
    """How a call that had to wait stands, and its answer once it has run: whole for whoever asked, without secrets for those who decide. wait_seconds waits for its end."""

    tool: ClassVar[str] = "approval.request.get"

    approval_id: str
    """Of approval.request.list, or of the answer that said pending_approval"""
    wait_seconds: int | None = None


class ApprovalRequestListAnswer(Answer):
    approvals: list[Approval]


class ApprovalRequestList(Call[ApprovalRequestListAnswer]):
    """Calls that were asked about, newest first: who wants what, with which arguments (secrets removed), and why a person is asked. Those who may decide see all, others their own."""

    tool: ClassVar[str] = "approval.request.list"

    status: Literal["pending", "approved", "rejected", "expired", "cancelled", "started", "completed", "failed", "ambiguous", "all"] | None = None
    tool_: str | None = Field(default=None, alias="tool")
    input_hash: str | None = None
    """Calls with equal arguments"""
    mine: bool | None = None
    """Only your own requests"""
    limit: int | None = None
    cursor: str | None = None


class ApprovalRequestRejectAnswer(Answer):
    approval: Approval


class ApprovalRequestReject(Call[ApprovalRequestRejectAnswer]):
    """Rejects a waiting call: it never runs. For people with the role operator, pm, pm_leader or admin."""

    tool: ClassVar[str] = "approval.request.reject"

    approval_id: str
    """Of approval.request.list, or of the answer that said pending_approval"""
    note: str | None = None
    """Why; the caller reads it"""


class ApprovalRequestResolveAnswer(Answer):
    approval: Approval


class ApprovalRequestResolve(Call[ApprovalRequestResolveAnswer]):
    """For an approved call whose outcome is unknown (ambiguous): a person who has looked says whether it took effect. It is not run again."""

    tool: ClassVar[str] = "approval.request.resolve"

    approval_id: str
    """Of approval.request.list, or of the answer that said pending_approval"""
    outcome: Literal["completed", "failed"]
    note: str
    """How you know"""
