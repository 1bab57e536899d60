"""What Route53 says when it refuses: a code, a status and a sentence."""


class Refused(Exception):  # noqa: N818 - it is what the service does, not an error of ours
    """A refusal, as the client sees it."""

    def __init__(self, code: str, sentence: str, status: int = 400) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code = code
        self.sentence = sentence
        self.status = status


def bad_batch(*sentences: str) -> Refused:
    """Return the refusal of a whole change batch, with one sentence for each fault."""
    return Refused("InvalidChangeBatch", f"[{', '.join(sentences)}]")


def bad_input(sentence: str) -> Refused:
    """Return the refusal of an argument."""
    return Refused("InvalidInput", sentence)
