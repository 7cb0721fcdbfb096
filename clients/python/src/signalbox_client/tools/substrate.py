# Written by `npm run gen`. Do not edit.
"""Tools of the domain substrate."""

from __future__ import annotations

from typing import Any, ClassVar

from .._models import Answer, Call, Part
from .shapes import Pointer


class SubstrateArtifactGetAnswerArtifact(Answer):
    sha256: str
    media_type: str
    filename: str | None
    size: int | float
    created_by: str
    created_at: str
    content: str | None = None


class SubstrateArtifactGetAnswer(Answer):
    artifact: SubstrateArtifactGetAnswerArtifact


class SubstrateArtifactGet(Call[SubstrateArtifactGetAnswer]):
    """Media type, name and size of a stored artifact; with include_content also its text, in parts of 200 kB when it is longer."""

    tool: ClassVar[str] = "substrate.artifact.get"

    sha256: str
    """SHA-256 (hex) of the bytes"""
    include_content: bool | None = None
    cursor: str | None = None
    """next_cursor of the part before"""


class SubstrateArtifactListAnswerArtifacts(Answer):
    sha256: str
    media_type: str
    filename: str | None
    size: int | float
    created_by: str
    created_at: str


class SubstrateArtifactListAnswer(Answer):
    artifacts: list[SubstrateArtifactListAnswerArtifacts]


class SubstrateArtifactList(Call[SubstrateArtifactListAnswer]):
    """The stored artifacts of your tenant, newest first: hash, media type, name and size. substrate.artifact.get shows the content of one."""

    tool: ClassVar[str] = "substrate.artifact.list"

    media_type: str | None = None
    """Only these, e.g. text/markdown"""
    limit: int | None = None
    cursor: str | None = None
    """next_cursor of the page before"""


class SubstrateArtifactUploadAnswer(Answer):
    sha256: str
    size: int | float
    existed: bool


class SubstrateArtifactUpload(Call[SubstrateArtifactUploadAnswer]):
    """Stores text or bytes under their SHA-256, once. Pass the hash on instead of the content, e.g. to ingest.document.submit as artifact."""

    tool: ClassVar[str] = "substrate.artifact.upload"

    content: str | None = None
    """Text"""
    content_base64: str | None = None
    """Instead of content: bytes"""
    media_type: str
    """E.g. text/markdown, application/pdf"""
    filename: str | None = None


class SubstrateManifestCheckoutAnswerEntries(Answer):
    path: str
    artifact_sha256: str
    media_type: str
    size: int | float


class SubstrateManifestCheckoutAnswer(Answer):
    manifest_sha256: str
    entries: list[SubstrateManifestCheckoutAnswerEntries]


class SubstrateManifestCheckout(Call[SubstrateManifestCheckoutAnswer]):
    """The artifacts of a manifest by path, with hash, media type and size; all of them or only some paths. substrate.artifact.get reads one."""

    tool: ClassVar[str] = "substrate.manifest.checkout"

    manifest_sha256: str | None = None
    """SHA-256 (hex) that names a manifest"""
    pointer_id: str | None = None
    """Instead: what this pointer points at now"""
    paths: list[str] | None = None
    """Only these files, and folders with all that is in them"""
    limit: int | None = None
    cursor: str | None = None
    """next_cursor of the page before; give its manifest_sha256 along"""


class SubstrateManifestCreateAnswer(Answer):
    manifest_sha256: str
    entries: int | float
    """How many"""
    size: int | float
    """Bytes of all of them"""
    existed: bool


class SubstrateManifestCreateEntries(Part):
    path: str
    """Relative, with "/" between its parts"""
    artifact_sha256: str
    """SHA-256 (hex) of the bytes"""


