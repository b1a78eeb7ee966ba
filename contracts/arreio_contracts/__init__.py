"""What crosses a boundary of Arreio: subjects, the CloudEvents envelope, messages, events and the task contract.

This package depends on pydantic alone and imports nothing else of Arreio, so another team can install it by itself.
"""

SPEC_VERSION = 1
"""Version of the wire protocol; it is the `v1` of every subject."""
