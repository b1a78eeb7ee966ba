"""Texts that a program of Python's puts together of constant pieces, as the whole they make."""

import ast


class Joined(ast.NodeTransformer):
    """Puts `'py' + 'test'` and `''.join(['py', 'test'])` as the one text they are."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        left, right = text_of(node.left), text_of(node.right)
        joined = isinstance(node.op, ast.Add) and left is not None and right is not None
        return ast.copy_location(ast.Constant(f"{left}{right}"), node) if joined else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        joins = isinstance(node.func, ast.Attribute) and node.func.attr == "join"
        between = text_of(node.func.value) if joins and isinstance(node.func, ast.Attribute) else None
        pieces = node.args[0] if len(node.args) == 1 else None
        if between is None or not isinstance(pieces, ast.List | ast.Tuple):
            return node
        parts = [text_of(one) for one in pieces.elts]
        whole = [one for one in parts if one is not None]
        return ast.copy_location(ast.Constant(between.join(whole)), node) if len(whole) == len(parts) else node


def text_of(node: ast.expr | None) -> str | None:
    """The text that a constant says; None for all else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
