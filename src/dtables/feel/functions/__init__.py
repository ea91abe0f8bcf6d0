"""The meanings of the built-in functions, a module per kind; `feel.builtins` lists them all."""
