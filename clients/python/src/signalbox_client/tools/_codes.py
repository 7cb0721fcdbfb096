# Written by `npm run gen`. Do not edit.
from typing import Literal

ErrorCode = Literal[
    "VALIDATION_ERROR",
    "UNAUTHORIZED",
    "FORBIDDEN",
    "NOT_FOUND",
    "AMBIGUOUS_ENTITY",
    "CONFLICT",
    "GONE",
    "TIMEOUT",
    "PAYLOAD_TOO_LARGE",
    "RATE_LIMIT_EXCEEDED",
    "SERVICE_UNAVAILABLE",
    "INTERNAL",
]
