"""How the model of a task is asked, whatever it is asked."""

from arreio_contracts.events import TaskProfiled

from .models.client import ModelRequest
from .models.local_models import LocalModels, is_local


async def base_request(local: LocalModels, profile: TaskProfiled) -> ModelRequest:
    """A request to the task's model, without what is asked.

    Raises:
        ProviderError: a model of this machine cannot be served.
    """
    capability = profile.capability
    model, api_base, api_key = profile.model, profile.api_base, None
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
