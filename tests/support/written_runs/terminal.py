"""Runs in the style of terminal-bench: keys sent to a terminal, or plain commands on a machine to be set up."""

from .writing import Good, Steps, Stuck, call, rounds


def keys(sent: str, screen: str, wait: float = 1.0):  # type: ignore[no-untyped-def]
    """Keys for a terminal, and what it shows then."""
    return call("send_keys", screen, keystrokes=sent, duration_sec=wait)


def run(command: str, result: str, failed: bool = False):  # type: ignore[no-untyped-def]
    """A command."""
    return call("run_command", result, failed, command=command)


def _begin() -> Steps:
    return [
        run("uname -a", "Linux box 6.1.0 x86_64"),
        run("ls /srv", "data  www"),
        run("cat /srv/TASK", "set up nginx"),
    ]


def _a_long_build_on_screen() -> Steps:
    def look(number: int) -> Steps:
        return [keys("", f"[{number * 6:3}%] Building CXX object src/f{number}.o\n", 30.0)]

    return [
        keys("cmake --build build -j2\n", "[  0%] Building CXX object\n"),
        *rounds(16, look),
        keys("", "[100%] Built target app\n$ "),
    ]


def _a_text_in_an_editor() -> Steps:
    lines = (
        "server {",
        "listen 80;",
        "root /srv/www;",
        "index index.html;",
        "location / {",
        "try_files $uri =404;",
        "}",
        "}",
    )
    shown = "VIM"
    found = [keys("vim /etc/nginx/sites-available/a\n", shown)]
    for line in lines:
        shown += f"\n{line}"
        found.append(keys(f"i{line}\x1b", shown))
    return [*found, keys(":wq\n", "$ "), keys("nginx -t\n", "syntax is ok\ntest is successful\n$ ")]


def _installing_many_packages() -> Steps:
    names = ("nginx", "git", "curl", "jq", "postgresql", "redis", "python3-venv", "build-essential", "certbot", "ufw")
    return [
        *_begin(),
        *[
            run(f"apt-get install -y {name}", "Reading package lists... Done\n0 upgraded, 1 newly installed")
            for name in names
        ],
    ]


def _tuning_by_measuring() -> Steps:
    def one(number: int) -> Steps:
        return [run(f"sed -i 's/workers=.*/workers={number + 1}/' /srv/app.conf && systemctl restart app", ""),
                run("wrk -d5 http://localhost:8000", f"Requests/sec: {900 + 130 * number - 19 * number**2}.{number}2\nTransfer/sec: {number}.1MB")]  # fmt: skip

    return [*_begin(), *rounds(9, one)]


def _a_cracker_that_gets_on() -> Steps:
    return [
        *_begin(), run("nohup ./crack hashes.txt > crack.log 2>&1 &", "[1] 992"),
        *rounds(10, lambda n: [run("sleep 20; tail -1 crack.log", f"tried {n * 41873} candidates, 0 found")]),
        run("sleep 20; tail -1 crack.log", "found: hunter2"),
    ]  # fmt: skip


def _an_unknown_binary() -> Steps:
    flags = ("-h", "--help", "help", "-?", "--usage")
    return [*_begin(), *[run(f"/srv/tool {flag}", "tool: unknown option", True) for flag in flags[:4]],
            run("strings /srv/tool | head", "usage: tool <in> <out>"), run("/srv/tool a b", "written"),
            run("xxd b | head -2", "00000000: 89 50 4e 47")]  # fmt: skip


def _a_prompt_that_waits_for_more() -> tuple[Steps, Steps]:
    sent = (
        "ls\n",
        "pwd\n",
        "cat app.conf\n",
        "exit\n",
        "clear\n",
        "help\n",
        "make\n",
        "q\n",
        "whoami\n",
        "id\n",
        "git status\n",
        "df -h\n",
    )
    begun = [*_begin(), keys("cat <<EOF > notes.txt\n", "$ cat <<EOF > notes.txt\n> ")]
    return begun, [keys(text, "quote> \nType the closing quote to go on.\nquote> ") for text in sent] * 2


def _a_lock_that_is_held() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        told = f"E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process {4100 + number * 13} (apt-get)\nE: Unable to acquire the dpkg frontend lock"
        return [
            run("apt-get install -y nginx", told, True),
            run("ps aux | head -3", f"root {4100 + number * 13} apt-get {number}"),
        ]

    return _begin(), rounds(12, one)


def _interrupting_and_starting_again() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            keys(
                "./serve --port 8080\n",
                f"2026-05-01 10:{number + 10}:07 [pid {700 + number}] bind: address already in use\n$ ",
            ),
            keys("C-c", "^C\n$ "),
        ]

    return _begin(), rounds(12, one)


def _a_login_that_is_refused() -> tuple[Steps, Steps]:
    options = ("", "-v", "-i id_rsa", "-o StrictHostKeyChecking=no", "-4", "-l root", "-o BatchMode=yes", "-T", "-tt", "-o IdentitiesOnly=yes",
               "-A", "-C", "-6", "-q")  # fmt: skip
    return _begin(), [
        run(f"ssh {option} deploy@10.0.0.9 uptime", "ssh: connect to host 10.0.0.9 port 22: Connection refused", True)
        for option in options
    ]


def _configuring_and_making() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        return [
            run(
                f"./configure --prefix=/opt/v{number} --with-ssl",
                f"checking for gcc... gcc\nconfig.status: creating Makefile in {number + 2}s",
            ),
            run(
                "make -j2",
                f"cc -c a.c\na.c:9:10: fatal error: openssl/ssl.h: No such file or directory\nmake: *** [Makefile:{40 + number}: a.o] Error 1",
                True,
            ),
        ]

    return _begin(), rounds(14, one)


def _a_screen_that_does_not_move() -> tuple[Steps, Steps]:
    return _begin(), [keys("./install.sh\n", "Do you accept the licence? [yes/no]\nPlease answer yes or no.\n")] * 10


GOOD: dict[str, Good] = {
    "a long build on screen": _a_long_build_on_screen,
    "a text in an editor": _a_text_in_an_editor,
    "installing many packages": _installing_many_packages,
    "tuning by measuring": _tuning_by_measuring,
    "a cracker that gets on": _a_cracker_that_gets_on,
    "an unknown binary": _an_unknown_binary,
}
STUCK: dict[str, Stuck] = {
    "a prompt that waits for more": _a_prompt_that_waits_for_more,
    "a lock that is held": _a_lock_that_is_held,
    "interrupting and starting again": _interrupting_and_starting_again,
    "a login that is refused": _a_login_that_is_refused,
    "configuring and making": _configuring_and_making,
    "a screen that does not move": _a_screen_that_does_not_move,
}
