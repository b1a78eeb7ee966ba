"""The router's rules: which skills a request is about, and which tasks are told taste."""

import pytest
from arreio_contracts.task import AnswerCriterion, FileExistsCriterion, TaskContract
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.relevance import LEAST, Stems, Word, plain, relevant, scores, told_for
from services.gateway.ui_tasks import why_ui


def words(text: str) -> tuple[Word, ...]:
    """Words that are their own stems; `the` and `para` are too common in one of the languages."""
    return tuple(
        Word(None if one == "the" else one, None if one == "para" else one) for one in text.lower().split() if one
    )


def catalogue(**skills: str) -> dict[str, tuple[Stems, Stems]]:
    return {name: (Stems.of(words(name.replace("_", " "))), Stems.of(words(text))) for name, text in skills.items()}


SKILLS = catalogue(
    pdf_forms="fill forms merge pdf documents",
    helm_charts="deploy services kubernetes charts",
    minutes="meeting decisions deadlines",
)


def test_a_word_of_the_name_is_enough_and_one_of_the_description_is_not() -> None:
    assert relevant(scores(words("a pdf please"), SKILLS)) == {"pdf_forms"}
    assert relevant(scores(words("merge it"), SKILLS)) == frozenset()
    assert relevant(scores(words("deploy on kubernetes"), SKILLS)) == {"helm_charts"}


def test_what_every_second_request_says_counts_little_and_common_words_nothing() -> None:
    of_files = catalogue(file_tool="creat file read file the para")
    assert relevant(scores(words("creat file read the para"), of_files)) == frozenset()
    assert relevant(scores(words("the para the para"), of_files)) == frozenset()


def test_a_word_that_many_skills_have_tells_them_less_apart() -> None:
    many = catalogue(**{f"skill_{number}": "report monthly" for number in range(9)}, one="budget monthly")
    found = scores(words("monthly budget"), many)
    assert max(found, key=lambda name: found[name]) == "one"
    assert found["skill_0"] < 1 < found["one"]


def test_a_stem_of_one_language_is_enough() -> None:
    skills = {"docs": (Stems.of(()), Stems.of((Word("document", "document"), Word("migrat", "migration"))))}
    request = (Word("documentaca", "document"), Word("migrat", "migr"))
    assert scores(request, skills)["docs"] >= LEAST


def test_what_a_skill_says_that_it_is_not_for_does_not_count() -> None:
    assert "queries" not in told_for("Writes migrations. Do not use for plain queries. Use for schemas.")
    assert "schemas" in told_for("Writes migrations. Do not use for plain queries. Use for schemas.")
    assert "consultas" not in told_for("Escreve migrações; não use para consultas.")


def test_accents_are_no_difference() -> None:
    assert plain("relatóri") == plain("relatori") == "relatori"


@given(
    st.lists(st.sampled_from(["pdf", "merge", "deploy", "charts", "minutes", "file", "the", "para"]), max_size=12),
    st.randoms(use_true_random=False),
)
def test_the_order_of_skills_and_of_words_never_matters(request: list[str], order: "st.DataObject") -> None:
    names = list(SKILLS)
    order.shuffle(names)  # type: ignore[attr-defined]
    found = scores(words(" ".join(request)), SKILLS)
    assert scores(words(" ".join(reversed(request))), {name: SKILLS[name] for name in names}) == found
    assert relevant(found) <= set(SKILLS) and all(found[name] >= LEAST for name in relevant(found))


def test_no_skills_and_no_words_find_nothing() -> None:
    assert relevant(scores(words("pdf"), {})) == frozenset()
    assert relevant(scores((), SKILLS)) == frozenset()


@pytest.mark.parametrize(
    ("goal", "contract", "told"),
    [
        ("Mend calculator.py", TaskContract(), ""),
        ("Mend src/App.tsx", TaskContract(), "its goal names src/App.tsx"),
        ("Deixe o site/index.html acessível.", TaskContract(), "its goal names site/index.html"),
        ("Say hello", TaskContract(ui=True), "its contract says so"),
        ("Mend src/App.tsx", TaskContract(ui=False), ""),
        ("Make it", TaskContract(criteria=(FileExistsCriterion(path="page.html"),)), "a criterion is about page.html"),
        ("Make it", TaskContract(criteria=(AnswerCriterion(),)), ""),
        ("Read about CSS and html", TaskContract(), ""),
    ],
)
def test_a_task_is_told_taste_by_its_contract_or_by_what_it_names(goal: str, contract: TaskContract, told: str) -> None:
    assert why_ui(contract, goal) == told
