"""A typed, asynchronous client of Signalbox.

``signalbox_client.tools`` has a module of calls for each domain: ``from signalbox_client.tools.work import WorkTaskCreate``.
What several answers contain, such as a task, is in ``signalbox_client.tools.shapes``.
"""

from ._client import Claim, Signalbox
from ._errors import Code, SignalboxError
from ._http import Envelope, Metadata
from ._lease import Lease
from ._models import Answer, Call
from .tools._codes import ErrorCode
from .tools.shapes import Ref

__all__ = ["Answer", "Call", "Claim", "Code", "Envelope", "ErrorCode", "Lease", "Metadata", "Ref", "Signalbox", "SignalboxError"]
