"""What the clients of registries print, and what it says of a package."""

from services.tool_loop.grounding.package_index import read_npm


def test_a_name_that_has_no_version_to_install_is_no_package() -> None:
    assert read_npm(0, "\n").standing == "not_found"
    assert read_npm(1, "npm error code E404").standing == "not_found"


def test_a_client_that_reaches_nothing_says_nothing_of_a_package() -> None:
    assert read_npm(1, "").standing == "unreachable"
    assert read_npm(1, "npm error code ENOTFOUND").standing == "unreachable"


def test_a_package_that_is_there_is_found_with_its_first_release() -> None:
    found = read_npm(0, '{"name": "a", "time.created": "2015-01-02T03:04:05.000Z"}')
    assert (found.standing, found.created is not None) == ("found", True)
