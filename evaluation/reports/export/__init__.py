"""The study export: a zip of files that another laboratory can read without us (docs/exports.md)."""
