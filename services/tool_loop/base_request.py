"""How the model of a task is asked, whatever it is asked."""

from arreio_contracts.events import TaskProfiled

from shared.secret_references import NoSecret, resolve

from .models.client import ModelRequest
from .models.errors import ProviderError
from .models.local_models import LocalModels, is_local


async def base_request(local: LocalModels, profile: TaskProfiled) -> ModelRequest:
    """A request to the task's model, without what is asked.

    Raises:
        ProviderError: a model of this machine cannot be served, or the key is not where the task's profile says.
    """
    capability = profile.capability
    model, api_base, api_key = profile.model, profile.api_base, _key(profile.api_key)
    if is_local(model):
        served = await local.endpoint(model)
        model, api_base, api_key = served.model, served.api_base, served.api_key
    return ModelRequest(
        model=model,
        api_base=api_base,
        api_key=api_key,
        temperature=float(capability["temperature"]),
        max_tokens=int(capability["max_output_tokens"]),
        timeout=float(capability["request_timeout"]),
    )


def _key(reference: str | None) -> str | None:
    try:
        return None if reference is None else resolve(reference)
    except NoSecret as error:
        raise ProviderError("missing_key", error.message, hint=error.hint) from error
