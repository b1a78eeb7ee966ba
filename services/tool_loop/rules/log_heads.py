"""What is new in the heads of lines that programs log: processes, threads, the clock of a kernel, ports lent for one
connection.

A form a program, tried on text whose times are masked already (`normalising.py`). Forms are of what a program's own
logging writes, so that figures of a message stay: a `[12]` may be a process only where a time stands before it and a
level behind it. Ports stay unless they are of the range from which one is lent to a connection.
"""

import re
from typing import Final

from .mask import Mask

_LENT: Final = r"(?:3[2-9]|[4-6]\d)\d{3}\b"
_LEVEL: Final = (
    r"\[?(?:LOG|HINT|DETAIL|STATEMENT|CONTEXT|TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|CRIT(?:ICAL)?|FATAL|PANIC"
    r"|ALERT|EMERG|SEVERE)\b"
)
_PORT: Final = re.compile(rf"(?<=:){_LENT}")

HEADS: Final = (
    # (node:2207) Warning: …
    Mask(
        "pid", re.compile(r"(?<=\(node:)\d{1,9}(?=\))"), words=("(node:",), sign=re.compile(r"\(node:(?=\d)"), ahead=6
    ),
    # Sanitizers, valgrind: ==2207==ERROR: …
    Mask("pid", re.compile(r"(?<===)\d{1,9}(?===)"), words=("==",), sign=re.compile(r"==(?=\d)"), ahead=2),
    # PostgreSQL, gunicorn: <time> UTC [2207] FATAL: …
    Mask(
        "pid",
        re.compile(rf"<time>(?: [A-Z]{{3,4}}| [+-]\d{{4}})?\]? \[\d{{1,9}}\](?= {_LEVEL})"),
        begins=("<time>",),
        parts=re.compile(r"(?<= \[)\d+(?=\])"),
    ),
    # Ruby <time> #2207], logcat <time> 2207 2209 E Tag: …, glog <time> 2207 main.cc:44] …
    Mask(
        "pid",
        re.compile(
            r"(?<=<time> )(?:#\d{1,9}(?=\])|\d{1,9} \d{1,9}(?= [VDIWEF] )|\d{1,9}(?= [\w./-]{1,99}:\d{1,7}\] ))"
        ),
        sign=re.compile(r"<time> (?=[#\d])"),
        ahead=7,
    ),
    # nginx: <time> [emerg] 2207#2207: *41 …
    Mask(
        "pid",
        re.compile(r"(?<=\] )\d{1,9}#\d{1,9}:(?: \*\d{1,9}\b)?"),
        words=("#",),
        sign=re.compile(r"\] (?=\d{1,9}#\d)"),
        ahead=2,
    ),
    # Redis: 2207:M <time> # …
    Mask(
        "pid",
        re.compile(r"^\d{1,9}(?=:[MSCX] <time>)", re.MULTILINE),
        words=(":m ", ":s ", ":c ", ":x "),
        sign=re.compile(r"^(?=\d{1,9}:[MSCX] <)", re.MULTILINE),
    ),
    # Puma: [2207] ! …; whatever logs its process first: [2207] ERROR …
    Mask(
        "pid",
        re.compile(
            r"^\[\d{2,9}\](?= (?:! |\[?(?:ERROR|CRITICAL|FATAL|PANIC)\b|Traceback \(most recent))", re.MULTILINE
        ),
        words=("] !", "error", "critical", "fatal", "panic", "traceback"),
        begins=("[",),
        parts=re.compile(r"\d+"),
    ),
    # Spring: ERROR 2207 --- [nio-8080-exec-3] …
    Mask(
        "pid",
        re.compile(r"(?<= )\d{1,9} --- (?:\[[^\]\n]{0,60}\] ?){1,2}"),
        words=(" --- [",),
        sign=re.compile(r" (?=\d{1,9} --- \[)"),
        ahead=1,
        parts=re.compile(r"\A\d+|(?<=-)\d+(?=\])"),
    ),
    # Chromium: [2207:2209:0501/101000.123456:ERROR:a.cc(250)] …
    Mask(
        "pid",
        re.compile(r"\[\d{1,9}:\d{1,9}:\d{4}/\d{6}(?:\.\d{1,9})?(?=:[A-Z])"),
        sign=re.compile(r"\[(?=\d{1,9}:\d{1,9}:\d{4}/)"),
    ),
    # Apple's <time> app[2207:40003] …
    Mask(
        "pid",
        re.compile(r"<time> [\w.-]{1,80}\[\d{1,9}:\d{1,9}\](?= )"),
        begins=("<time> ",),
        parts=re.compile(r"(?<=[\[:])\d+(?=[\]:])"),
    ),
    # Erlang, Elixir: <0.209.0>
    Mask("pid", re.compile(r"(?<=<)0\.\d{1,9}\.\d{1,9}(?=>)"), words=("<0.",), sign=re.compile(r"<(?=0\.\d)"), ahead=1),
    # gdb: (LWP 2207), the JVM: hs_err_pid2207.log
    Mask(
        "pid",
        re.compile(r"(?:\(LWP |hs_err_pid)\d{1,9}"),
        begins=("(lwp ", "hs_err_pid"),
        parts=re.compile(r"\d+"),
    ),
    # npm: _logs/2024-05-01T10_03_00_103Z-debug-0.log
    Mask(
        "time",
        re.compile(r"\d{4}-\d\d-\d\dT\d\d_\d\d_\d\d_\d{3}Z"),
        words=("_logs/",),
        sign=re.compile(r"\d(?=\d{3}-\d\d-\d\dT\d\d_)"),
    ),
    # Werkzeug: Debugger PIN: 103-203-303
    Mask(
        "nonce",
        re.compile(r"(?<=Debugger PIN: )\d{3}-\d{3}-\d{3}\b"),
        words=("debugger pin",),
        sign=re.compile(r"Debugger PIN: "),
        ahead=14,
    ),
    # Java: com.acme.Pool@1b2c3d4
    Mask(
        "address",
        re.compile(r"\.[A-Z][\w$]{0,80}@(?=[a-f]{0,8}\d)[0-9a-f]{5,8}\b(?!\.\w|[@-])"),
        words=("@",),
        sign=re.compile(r"\.(?=[A-Z][\w$]{0,80}@)"),
        parts=re.compile(r"(?<=@)[0-9a-f]+\Z"),
    ),
    # The kernel's ring: [ 1031.100000] EXT4-fs error …
    Mask("time", re.compile(r"\[ *\d{1,9}\.\d{6}\](?= +[A-Za-z])"), sign=re.compile(r"\[(?= *\d{1,9}\.\d{6}\])")),
    # Go: read tcp 10.0.0.5:40037->10.0.0.9:443: …
    Mask(
        "port",
        re.compile(r"\b(?:read|write|dial|close|accept) (?:tcp|udp)[46]? [^\s>]{1,80}:\d{1,5}->[^\s>]{1,80}:\d{1,5}\b"),
        words=("tcp", "udp"),
        sign=re.compile(r"[rwdca](?=[a-z]{3,5} (?:tcp|udp))"),
        parts=_PORT,
    ),
    # Node: - Local (10.0.0.5:40037)
    Mask("port", re.compile(r"(?i:\blocal) \([^\s()]{1,80}:\d{1,5}\)"), begins=("local (",), parts=_PORT),
    # from 10.0.0.5:40037 to …, and sshd's from 10.0.0.5 port 40037
    Mask(
        "port",
        re.compile(rf"(?i:\bfrom) (?:[^\s:]{{1,80}}:{_LENT}(?= to )|[\w.:]{{1,80}} port {_LENT})"),
        words=(" port ", " to "),
        begins=("from ",),
        parts=re.compile(rf"(?<=[: ]){_LENT}"),
    ),
)
