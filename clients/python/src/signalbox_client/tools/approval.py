# Written by `npm run gen`. Do not edit.
"""Tools of the domain approval."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open


class ApprovalRequestApproveAnswerApproval(Answer):
    approval_id: str
    status: Annotated[Literal["pending", "approved", "rejected", "expired", "cancelled", "started", "completed", "failed", "ambiguous"], Open]
    tool_: str = Field(alias="tool")
    called_as: str
    requested_by: str
    requester_kind: str
    requested_by_me: bool
    four_eyes: bool
    """The requester may not decide"""
    you_may_decide: bool
    """It waits, and this caller may approve or reject it"""
    reason: str
    """Why it asks"""
    arguments: Any
    """What the call is about, without secrets"""
    input_hash: str
    tool_call_id: str
    """The call that asked"""
    key_id: str
    policy: str
    policy_version: str
    requested_at: str
    expires_at: str
    decided_by: str | None
    decided_at: str | None
    note: str | None
    finished_at: str | None
    answer: Any
    """The call's own answer, once it has run"""


class ApprovalRequestApproveAnswer(Answer):
    approval: ApprovalRequestApproveAnswerApproval


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


class ApprovalRequestCancelAnswerApproval(Answer):
    approval_id: str
    status: Annotated[Literal["pending", "approved", "rejected", "expired", "cancelled", "started", "completed", "failed", "ambiguous"], Open]
    tool_: str = Field(alias="tool")
    called_as: str
    requested_by: str
    requester_kind: str
    requested_by_me: bool
    four_eyes: bool
    """The requester may not decide"""
    you_may_decide: bool
    """It waits, and this caller may approve or reject it"""
    reason: str
    """Why it asks"""
    arguments: Any
    """What the call is about, without secrets"""
    input_hash: str
    tool_call_id: str
    """The call that asked"""
    key_id: str
    policy: str
    policy_version: str
    requested_at: str
    expires_at: str
    decided_by: str | None
    decided_at: str | None
    note: str | None
    finished_at: str | None
    answer: Any
    """The call's own answer, once it has run"""


class ApprovalRequestCancelAnswer(Answer):
    approval: ApprovalRequestCancelAnswerApproval


class ApprovalRequestCancel(Call[ApprovalRequestCancelAnswer]):
    """Nobody wants it any longer: it never runs. For whoever asked, and for those who may decide."""

    tool: ClassVar[str] = "approval.request.cancel"

    approval_id: str
    """Of approval.request.list, or of the answer that said pending_approval"""


class ApprovalRequestGetAnswerApproval(Answer):
    approval_id: str
    status: Annotated[Literal["pending", "approved", "rejected", "expired", "cancelled", "started", "completed", "failed", "ambiguous"], Open]
    tool_: str = Field(alias="tool")
    called_as: str
    requested_by: str
    requester_kind: str
    requested_by_me: bool
    four_eyes: bool
    """The requester may not decide"""
    you_may_decide: bool
    """It waits, and this caller may approve or reject it"""
    reason: str
    """Why it asks"""
    arguments: Any
    """What the call is about, without secrets"""
    input_hash: str
    tool_call_id: str
    """The call that asked"""
    key_id: str
    policy: str
    policy_version: str
    requested_at: str
    expires_at: str
    decided_by: str | None
    decided_at: str | None
    note: str | None
    finished_at: str | None
    answer: Any
    """The call's own answer, once it has run"""


class ApprovalRequestGetAnswer(Answer):
    approval: ApprovalRequestGetAnswerApproval


class ApprovalRequestGet(Call[ApprovalRequestGetAnswer]):
    """How a call that had to wait stands, and its answer once it has run: whole for whoever asked, without secrets for those who decide. wait_seconds waits for its end."""

    tool: ClassVar[str] = "approval.request.get"

    approval_id: str
    """Of approval.request.list, or of the answer that said pending_approval"""
    wait_seconds: int | None = None


