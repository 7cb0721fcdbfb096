# Written by `npm run gen`. Do not edit.
"""Tools of the domain access."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open
from .shapes import MadeKey, Rate


class AccessKeyCollect(Call[MadeKey]):
    """Makes another secret for a key that you created less than a day ago and that was never used. Use it after an approval, which stores no secret, or if the answer with the first secret was lost. The former secret becomes invalid."""

    tool: ClassVar[str] = "access.key.collect"

    key_id: str
    """From access.key.list"""


class AccessKeyCreate(Call[MadeKey]):
    """Creates an API key for an agent or a person, never with more rights than yours. Its secret is shown once, in this answer, and stored nowhere. For admins; an agent needs approval and then gets the secret with access.key.collect."""

    tool: ClassVar[str] = "access.key.create"

    name: str
    """Name to which its calls are attributed"""
    role: Literal["admin", "pm", "pm_leader", "operator", "new_pm", "stakeholder", "agent", "readonly"] | None = None
    kind: Literal["human", "agent"] | None = None
    """Default: agent for the role agent, else human"""
    scopes: list[str] | None = None
    """Only these; none: what the role allows"""
    capabilities: list[str] | None = None
    """What its agent declares; none: what role and scopes allow"""
    team: str | None = None
    """Stakeholder team whose scope limits its reads"""
    policy: str | None = None
    """Default: the policy of your own key"""
    profile: Literal["core", "worker", "pm-intelligence", "devflow", "agentic-rag", "intelli-platform", "perception", "unified", "all"] | None = None
    """Tools that its client lists at first"""
    rpm: int | None = None
    """Calls per minute"""
    burst: int | None = None
    """Calls tolerated above that"""
    expires_in_days: int | None = None
    """Absent: it does not expire"""


class AccessKeyListAnswerKeys(Answer):
    key_id: str
    name: str
    role: Annotated[Literal["admin", "pm", "pm_leader", "operator", "new_pm", "stakeholder", "agent", "readonly"], Open]
    kind: Annotated[Literal["human", "agent"], Open]
    state: Annotated[Literal["valid", "ended", "revoked"], Open]
    scopes: list[str]
    capabilities: list[str]
    profile: str | None
    policy: str
    team: str | None
    line: str
    """Id of its first key: rotations keep it"""
    replaces: str | None
    made_by: str | None
    """null: by the command line, or signed in by an issuer"""
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    """To the minute"""
    revoked_at: str | None
    rate: Rate


class AccessKeyListAnswer(Answer):
    keys: list[AccessKeyListAnswerKeys]


class AccessKeyList(Call[AccessKeyListAnswer]):
    """The keys of your tenant, newest first: role, kind, scopes, last use, expiry, calls in this minute; never their secrets. For admins."""

    tool: ClassVar[str] = "access.key.list"

    search: str | None = None
    """Part of the name, or the id"""
    state: Literal["valid", "ended", "revoked"] | None = None
    kind: Literal["human", "agent"] | None = None
    line: str | None = None
    """A key and its rotations"""
    limit: int | None = None
    cursor: str | None = None


class AccessKeyRevokeAnswerKey(Answer):
    key_id: str
    name: str
    role: Annotated[Literal["admin", "pm", "pm_leader", "operator", "new_pm", "stakeholder", "agent", "readonly"], Open]
    kind: Annotated[Literal["human", "agent"], Open]
    state: Annotated[Literal["valid", "ended", "revoked"], Open]
    scopes: list[str]
    capabilities: list[str]
    profile: str | None
    policy: str
    team: str | None
    line: str
    """Id of its first key: rotations keep it"""
    replaces: str | None
    made_by: str | None
    """null: by the command line, or signed in by an issuer"""
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    """To the minute"""
    revoked_at: str | None


class AccessKeyRevokeAnswer(Answer):
    key: AccessKeyRevokeAnswerKey


class AccessKeyRevoke(Call[AccessKeyRevokeAnswer]):
    """Revokes a key: within two seconds its calls are refused; its streams and console sessions end. For admins."""

    tool: ClassVar[str] = "access.key.revoke"

    key_id: str
    """From access.key.list"""


class AccessKeyRotateAnswer(Answer):
    key_id: str
    name: str
    role: Annotated[Literal["admin", "pm", "pm_leader", "operator", "new_pm", "stakeholder", "agent", "readonly"], Open]
    kind: Annotated[Literal["human", "agent"], Open]
    state: Annotated[Literal["valid", "ended", "revoked"], Open]
    scopes: list[str]
    capabilities: list[str]
    profile: str | None
    policy: str
    team: str | None
    line: str
    """Id of its first key: rotations keep it"""
    replaces: str | None
    made_by: str | None
    """null: by the command line, or signed in by an issuer"""
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    """To the minute"""
    revoked_at: str | None
    api_key: str | None
    """Shown once and stored nowhere; null in a repeated or approved answer: use access.key.collect"""
    old_expires_at: str


class AccessKeyRotate(Call[AccessKeyRotateAnswer]):
    """Makes a new secret with the same name, rights and limits; the old one works until the grace period ends. The new secret is shown once, in this answer. For admins, and for keys with no more rights than yours; an agent needs approval."""

    tool: ClassVar[str] = "access.key.rotate"

    key_id: str
    """From access.key.list"""
    grace_hours: int | float | None = None
    """Grace period of the old secret"""
    expires_in_days: int | None = None
    """Absent: the lifetime of the old key"""


class AccessSessionEndAnswerEnded(Answer):
    session_id: str
    principal: str
    """Who has signed in"""
    browser: str | None


class AccessSessionEndAnswer(Answer):
    ended: list[AccessSessionEndAnswerEnded]


class AccessSessionEnd(Call[AccessSessionEndAnswer]):
    """Ends sessions of the console: one, all of yours except the one that calls, or for admins all of a key or a person. Their tabs are signed out at once. To keep somebody out, revoke the key as well (access.key.revoke)."""

    tool: ClassVar[str] = "access.session.end"

    session_id: str | None = None
    """From access.session.list"""
    others: bool | None = None
    """All your sessions except the one that makes this call"""
    key_id: str | None = None
    """All sessions of this key or identity"""
    person: str | None = None
    """All sessions of the person with this name"""


class AccessSessionListAnswerSessions(Answer):
    session_id: str
    principal: str
    """Who has signed in"""
    key_id: str
    """The key, or the identity at the issuer, that it stands for"""
    means: Annotated[Literal["key", "code", "issuer"], Open]
    """How it was made: with a key, by `signalbox console`, at the issuer"""
    browser: str | None
    signed_in_at: str
    last_seen_at: str
    """Rounded to the minute"""
    ends_at: str
    """Expiry, unless it is used before"""
    checked_at: str | None
    """When the issuer last confirmed the person"""
    current: bool
    """Whether it makes this call"""


class AccessSessionListAnswer(Answer):
    sessions: list[AccessSessionListAnswerSessions]


class AccessSessionList(Call[AccessSessionListAnswer]):
    """The browsers that are signed in to the console as you, newest first: when and how each signed in, last use, expiry. With all=true admins see those of everybody in the tenant."""

    tool: ClassVar[str] = "access.session.list"

    all: bool | None = None
    """Sessions of everybody; for admins"""
    key_id: str | None = None
    """Sessions of this key or identity"""
    person: str | None = None
    """Sessions of the person with this name"""
    limit: int | None = None
    cursor: str | None = None
    """metadata.next_cursor of the page before"""


class AccessStakeholderConfigureAnswerScope(Answer):
    team: str
    product_areas: list[str]
    """Empty: all"""
    entity_types: list[str]
    """Empty: all"""
    data_freshness: Annotated[Literal["realtime", "daily", "weekly"], Open]
    updated_by: str
    updated_at: str


class AccessStakeholderConfigureAnswer(Answer):
    scope: AccessStakeholderConfigureAnswerScope


class AccessStakeholderConfigure(Call[AccessStakeholderConfigureAnswer]):
    """Sets which product areas and entity types a team sees, and how fresh. It holds for every key of the team within two seconds, in place of what was said before; a team about which nothing was said sees nothing."""

    tool: ClassVar[str] = "access.stakeholder.configure"

    team: str
    """As keys name it: signalbox keys create --team NAME"""
    product_areas: list[str] | None = None
    """Product areas, as entities name them; none: all"""
    entity_types: list[str] | None = None
    """Types of entities, e.g. feature, issue, theme; none: all"""
    data_freshness: Literal["realtime", "daily", "weekly"] | None = None
    """How old a record must be before it shows: no matter, a day, a week"""


class AccessStakeholderListAnswerTeams(Answer):
    team: str
    product_areas: list[str]
    """Empty: all"""
    entity_types: list[str]
    """Empty: all"""
    data_freshness: Annotated[Literal["realtime", "daily", "weekly"], Open]
    updated_by: str
    updated_at: str
    keys: int | float


class AccessStakeholderListAnswer(Answer):
    teams: list[AccessStakeholderListAnswerTeams]


class AccessStakeholderList(Call[AccessStakeholderListAnswer]):
    """Every team with its product areas, entity types and freshness, and how many keys belong to it."""

    tool: ClassVar[str] = "access.stakeholder.list"


class AccessStakeholderPreviewAnswerScope(Answer):
    team: str
    product_areas: list[str]
    """Empty: all"""
    entity_types: list[str]
    """Empty: all"""
    data_freshness: Annotated[Literal["realtime", "daily", "weekly"], Open]


class AccessStakeholderPreviewAnswerCounts(Answer):
    what: str
    tool_: str = Field(alias="tool")
    seen: int
    """Up to 10,000; 10,001 means more"""
    all: int
    """Up to 10,000; 10,001 means more"""


class AccessStakeholderPreviewAnswerEntities(Answer):
    area: str | None
    type: str
    seen: int
    """Up to 10,000; 10,001 means more"""


class AccessStakeholderPreviewAnswer(Answer):
    scope: AccessStakeholderPreviewAnswerScope
    counts: list[AccessStakeholderPreviewAnswerCounts]
    entities: list[AccessStakeholderPreviewAnswerEntities]
    """Those it sees, by area and type"""


class AccessStakeholderPreview(Call[AccessStakeholderPreviewAnswer]):
    """How much of the evidence a team sees under its scope, next to the total: entities, documents, passages, statements, facts, opportunities and drafts, each with the tool that shows them."""

    tool: ClassVar[str] = "access.stakeholder.preview"

    team: str
    """As keys name it: signalbox keys create --team NAME"""
