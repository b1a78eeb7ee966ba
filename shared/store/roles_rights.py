"""What the database lets roles do with schemas, tables, columns and functions, as its catalogue says it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import psycopg

_RIGHTS: Final = """
WITH ours AS (SELECT oid, nspname, nspowner, nspacl FROM pg_namespace WHERE nspname = ANY (%(schemas)s)),
granted AS (
    SELECT 'schema ' || nspname AS object, acl.*
    FROM ours, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) acl
    UNION ALL
    SELECT format('table %%I.%%I', nspname, relname), acl.*
    FROM pg_class c JOIN ours ON ours.oid = relnamespace, aclexplode(relacl) acl
    UNION ALL
    SELECT format('column %%I.%%I.%%I', nspname, relname, attname), acl.*
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid JOIN ours ON ours.oid = relnamespace, aclexplode(attacl) acl
    UNION ALL
    SELECT format('function %%I.%%I(%%s)', nspname, proname, pg_get_function_identity_arguments(f.oid)), acl.*
    FROM pg_proc f JOIN ours ON ours.oid = pronamespace, aclexplode(coalesce(proacl, acldefault('f', proowner))) acl
)
SELECT coalesce(rolname, 'PUBLIC'), object, privilege_type
FROM granted LEFT JOIN pg_roles r ON r.oid = grantee
WHERE grantee = 0 OR rolname = ANY (%(roles)s)
"""


def rights_of(
    connection: psycopg.Connection[Any], roles: Sequence[str], schemas: Sequence[str]
) -> set[tuple[str, str, str]]:
    """Each right that one of the roles, or everybody, has on what lies in the schemas: role, object, privilege."""
    found = connection.execute(_RIGHTS, {"roles": list(roles), "schemas": list(schemas)})
    return {(role, thing, privilege) for role, thing, privilege in found.fetchall()}
