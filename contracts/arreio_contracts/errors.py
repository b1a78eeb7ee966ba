"""The exceptions of the contracts, as a tree.

ContractError
├── InvalidSubject       a name that cannot be one subject token
├── InvalidEnvelope      a header of the envelope is missing or wrong
├── UnknownType          a type that no contract describes
├── UnknownVersion       a type that is known, in a version that is not
└── InvalidBody          a body that breaks its contract
"""


class ContractError(ValueError):
    """A message or a name that breaks the contract.

    `field` names what is wrong as a dotted path (`data.goal`, `ce-type`), `problem` says how. `stream_seq` is the place
    in the stream of a message that `subscribe` could not read; None everywhere else.
    """

    code = "contract"
    stream_seq: int | None = None

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class InvalidSubject(ContractError):
    """A name that cannot be one token of a NATS subject."""

    code = "invalid_subject"


class InvalidEnvelope(ContractError):
    """A CloudEvents attribute that is missing or malformed."""

    code = "invalid_envelope"


class UnknownType(ContractError):
    """A message type that no contract describes."""

    code = "unknown_type"


class UnknownVersion(ContractError):
    """A known message type in a version that this package cannot read."""

    code = "unknown_version"


class InvalidBody(ContractError):
    """A body that is not JSON or does not fit its contract."""

    code = "invalid_body"
