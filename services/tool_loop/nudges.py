"""What the harness tells the model, in the language of the task. Harness text, never a user's words."""

from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import LoopKind, Rung
from arreio_contracts.grounding import FileNames, NameVerdict, PackageVerdict
from arreio_contracts.task import Criterion, criterion_text

_LONGEST_QUOTE: Final = 400


def _say(lang: str, en: str, pt: str) -> str:
    return pt if lang == "pt" else en


def _short(quoted: str) -> str:
    """The model's words, as far as it knows them again by; a sentence without an end would fill the prompt."""
    words = quoted.strip()
    return words if len(words) <= _LONGEST_QUOTE else f"{words[:_LONGEST_QUOTE]}…"


def promise(quoted: str, lang: str) -> str:
    """The model said that it would act, and did not."""
    said = f" (“{_short(quoted)}”)" if quoted.strip() else ""
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


def misplaced(lang: str) -> str:
    """The reply holds the marks of a call, but no call that counts."""
    return _say(
        lang,
        "The call in your text was not executed: it must be whole, outside code, and the last thing in the reply.",
        "A chamada no seu texto não foi executada: ela deve estar completa, fora de código, e no fim da resposta.",
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


def no_answer(lang: str) -> str:
    """A claim whose text says nothing to the person who asked."""
    return _say(
        lang,
        "The reply says nothing to the person. Say what was found or done; if there is nothing, say that, in words.",
        "A resposta não diz nada à pessoa. Diga o que foi encontrado ou feito; se não há nada, diga isso, em palavras.",
    )


def claim_without_action(said: str, lang: str) -> str:
    """A claim that something was done, where no call of the task did anything of the kind."""
    return _say(
        lang,
        f"You say that it is done (“{said}”), and no call of this task did it. Do it with a tool now, say what was not "
        "done, or declare a block.",
        f"Você diz que está feito (“{said}”), e nenhuma chamada desta tarefa o fez. Faça agora com uma ferramenta, "
        "diga o que não foi feito, ou declare bloqueio.",
    )


_LOOPS: Final[dict[LoopKind, tuple[str, str]]] = {
    "repeat": (
        "the same call gave the same result, and nothing changed",
        "a mesma chamada deu o mesmo resultado, e nada mudou",
    ),
    "cycle": (
        "the same calls in turn gave the same results",
        "as mesmas chamadas, uma após a outra, deram os mesmos resultados",
    ),
    "revisit": ("your changes undo each other", "suas mudanças desfazem umas às outras"),
    "sweep": ("you read what you have read already", "você lê o que já leu"),
    "breaker": (
        "the same command failed the same way, and nothing changed",
        "o mesmo comando falhou do mesmo modo, e nada mudou",
    ),
    "churn": ("one failure after the other, of the same kind", "uma falha após a outra, do mesmo tipo"),
    "progress": (
        "much was done, and what is missing is missing as before",
        "muito foi feito, e o que falta continua faltando",
    ),
    "cap": ("too many calls", "chamadas demais"),
}


def loop(kind: LoopKind, lang: str) -> str:
    """What goes round in circles."""
    return _say(lang, *_LOOPS[kind])


def refused_loop(kind: LoopKind, lang: str) -> str:
    """A call that was made too often, and is not made again before something changes."""
    return _say(
        lang,
        f"Not executed: {loop(kind, lang)}. Change what it depends on first, take another way, or declare a block.",
        f"Não executada: {loop(kind, lang)}. Mude antes aquilo de que depende, tome outro rumo ou declare bloqueio.",
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


def unknown_package(packages: Sequence[PackageVerdict], lang: str) -> str:
    """An install of what no registry has, or of what a person did not want."""
    lines = "\n".join(f"- {each.package.name}{_instead(each.candidates, lang)}" for each in packages)
    return _say(
        lang,
        f"Nothing was installed. No registry has these packages, or the person declined them:\n{lines}\n"
        "Install the others without them, or find the right name.",
        f"Nada foi instalado. Nenhum registro tem estes pacotes, ou a pessoa os recusou:\n{lines}\n"
        "Instale os outros sem eles, ou descubra o nome certo.",
    )


def doubtful_package(packages: Sequence[PackageVerdict], lang: str) -> str:
    """What a person is asked before a package is installed that may not be what it seems."""
    lines = "\n".join(f"- {each.package.name} ({each.package.ecosystem}): {each.why}" for each in packages)
    return _say(
        lang,
        f"May the agent install these packages? They may not be what they seem.\n{lines}\nAnswer yes or no.",
        f"O agente pode instalar estes pacotes? Podem não ser o que parecem.\n{lines}\nResponda sim ou não.",
    )


def names_warning(found: FileNames, lang: str) -> str:
    """What a written file names in vain, beside the result of the write."""
    lines = _missing(found.missing, lang)
    return _say(
        lang,
        f"Warning: {found.path} uses names that do not exist:\n{lines}",
        f"Aviso: {found.path} usa nomes que não existem:\n{lines}",
    )


def names_missing(files: Sequence[FileNames], lang: str) -> str:
    """A claim while files of the task name something in vain."""
    lines = "\n".join(f"{each.path}:\n{_missing(each.missing, lang)}" for each in files)
    return _say(
        lang,
        f"The task is not done: the code uses names that do not exist. Mend them first.\n{lines}",
        f"A tarefa não está concluída: o código usa nomes que não existem. Corrija-os antes.\n{lines}",
    )


def ungrounded(names: Sequence[str], lang: str) -> str:
    """A claim whose text names what was never observed."""
    listed = ", ".join(names)
    return _say(
        lang,
        f"The text tells of what was never read, listed, written, or printed by a command: {listed}. Look at it or run "
        "it first, or leave it out.",
        f"O texto cita o que nunca foi lido, listado, escrito, nem impresso por um comando: {listed}. Verifique ou "
        "execute antes, ou retire-o.",
    )


def _missing(names: Sequence[NameVerdict], lang: str) -> str:
    return "\n".join(f"- {each.name}: {each.why}{_instead(each.candidates, lang)}" for each in names)


def _instead(candidates: Sequence[str], lang: str) -> str:
    near = ", ".join(candidates)
    return _say(lang, f" (candidates: {near})", f" (candidatos: {near})") if near else ""


def completion_refused(missing: str, lang: str) -> str:
    """The gates did not bear out a claim."""
    return _say(lang, f"The task is not done. Missing:\n{missing}", f"A tarefa não está concluída. Falta:\n{missing}")


def skill_not_loaded(names: Sequence[str], lang: str) -> str:
    """A claim before the model was shown a skill that the task must follow."""
    listed = ", ".join(names)
    return _say(
        lang,
        f"This task must follow: {listed}. Call load_skill first, do what it says, then call task_complete again.",
        f"Esta tarefa deve seguir: {listed}. Chame load_skill antes, faça o que ela diz, e então chame task_complete "
        "de novo.",
    )


def taste_refused(missing: str, lang: str) -> str:
    """All criteria hold, the taste critic has something to say. It does not insist."""
    return _say(
        lang,
        "Every criterion holds. Look at these matters of taste first: mend them, or call task_complete again if they "
        f"are right as they are.\n{missing}",
        "Todos os critérios valem. Veja antes estas questões de gosto: corrija-as, ou chame task_complete de novo se "
        f"estiverem certas como estão.\n{missing}",
    )


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


def hook_refused(tool: str, hook: str, reason: str, lang: str) -> str:
    """A hook refused a call."""
    return _say(
        lang,
        f"{tool} was not executed: the hook {hook!r} refused it: {reason}",
        f"{tool} não foi executada: o hook {hook!r} recusou: {reason}",
    )


def hook_refused_end(hook: str, reason: str, lang: str) -> str:
    """A hook refused that the task is done."""
    return _say(
        lang,
        f"The task may not end yet: the hook {hook!r} refused it: {reason}",
        f"A tarefa ainda não pode terminar: o hook {hook!r} recusou: {reason}",
    )


def hook_objects(hook: str, reason: str, lang: str) -> str:
    """A hook objects to a call that was carried out."""
    return _say(
        lang,
        f"It was carried out, and the hook {hook!r} objects: {reason}",
        f"Foi executada, e o hook {hook!r} faz objeção: {reason}",
    )


def hook_asks(asked: str, lang: str) -> str:
    """What a person is asked where a hook leaves the decision to them."""
    return _say(
        lang,
        f"{asked}\nAnswer yes to allow it; anything else is a no.",
        f"{asked}\nResponda sim para permitir; qualquer outra resposta é um não.",
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
