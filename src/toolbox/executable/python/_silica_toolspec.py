"""The names under which tools for Silica look for their helper."""

from sightline_tool import generate_schema, generate_schemas_for_commands

__all__ = ["generate_schema", "generate_schemas_for_commands"]
