"""Runs in the style of code interpreters and of agents that ask a database."""

from .writing import Good, Steps, Stuck, call, rounds


def cell(code: str, shown: str = "", failed: bool = False):  # type: ignore[no-untyped-def]
    """A cell of a notebook."""
    return call("execute_python", shown, failed, code=code)


def sql(query: str, shown: str, failed: bool = False):  # type: ignore[no-untyped-def]
    """A question to a database."""
    return call("run_sql", shown, failed, query=query)


def _raised(line: int, error: str) -> str:
    return f"Traceback (most recent call last)\nCell In[{line}], line 2\n      1 import pandas as pd\n----> 2 f(df)\n\n{error}"


def _begin() -> Steps:
    return [
        cell("import pandas as pd\ndf = pd.read_csv('sales.csv')", ""),
        cell("df.head()", "   day  store  total\n0    1      a   10.5\n1    1      b    7.0"),
        cell("df.dtypes", "day int64\nstore object\ntotal float64"),
    ]


def _a_training_run_by_epochs() -> Steps:
    return [
        *_begin(),
        *rounds(18, lambda n: [cell("train_one_epoch(model)", f"epoch {n}: loss {2.0 / (n + 2):.4f}")]),
        cell("score(model)", "0.91"),
    ]


def _a_grid_of_parameters() -> Steps:
    return [
        *_begin(),
        *rounds(12, lambda n: [cell(f"fit(depth={n + 1})", f"ConvergenceWarning: did not converge\nscore 0.{70 + n}")]),
        cell("fit(depth=6).save('m.bin')", ""),
    ]


def _errors_each_mended() -> Steps:
    told = (
        "KeyError: 'Day'",
        "TypeError: unsupported operand",
        "ValueError: cannot convert",
        "AttributeError: no attribute 'dt'",
        "IndexError: out of bounds",
        "KeyError: 'Store'",
    )
    return [*_begin(), *[cell(f"step({n})", _raised(n, error), True) for n, error in enumerate(told)], cell("plot(df)", "<Figure size 640x480>")]  # fmt: skip


def _tables_described_one_by_one() -> Steps:
    names = ("orders", "items", "stores", "customers", "refunds", "carriers", "stock", "prices", "coupons", "audit")
    return [
        sql("SHOW TABLES", "\n".join(names)),
        *[step for name in names for step in (
            sql(f"DESCRIBE {name}", f"id bigint\n{name}_at timestamp"), sql(f"SELECT count(*) FROM {name} WHERE id IS NULL", "0"))],
        sql("SELECT sum(total) FROM orders", "81234.5"),
    ]  # fmt: skip


def _a_query_job_that_is_polled() -> Steps:
    return [
        call("start_query", '{"query_id": "q-71"}', sql="SELECT * FROM big"),
        *[call("get_query_results", '{"query_id": "q-71", "status": "PENDING"}', query_id="q-71") for _ in range(9)],
        call("get_query_results", '{"query_id": "q-71", "status": "DONE", "rows": 12}', query_id="q-71"),
    ]


def _the_same_error_whatever_is_written() -> tuple[Steps, Steps]:
    return _begin(), rounds(
        16,
        lambda n: [
            cell(
                f"# try {n}\ndf.groupby('store').pipe(lambda d: d.total_{n}.sum())",
                _raised(n + 4, "ModuleNotFoundError: No module named 'pyarrow'"),
                True,
            )
        ],
    )


def _a_column_that_is_not_there() -> tuple[Steps, Steps]:
    names = (
        "store_name",
        "storename",
        "shop",
        "shop_name",
        "branch",
        "location",
        "site",
        "outlet",
        "market",
        "place",
        "store_title",
        "name",
    )
    return [sql("SHOW TABLES", "orders\nstores")], [
        sql(f"SELECT {name}, sum(total) FROM orders GROUP BY 1", f'ERROR: column "{name}" does not exist\nLINE 1: SELECT {name}, sum(total)', True) for name in names
    ]  # fmt: skip


def _a_query_that_is_pending_for_ever() -> tuple[Steps, Steps]:
    begun = [call("start_query", '{"query_id": "q-72"}', sql="SELECT * FROM huge")]
    return begun, [
        call("get_query_results", '{"query_id": "q-72", "status": "pending"}', query_id="q-72") for _ in range(45)
    ]


def _the_head_of_a_frame_again() -> tuple[Steps, Steps]:
    return _begin(), rounds(12, lambda n: [
        cell("df.head()", "   day  store  total\n0    1      a   10.5\n1    1      b    7.0"),
        cell("df.dtypes", "day int64\nstore object\ntotal float64"),
        cell("df.shape", "(1200, 3)"),
    ])  # fmt: skip


def _a_kernel_that_is_dead() -> tuple[Steps, Steps]:
    return _begin(), rounds(
        14, lambda n: [cell(f"x_{n} = load({n})", "DeadKernelError: Kernel died before replying", True)]
    )


GOOD: dict[str, Good] = {
    "a training run by epochs": _a_training_run_by_epochs,
    "a grid of parameters": _a_grid_of_parameters,
    "errors each mended": _errors_each_mended,
    "tables described one by one": _tables_described_one_by_one,
    "a query that is polled": _a_query_job_that_is_polled,
}
STUCK: dict[str, Stuck] = {
    "the same error whatever is written": _the_same_error_whatever_is_written,
    "a column that is not there": _a_column_that_is_not_there,
    "a query that is pending for ever": _a_query_that_is_pending_for_ever,
    "the head of a frame again": _the_head_of_a_frame_again,
    "a kernel that is dead": _a_kernel_that_is_dead,
}
