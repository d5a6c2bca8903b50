"""Tests of the margins: do raters use the levels alike, and is one of them stricter?"""
