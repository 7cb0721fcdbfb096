# Written by `npm run gen`. Do not edit.
"""Tools of the domain schema."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from .._models import Answer, Call


class SchemaDefinitionGetAnswerSchema(Answer):
    schema_id: str
    name: str
    version: str
    created_by: str
    created_at: str
    json_schema: dict[str, Any]


class SchemaDefinitionGetAnswer(Answer):
    schema_: SchemaDefinitionGetAnswerSchema = Field(alias="schema")


class SchemaDefinitionGet(Call[SchemaDefinitionGetAnswer]):
    """A registered JSON Schema by name: the newest version, or a certain one."""

    tool: ClassVar[str] = "schema.definition.get"

    name: str
    """Name of a schema, e.g. invoice"""
    version: str | None = None
    """Default: the newest"""


class SchemaDefinitionListAnswerSchemas(Answer):
    schema_id: str
    name: str
    version: str
    created_by: str
    created_at: str


class SchemaDefinitionListAnswer(Answer):
    schemas: list[SchemaDefinitionListAnswerSchemas]


class SchemaDefinitionList(Call[SchemaDefinitionListAnswer]):
    """Registered JSON Schemas by name, the newest version of each first."""

    tool: ClassVar[str] = "schema.definition.list"

    prefix: str | None = None
    """Beginning of the name"""
    limit: int | None = None
    cursor: str | None = None
    """next_cursor of the page before"""


class SchemaDefinitionRegisterAnswer(Answer):
    schema_id: str
    existed: bool


class SchemaDefinitionRegister(Call[SchemaDefinitionRegisterAnswer]):
    """Keeps a JSON Schema under a name and a version, for good: other content needs another version. schema.instance.validate checks data against it."""

    tool: ClassVar[str] = "schema.definition.register"

    name: str
    """Name of a schema, e.g. invoice"""
    version: str
    """E.g. 1.0.0"""
    json_schema: dict[str, Any]
    """JSON Schema 2020-12; refers to nothing outside of itself"""


class SchemaInstanceValidateAnswerErrors(Answer):
    path: str
    message: str
    keyword: str


class SchemaInstanceValidateAnswer(Answer):
    valid: bool
    errors: list[SchemaInstanceValidateAnswerErrors]
    version: str


class SchemaInstanceValidate(Call[SchemaInstanceValidateAnswer]):
    """Whether an instance is valid under a registered schema, and if not, up to 50 places where it is not and why."""

    tool: ClassVar[str] = "schema.instance.validate"

    name: str
    """Name of a schema, e.g. invoice"""
    version: str | None = None
    """Default: the newest"""
    instance: Any
    """What is to be checked; any JSON up to 1 MB"""
