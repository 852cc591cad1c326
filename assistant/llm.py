"""Asks a language model for an answer of a given shape. The one importer of litellm, which takes seconds to load."""

import re
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from assistant.errors import Fatal, Retry, Skip, UserFacing
from assistant.settings import Settings, keep_model_library_offline

Shape = TypeVar("Shape", bound=BaseModel)

TIMEOUT = 60.0
"""Seconds an answer may take."""
TRIES = 2
"""How often a model is asked when its answer does not have the shape: once more, with what was wrong."""
LONGEST_ANSWER = 4096
"""Tokens of an answer."""

_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(?P<inside>.*?)\n?```\s*\Z", re.S)


class LLM(Protocol):
    """A language model, as far as the product needs one."""

    def answer(self, instructions: str, data: str, shape: type[Shape]) -> Shape:
        """An answer of the shape. INSTRUCTIONS are ours, DATA is what people wrote and never an instruction.

        Raises Skip where the model gives no such answer, Retry where it cannot be reached now, Fatal where the budget
        is spent, UserFacing where it is set up wrongly.
        """
        ...


@dataclass(slots=True)
class Budget:
    """What one run may use, and has used."""

    calls: int = 500
    tokens: int = 2_000_000
    used_calls: int = 0
    used_tokens: int = 0

    def take(self) -> None:
        """Before a call; raises Fatal where nothing is left."""
        if self.used_calls >= self.calls or self.used_tokens >= self.tokens:
            raise Fatal(f"the budget of this run is spent: {self.used_calls} calls, {self.used_tokens} tokens")
        self.used_calls += 1

    def spent(self, tokens: int) -> None:
        """After a call."""
        self.used_tokens += tokens


class LiteLLM:
    """A model behind litellm: any provider, or a server of one's own that speaks OpenAI's protocol."""

    def __init__(
        self,
        model: str,
        *,
        url: str | None = None,
        key: str | None = None,
        budget: Budget | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        self.model = model
        self.budget = budget or Budget()
        self._place: dict[str, Any] = {"api_base": url, "api_key": key, "timeout": timeout}

    def answer(self, instructions: str, data: str, shape: type[Shape]) -> Shape:
        """See LLM."""
        messages = [{"role": "system", "content": instructions}, {"role": "user", "content": data}]
        wrong = ""
        for _ in range(TRIES):
            said = self._ask(messages, shape)
            try:
                return shape.model_validate_json(_unfenced(said))
            except ValidationError as error:
                wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:3])
            messages = [
                *messages[:2],
                {"role": "assistant", "content": said},
                {
                    "role": "user",
                    "content": f"That is not of the shape asked for ({wrong}). Answer with that JSON only.",
                },
            ]
        raise Skip(f"{self.model} gave no answer of the shape asked for: {wrong}")

    def _ask(self, messages: list[dict[str, str]], shape: type[BaseModel]) -> str:
        self.budget.take()
        litellm = loaded()
        try:
            answer = litellm.completion(
                model=self.model,
                messages=messages,
                response_format=shape,
                temperature=0,
                max_tokens=LONGEST_ANSWER,
                num_retries=0,
                **self._place,
            )
        except (litellm.AuthenticationError, litellm.NotFoundError, litellm.PermissionDeniedError) as error:
            raise UserFacing(
                f"the language model {self.model} refuses us; check BRAIN_LLM_MODEL and BRAIN_LLM_KEY"
            ) from error
        except (litellm.Timeout, litellm.APIConnectionError, litellm.RateLimitError) as error:
            raise Retry(
                f"the language model {self.model} cannot be reached: {type(error).__name__}", after=30
            ) from error
        except (litellm.InternalServerError, litellm.ServiceUnavailableError, litellm.APIError) as error:
            raise Retry(f"the language model {self.model} fails: {type(error).__name__}", after=60) from error
        except litellm.BadRequestError as error:
            raise Skip(f"the language model {self.model} does not take this: {type(error).__name__}") from error
        self.budget.spent(getattr(getattr(answer, "usage", None), "total_tokens", 0) or 0)
        return str(answer.choices[0].message.content or "")


def loaded() -> Any:
    """litellm, loaded at the first call: a worker's parent may call it before it forks."""
    keep_model_library_offline()
    import litellm

    litellm.telemetry = False
    litellm.drop_params = True
    litellm.suppress_debug_info = True
    return litellm


def model_of(settings: Settings) -> LiteLLM | None:
    """The model that the settings name, None where they name none."""
    if settings.llm_model is None:
        return None
    return LiteLLM(settings.llm_model, url=settings.llm_url, key=settings.llm_key)


def _unfenced(text: str) -> str:
    """Without the code fence that some models put around JSON."""
    match = _FENCE.match(text)
    return match["inside"] if match else text
