"""What the grounding rules ask of the disk and of registries. Nothing of the workspace is ever run or imported."""