class SubstrateManifestCreate(Call[SubstrateManifestCreateAnswer]):
    """Makes an unchangeable set of stored artifacts under paths and tells the hash that names it. The same set has the same hash. substrate.pointer.create gives it a name that can move on."""

    tool: ClassVar[str] = "substrate.manifest.create"

    entries: list[SubstrateManifestCreateEntries]
    metadata: dict[str, Any] | None = None
    """Part of what the hash is made of"""


class SubstrateManifestGetAnswerManifest(Answer):
    manifest_sha256: str
    entries: int | float
    size: int | float
    metadata: dict[str, Any]
    created_by: str
    created_at: str


class SubstrateManifestGetAnswer(Answer):
    manifest: SubstrateManifestGetAnswerManifest


class SubstrateManifestGet(Call[SubstrateManifestGetAnswer]):
    """How many artifacts a manifest holds, how large they are together, its metadata and who made it. substrate.manifest.checkout lists them."""

    tool: ClassVar[str] = "substrate.manifest.get"

    manifest_sha256: str
    """SHA-256 (hex) that names a manifest"""


class SubstratePointerAdvanceAnswer(Answer):
    pointer: Pointer
    previous_manifest_sha256: str


class SubstratePointerAdvance(Call[SubstratePointerAdvanceAnswer]):
    """Moves a pointer to another manifest, if it still stands where you expect it; otherwise nothing happens and you are told where it stands. Going back is a move to an earlier manifest."""

    tool: ClassVar[str] = "substrate.pointer.advance"

    pointer_id: str
    """Id of a pointer"""
    expected_manifest_sha256: str
    """Where it stands now, as far as you know"""
    new_manifest_sha256: str
    """Where it is to stand"""
    reason: str | None = None
    """Kept in its history"""


class SubstratePointerCreateAnswer(Answer):
    pointer: Pointer
    existed: bool


class SubstratePointerCreate(Call[SubstratePointerCreateAnswer]):
    """Makes a name that points at a manifest and can be moved to another one later: substrate.pointer.advance. Names are unique."""

    tool: ClassVar[str] = "substrate.pointer.create"

    name: str
    """Name of a pointer, e.g. release/current"""
    manifest_sha256: str
    """SHA-256 (hex) that names a manifest"""
    metadata: dict[str, Any] | None = None


class SubstratePointerHistoryAnswerMoves(Answer):
    rev: int | float
    from_manifest_sha256: str | None
    to_manifest_sha256: str
    reason: str | None
    moved_by: str
    at: str


class SubstratePointerHistoryAnswer(Answer):
    moves: list[SubstratePointerHistoryAnswerMoves]


class SubstratePointerHistory(Call[SubstratePointerHistoryAnswer]):
    """Where a pointer has been, newest first: from which manifest to which, by whom and why."""

    tool: ClassVar[str] = "substrate.pointer.history"

    pointer_id: str
    """Id of a pointer"""
    limit: int | None = None
    cursor: str | None = None
    """next_cursor of the page before"""


class SubstratePointerListAnswerPointers(Answer):
    id: str
    name: str
    manifest_sha256: str
    updated_at: str


class SubstratePointerListAnswer(Answer):
    pointers: list[SubstratePointerListAnswerPointers]


class SubstratePointerList(Call[SubstratePointerListAnswer]):
    """Movable named references to manifests, by name, each with the manifest it points at now."""

    tool: ClassVar[str] = "substrate.pointer.list"

    prefix: str | None = None
    """Beginning of the name, e.g. release/"""
    limit: int | None = None
    cursor: str | None = None
    """next_cursor of the page before"""


class SubstratePointerResolveAnswer(Answer):
    pointer: Pointer
    manifest_sha256: str


class SubstratePointerResolve(Call[SubstratePointerResolveAnswer]):
    """What a pointer, by id or name, points at now. substrate.manifest.checkout lists what is in there."""

    tool: ClassVar[str] = "substrate.pointer.resolve"

    pointer_id: str | None = None
    """Id of a pointer"""
    name: str | None = None
    """Instead of pointer_id"""
