"""Certificates that were tampered with are exported or refused, never a crash."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.app.reports import page_of_document
from synth.trusted.errors import CertificateError
from synth.trusted.kernel.check import parse
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import BadTerm
from synth.views.certificate.latex import latex
from synth.views.certificate.smtlib import smtlib_files
from synth.views.certificate.steps import reading
from synth.views.certificate.text import text
from tests.unit.views.exporting import MECHANISMS, golden

CERTIFICATES = [json.loads(golden(name)) for name in MECHANISMS]
Place = tuple[Any, int | str]


def places(data: Any) -> Iterator[Place]:
    """All members of all objects and lists."""
    keys = list(data) if isinstance(data, dict) else list(range(len(data))) if isinstance(data, list) else []
    for key in keys:
        yield data, key
        yield from places(data[key])


@st.composite
def tampered(draw: st.DrawFn) -> str:
    """A golden certificate in which some values are replaced by others of its values, or are missing."""
    data = deepcopy(draw(st.sampled_from(CERTIFICATES)))
    for _ in range(draw(st.integers(1, 3))):
        found = [place for place in places(data) if place[1] != "text"]
        holder, key = draw(st.sampled_from(found))
        source, other = draw(st.sampled_from(found))
        strange = st.sampled_from(
            ["true", "(- 1)", "|eps<>|", "1.0", "(/ 1.0 0.0)", "Cond-L", [], {}, None, 7]
        )
        if draw(st.booleans()) and isinstance(holder, dict):
            del holder[key]
        else:
            holder[key] = deepcopy(source[other]) if draw(st.booleans()) else draw(strange)
    return json.dumps(data)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(tampered())
def test_tampered_certificates_have_a_page_or_are_refused(certificate: str) -> None:
    with contextlib.suppress(Rejected, BadTerm, CertificateError):
        page_of_document(certificate, lambda why: CertificateError(why))


@settings(max_examples=300, deadline=None)
@given(tampered())
def test_tampered_certificates_are_exported_or_refused(certificate: str) -> None:
    try:
        source = reading(parse(certificate))
        text(source)
        latex(source)
        smtlib_files(source)
    except (Rejected, BadTerm):
        pass
