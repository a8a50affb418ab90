"""The contract of pyproject.toml that import-linter lacks: an allow-list of what packages import."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.application.contract_utils import AlertLevel, remove_ignored_imports_and_report


class AllowListContract(Contract):
    """``importers`` import themselves, each other, ``allowed`` packages of the project and ``libraries``.

    The standard library is open to all.  ``ignore_imports`` are the exceptions; one that isn't needed is an
    error.  Imports inside of functions count, and those for type checkers only.
    """

    type_name = "allow_list"

    importers = fields.ListField(subfield=fields.StringField())
    allowed = fields.ListField(subfield=fields.StringField(), required=False, default=[])
    libraries = fields.ListField(subfield=fields.StringField(), required=False, default=[])
    ignore_imports = fields.SetField(subfield=fields.ImportExpressionField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Find the imports that are not in the list."""
        missing = [name for name in (*self.importers, *self.allowed) if name not in graph.modules]
        if missing:
            raise ValueError(f"the contract names what is not there: {', '.join(missing)}")
        ignored = remove_ignored_imports_and_report(
            graph=graph, ignore_imports=self.ignore_imports, unmatched_alerting=AlertLevel.ERROR
        )
        found = sorted(self._forbidden(graph))
        return ContractCheck(kept=not found, warnings=list(ignored.warnings), metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each import that is not in the list."""
        for importer, imported in check.metadata["found"]:
            output.print_error(f"{importer} must not import {imported}")

    def _forbidden(self, graph: ImportGraph) -> Iterator[tuple[str, str]]:
        own = [*self.importers, *self.allowed]
        libraries = {*sys.stdlib_module_names, "_typeshed", *self.libraries}
        for importer in graph.modules:
            if _is_within(importer, self.importers):
                for imported in graph.find_modules_directly_imported_by(importer):
                    if not _is_within(imported, own) and imported.partition(".")[0] not in libraries:
                        yield importer, imported


def _is_within(module: str, packages: list[str]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)
