"""What the harness tells the model, in the language of the task. Harness text, never a user's words."""

from collections.abc import Sequence

from arreio_contracts.events import Rung
from arreio_contracts.task import Criterion, criterion_text


def _say(lang: str, en: str, pt: str) -> str:
    return pt if lang == "pt" else en


def promise(quoted: str, lang: str) -> str:
    """The model said that it would act, and did not."""
    said = f" (“{quoted.strip()}”)" if quoted.strip() else ""
    return _say(
        lang,
        f"You said you would act{said} and did not. Do it now, or declare a block.",
        f"Você disse que faria X mas não agiu. Execute agora ou declare bloqueio.{said}",
    )


def question(lang: str) -> str:
    """The model asked the user something in prose."""
    return _say(
        lang,
        "To ask the user something, call need_input with the question. Otherwise act.",
        "Para perguntar algo ao usuário, chame need_input com a pergunta. Caso contrário, aja.",
    )


def no_action(offered: Sequence[str], lang: str) -> str:
    """The reply held no call."""
    names = ", ".join(offered)
    return _say(
        lang,
        f"Every turn must call a tool or end the task. Call one of: {names}.",
        f"Todo turno precisa chamar uma ferramenta ou encerrar a tarefa. Chame uma destas: {names}.",
    )


def truncated(lang: str) -> str:
    """The reply was cut off before a call was whole."""
    return _say(
        lang,
        "The reply was cut off before a whole call; nothing was executed. Make one shorter call.",
        "A resposta foi cortada antes de uma chamada completa; nada foi executado. Faça uma chamada mais curta.",
    )


def unknown_tool(name: str, candidates: Sequence[str], lang: str) -> str:
    """A call to a tool that is not there."""
    near = ", ".join(candidates)
    return _say(
        lang,
        f"There is no tool {name!r}. Candidates: {near}.",
        f"Não existe a ferramenta {name!r}. Candidatas: {near}.",
    )


def bad_arguments(name: str, problem: str, lang: str) -> str:
    """A call whose arguments do not fit."""
    return _say(
        lang,
        f"{name} was not executed: {problem}",
        f"{name} não foi executada: {problem}",
    )


def cap(name: str, limit: int, lang: str) -> str:
    """A tool that was called too often."""
    return _say(
        lang,
        f"{name} was called {limit} times, which is its limit. Use another tool or end the task.",
        f"{name} foi chamada {limit} vezes, que é o limite. Use outra ferramenta ou encerre a tarefa.",
    )


def superseded(lang: str) -> str:
    """A call that another one of the same turn made void."""
    return _say(lang, "Not executed: the turn ended otherwise.", "Não executada: o turno terminou de outra forma.")


def outcome_unknown(lang: str) -> str:
    """A call that was cut off when its task ended."""
    return _say(lang, "Cut off: its outcome is unknown.", "Interrompida: o resultado é desconhecido.")


def signal_beside_failure(lang: str) -> str:
    """A claim in the same reply as a call that failed."""
    return _say(
        lang,
        "Not taken as a claim: another call of the same reply failed. See its result first.",
        "Não conta como conclusão: outra chamada da mesma resposta falhou. Veja o resultado primeiro.",
    )


def claim_unchanged(lang: str) -> str:
    """A claim with nothing changed since the last one was refused."""
    return _say(
        lang,
        "Nothing was changed since the last claim was refused, so it is refused again. Mend what is missing first.",
        "Nada mudou desde que a última conclusão foi recusada; ela é recusada de novo. Corrija antes o que falta.",
    )


def ladder(rung: Rung, what: str, lang: str) -> str:
    """A task does not get on: what repeats, and what is done about it."""
    said = f": {what}" if what else ""
    match rung:
        case "nudge":
            return _say(
                lang,
                f"This does not get on{said}. Do something else: look at what failed, and take another way.",
                f"Isto não avança{said}. Faça outra coisa: veja o que falhou e tome outro caminho.",
            )
        case "redecompose":
            return _say(
                lang,
                f"This does not get on{said}. The plan is made anew from what is still missing.",
                f"Isto não avança{said}. O plano é refeito a partir do que ainda falta.",
            )
        case "escalate":
            return _say(
                lang,
                f"This did not get on{said}. You take over from another model; begin with what is still missing.",
                f"Isto não avançou{said}. Você assume no lugar de outro modelo; comece pelo que ainda falta.",
            )


