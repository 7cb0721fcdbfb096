# Written by `npm run gen`. Do not edit.
"""Tools of the domain external."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .._models import Answer, Call, Open, Part
from .shapes import ExternalServer, ToolFlag, ToolMark


class ExternalPromptGetAnswer(Answer):
    pass


class ExternalPromptGet(Call[ExternalPromptGetAnswer]):
    """A prompt of a server, filled in with arguments: messages to give to a model, if you trust their author."""

    tool: ClassVar[str] = "external.prompt.get"

    server: str
    """Its tools are called external.{this}.{tool}"""
    name: str
    arguments: dict[str, str] | None = None


class ExternalPromptListAnswer(Answer):
    pass


class ExternalPromptList(Call[ExternalPromptListAnswer]):
    """Prompts that a server offers, with their arguments. external.prompt.get fills one in."""

    tool: ClassVar[str] = "external.prompt.list"

    server: str
    """Its tools are called external.{this}.{tool}"""


class ExternalResourceListAnswer(Answer):
    pass


class ExternalResourceList(Call[ExternalResourceListAnswer]):
    """What a server offers to read, by URI. external.resource.read reads one."""

    tool: ClassVar[str] = "external.resource.list"

    server: str
    """Its tools are called external.{this}.{tool}"""
    templates: bool | None = None
    """List the patterns of URIs instead"""


class ExternalResourceReadAnswer(Answer):
    pass


class ExternalResourceRead(Call[ExternalResourceReadAnswer]):
    """Reads a resource by its URI, as its server gives it. Bytes and what is large come as artifacts."""

    tool: ClassVar[str] = "external.resource.read"

    server: str
    """Its tools are called external.{this}.{tool}"""
    uri: str
    """As external.resource.list tells it"""


class ExternalServerAddAnswer(Answer):
    server: ExternalServer
    healthy: bool
    """Whether it answered"""
    error: str | None
    refused_tools: list[str]
    """Tools whose definition cannot be taken, and why"""
    approved: list[str]
    flagged: list[str]
    """Not approved, because somebody should look"""


class ExternalServerAddCredentials(Part):
    env: dict[str, str] | None = None
    """Environment of a stdio server"""
    headers: dict[str, str] | None = None
    """Sent with each request to a http or sse server"""
    variables: dict[str, str] | None = None
    """Values of ${NAME} in args, url, env and headers"""


class ExternalServerAdd(Call[ExternalServerAddAnswer]):
    """Makes another MCP server known: a command (stdio) or a url (http, sse). Its tools are then called external.{name}.{tool}, each once a person has approved it. Only administrators in person may add a command."""

    tool: ClassVar[str] = "external.server.add"

    name: str
    """Its tools are called external.{this}.{tool}"""
    transport: Literal["stdio", "http", "sse"] | None = None
    """Default: stdio with a command, http with a url; http falls back to sse"""
    command: str | None = None
    """Of stdio: the program, started on the host of Signalbox"""
    args: list[str] | None = None
    cwd: str | None = None
    """Of stdio: the folder it is started in"""
    url: str | None = None
    """Of http and sse"""
    credentials: ExternalServerAddCredentials | None = None
    """Kept sealed and never shown again"""
    timeout_ms: int | None = None
    """For one call, in ms; default 30000"""
    concurrency: int | None = None
    """Calls at the same time; default 8"""
    approval: Literal["A0", "A1", "A2"] | None = None
    """What its tools ask: A0 nothing, A1 as the level of care says (default), A2 always"""
    enabled: bool | None = None
    approve_all: bool | None = None
    """Approve its tools as they are now, but for those that look suspicious; people only"""


class ExternalServerGetAnswer(Answer):
    server: ExternalServer


class ExternalServerGet(Call[ExternalServerGetAnswer]):
    """One server: where it is, its limits, whether it answers, and its last error. Credentials are never shown."""

    tool: ClassVar[str] = "external.server.get"

    name: str
    """Its tools are called external.{this}.{tool}"""


class ExternalServerListAnswer(Answer):
    servers: list[ExternalServer]


class ExternalServerList(Call[ExternalServerListAnswer]):
    """The servers whose tools can be called here: where they are, whether they answer, and how many of their tools are approved."""

    tool: ClassVar[str] = "external.server.list"


class ExternalServerRemoveAnswer(Answer):
    name: str
    removed: bool


class ExternalServerRemove(Call[ExternalServerRemoveAnswer]):
    """Forgets a server, its credentials, and what was approved of its tools. Its process, if it has one, is ended."""

    tool: ClassVar[str] = "external.server.remove"

    name: str
    """Its tools are called external.{this}.{tool}"""


class ExternalServerTestAnswer(Answer):
    server: ExternalServer
    healthy: bool
    """Whether it answered"""
    error: str | None
    refused_tools: list[str]
    """Tools whose definition cannot be taken, and why"""
    latency_ms: int | float


class ExternalServerTest(Call[ExternalServerTestAnswer]):
    """Asks a server now what it offers, and takes its definitions over. Says how long it took, or why it failed."""

    tool: ClassVar[str] = "external.server.test"

    name: str
    """Its tools are called external.{this}.{tool}"""


class ExternalServerUpdateAnswer(Answer):
    server: ExternalServer
    healthy: bool
    """Whether it answered"""
    error: str | None
    refused_tools: list[str]
    """Tools whose definition cannot be taken, and why"""


class ExternalServerUpdateCredentials(Part):
    env: dict[str, str] | None = None
    """Environment of a stdio server"""
    headers: dict[str, str] | None = None
    """Sent with each request to a http or sse server"""
    variables: dict[str, str] | None = None
    """Values of ${NAME} in args, url, env and headers"""


class ExternalServerUpdate(Call[ExternalServerUpdateAnswer]):
    """Changes where a server is, its credentials or limits, or switches it on or off; what is not given stays. At another address it is sent only the credentials given with the move. Its connection is made anew."""

    tool: ClassVar[str] = "external.server.update"

    name: str
    """Its tools are called external.{this}.{tool}"""
    transport: Literal["stdio", "http", "sse"] | None = None
    """Default: stdio with a command, http with a url; http falls back to sse"""
    command: str | None = None
    """Of stdio: the program, started on the host of Signalbox"""
    args: list[str] | None = None
    cwd: str | None = None
    """Of stdio: the folder it is started in"""
    url: str | None = None
    """Of http and sse"""
    credentials: ExternalServerUpdateCredentials | None = None
    """Kept sealed and never shown again"""
    timeout_ms: int | None = None
    """For one call, in ms; default 30000"""
    concurrency: int | None = None
    """Calls at the same time; default 8"""
    approval: Literal["A0", "A1", "A2"] | None = None
    """What its tools ask: A0 nothing, A1 as the level of care says (default), A2 always"""
    enabled: bool | None = None


class ExternalToolApproveAnswerSkipped(Answer):
    name: str
    flags: list[ToolFlag]


class ExternalToolApproveAnswer(Answer):
    approved: list[str]
    skipped: list[ExternalToolApproveAnswerSkipped]


class ExternalToolApprove(Call[ExternalToolApproveAnswer]):
    """Lets tools of a server be called as they are defined now; a later change has to be approved anew. People only. Without `tools`: all that wait or have changed, but for suspicious ones, which must be named."""

    tool: ClassVar[str] = "external.tool.approve"

    server: str
    """Its tools are called external.{this}.{tool}"""
    tools: list[str] | None = None
    """By either name"""
    hashes: dict[str, str] | None = None
    """By tool: the hash that was looked at; another one is refused"""


class ExternalToolGetAnswerToolApprovals(Answer):
    hash: str
    by: str
    at: str
    tool_call_id: str


class ExternalToolGetAnswerTool(Answer):
    name: str
    """As it is called here"""
    server: str
    tool_: str = Field(alias="tool")
    """As its server calls it"""
    state: Annotated[Literal["approved", "waiting", "changed", "gone"], Open]
    """Only approved ones can be called"""
    effect: Annotated[Literal["read", "write", "destructive"], Open]
    description: str
    hash: str
    """Of the definition as the server gives it now"""
    flags: list[ToolFlag]
    """What a person should look at before approving it"""
    changes: list[str]
    """What has changed since it was approved"""
    approved_by: str | None
    approved_at: str | None
    approved_hash: str | None
    present: dict[str, Any]
    """As the server gives it now"""
    approved: dict[str, Any] | None
    """As it was approved: calls are checked against this one"""
    marks: list[ToolMark]
    """Where the present definition holds what its flags say; at most 200"""
    approved_marks: list[ToolMark]
    approvals: list[ExternalToolGetAnswerToolApprovals]
    """Who approved which definition when, newest first, from the ledger"""


class ExternalToolGetAnswer(Answer):
    tool_: ExternalToolGetAnswerTool = Field(alias="tool")


class ExternalToolGet(Call[ExternalToolGetAnswer]):
    """A tool of an external server in full: its definition as approved and as its server gives it now, the places in it that look suspicious, and who approved which definition when. Approve it with external.tool.approve and this answer's hash."""

    tool: ClassVar[str] = "external.tool.get"

    tool_: str = Field(alias="tool")
    """Name from external.tool.list"""


class ExternalToolListAnswerTools(Answer):
    name: str
    """As it is called here"""
    server: str
    tool_: str = Field(alias="tool")
    """As its server calls it"""
    state: Annotated[Literal["approved", "waiting", "changed", "gone"], Open]
    """Only approved ones can be called"""
    effect: Annotated[Literal["read", "write", "destructive"], Open]
    description: str
    hash: str
    """Of the definition as the server gives it now"""
    flags: list[ToolFlag]
    """What a person should look at before approving it"""
    changes: list[str]
    """What has changed since it was approved"""
    approved_by: str | None
    approved_at: str | None


class ExternalToolListAnswer(Answer):
    tools: list[ExternalToolListAnswerTools]


class ExternalToolList(Call[ExternalToolListAnswer]):
    """Tools of external servers with their state: approved ones can be called; the others wait for a person, with what looks suspicious about them and what has changed."""

    tool: ClassVar[str] = "external.tool.list"

    server: str | None = None
    """Its tools are called external.{this}.{tool}"""
    state: Literal["approved", "waiting", "changed", "gone"] | None = None
    limit: int | None = None
    offset: int | None = None
