"""Where the rules of taste of a task lie. Pure."""

from pathlib import Path


def taste_file(data_dir: Path, name: str | None, profile: str | None = None) -> Path:
    """`DATA_DIR/taste/NAME.yaml`, or the file of that absolute path; without a name the profile's, else `default`."""
    wanted = (name or profile or "default").removesuffix(".yaml")
    return Path(name or "") if wanted.startswith("/") else data_dir / "taste" / f"{wanted}.yaml"