class ApprovalRequestListAnswerApprovals(Answer):
    approval_id: str
    status: Annotated[Literal["pending", "approved", "rejected", "expired", "cancelled", "started", "completed", "failed", "ambiguous"], Open]
    tool_: str = Field(alias="tool")
    called_as: str
    requested_by: str
    requester_kind: str
    requested_by_me: bool
    four_eyes: bool
    """The requester may not decide"""
    you_may_decide: bool
    """It waits, and this caller may approve or reject it"""
    reason: str
    """Why it asks"""
    arguments: Any
    """What the call is about, without secrets"""
    input_hash: str
    tool_call_id: str
    """The call that asked"""
    key_id: str
    policy: str
    policy_version: str
    requested_at: str
    expires_at: str
    decided_by: str | None
    decided_at: str | None
    note: str | None
    finished_at: str | None
    answer: Any
    """The call's own answer, once it has run"""


class ApprovalRequestListAnswer(Answer):
    approvals: list[ApprovalRequestListAnswerApprovals]


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


class ApprovalRequestRejectAnswerApproval(Answer):
    approval_id: str
    status: Annotated[Literal["pending", "approved", "rejected", "expired", "cancelled", "started", "completed", "failed", "ambiguous"], Open]
    tool_: str = Field(alias="tool")
    called_as: str
    requested_by: str
    requester_kind: str
    requested_by_me: bool
    four_eyes: bool
    """The requester may not decide"""
    you_may_decide: bool
    """It waits, and this caller may approve or reject it"""
    reason: str
    """Why it asks"""
    arguments: Any
    """What the call is about, without secrets"""
    input_hash: str
    tool_call_id: str
    """The call that asked"""
    key_id: str
    policy: str
    policy_version: str
    requested_at: str
    expires_at: str
    decided_by: str | None
    decided_at: str | None
    note: str | None
    finished_at: str | None
    answer: Any
    """The call's own answer, once it has run"""


class ApprovalRequestRejectAnswer(Answer):
    approval: ApprovalRequestRejectAnswerApproval


class ApprovalRequestReject(Call[ApprovalRequestRejectAnswer]):
    """Rejects a waiting call: it never runs. For people with the role operator, pm, pm_leader or admin."""

    tool: ClassVar[str] = "approval.request.reject"

    approval_id: str
    """Of approval.request.list, or of the answer that said pending_approval"""
    note: str | None = None
    """Why; the caller reads it"""


class ApprovalRequestResolveAnswerApproval(Answer):
    approval_id: str
    status: Annotated[Literal["pending", "approved", "rejected", "expired", "cancelled", "started", "completed", "failed", "ambiguous"], Open]
    tool_: str = Field(alias="tool")
    called_as: str
    requested_by: str
    requester_kind: str
    requested_by_me: bool
    four_eyes: bool
    """The requester may not decide"""
    you_may_decide: bool
    """It waits, and this caller may approve or reject it"""
    reason: str
    """Why it asks"""
    arguments: Any
    """What the call is about, without secrets"""
    input_hash: str
    tool_call_id: str
    """The call that asked"""
    key_id: str
    policy: str
    policy_version: str
    requested_at: str
    expires_at: str
    decided_by: str | None
    decided_at: str | None
    note: str | None
    finished_at: str | None
    answer: Any
    """The call's own answer, once it has run"""


class ApprovalRequestResolveAnswer(Answer):
    approval: ApprovalRequestResolveAnswerApproval


class ApprovalRequestResolve(Call[ApprovalRequestResolveAnswer]):
    """For an approved call whose outcome is unknown (ambiguous): a person who has looked says whether it took effect. It is not run again."""

    tool: ClassVar[str] = "approval.request.resolve"

    approval_id: str
    """Of approval.request.list, or of the answer that said pending_approval"""
    outcome: Literal["completed", "failed"]
    note: str
    """How you know"""