def subtask_closed(outcome: str, title: str, following: str | None, lang: str) -> str:
    """A part of the plan is over; what comes now."""
    en = {"done": f"Done: {title}.", "unfinished": f"Left unfinished for now: {title}.", "unverified": ""}[outcome]
    pt = {"done": f"Feito: {title}.", "unfinished": f"Fica por terminar: {title}.", "unverified": ""}[outcome]
    if following is None:
        en_now = "The plan is through. See what is still missing; if nothing is, call task_complete."
        pt_now = "O plano chegou ao fim. Veja o que ainda falta; se nada faltar, chame task_complete."
    else:
        en_now, pt_now = f"Now: {following}", f"Agora: {following}"
    return _say(lang, f"{en} {en_now}".strip(), f"{pt} {pt_now}".strip())


def no_majority(said: Sequence[str], lang: str) -> str:
    """Asked several times, the model would do different things."""
    ways = " / ".join(dict.fromkeys(said))
    return _say(
        lang,
        f"You are not sure what comes next: {ways}. Nothing was executed. Look at what decides it, or call abstain.",
        f"Você não tem certeza do próximo passo: {ways}. Nada foi executado. Veja o que decide, ou chame abstain.",
    )


def abstained(unknown: Sequence[str], lang: str) -> str:
    """The question for a person, out of what the model said that it does not know."""
    lines = "\n".join(f"- {one}" for one in dict.fromkeys(unknown) if one)
    return _say(lang, f"I do not know, and cannot find out:\n{lines}", f"Não sei, e não consigo descobrir:\n{lines}")


def completion_refused(missing: str, lang: str) -> str:
    """The gates did not bear out a claim."""
    return _say(lang, f"The task is not done. Missing:\n{missing}", f"A tarefa não está concluída. Falta:\n{missing}")


def summary_wanted(words: int, lang: str) -> str:
    """What the model is told that sums up the history which a prompt leaves out."""
    return _say(
        lang,
        f"Sum up the part of your work that follows, in at most {words} words, for yourself: it will not be shown "
        "again. Say what was done and found out, which files were read or changed, what failed and why, and what is "
        "open. Facts only, with names and paths as they stand there; invent nothing and call no tool.",
        f"Resuma a parte do seu trabalho que segue, em no máximo {words} palavras, para você mesmo: ela não será "
        "mostrada de novo. Diga o que foi feito e descoberto, quais arquivos foram lidos ou alterados, o que falhou e "
        "por quê, e o que está em aberto. Só fatos, com nomes e caminhos como estão ali; não invente nada e não chame "
        "ferramenta.",
    )


def parked(why: str, lang: str) -> str:
    """What a person is asked before a task goes on that was copied with its session."""
    if why == "imported":
        return _say(
            lang,
            "This task was imported while it was open. Its workspace here may be another; answer to let it go on.",
            "Esta tarefa foi importada enquanto estava aberta. O espaço de trabalho aqui pode ser outro; responda para "
            "que ela continue.",
        )
    return _say(
        lang,
        "This task is a fork. Its workspace may not hold what its history says; answer to let it go on.",
        "Esta tarefa é uma bifurcação. O espaço de trabalho pode não conter o que o histórico diz; responda para que "
        "ela continue.",
    )


def harness_reply(criteria: Sequence[Criterion], lang: str) -> str:
    """The reply of a task whose completion the harness found by itself."""
    lines = "\n".join(f"- {criterion_text(criterion)}" for criterion in criteria)
    return _say(lang, f"Done. Verified:\n{lines}", f"Concluído. Verificado:\n{lines}")
