"""A model from a GGUF file, as a folder that the trainer loads: `python -m trainer.from_gguf FILE FOLDER`.

Belongs here: that one conversion, which needs the package `gguf`. Does not: fetching the file (`make smollm2` does for
one small model), or training.

Weights are what the file's quantization left of them, in float32.
"""

import sys
from pathlib import Path

from .failures import RecipeError


def convert(file: Path, folder: Path) -> None:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    try:
        given = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name}
        tokenizer = AutoTokenizer.from_pretrained(**given)
        read = AutoModelForCausalLM.from_pretrained(**given, dtype=torch.float32)
    except (OSError, ValueError, ImportError) as error:
        raise RecipeError(f"{file} cannot be read (is the package `gguf` there?): {error}") from error
    config = read.config.to_dict()
    config.pop("quantization_config", None)  # with it transformers takes the weights for quantized still
    plain = AutoModelForCausalLM.from_config(AutoConfig.for_model(**config))
    plain.load_state_dict(read.state_dict())
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return RecipeError.exit_status
    try:
        convert(Path(sys.argv[1]), Path(sys.argv[2]))
    except RecipeError as failure:
        print(f"trainer: {failure}", file=sys.stderr)
        return failure.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main())
