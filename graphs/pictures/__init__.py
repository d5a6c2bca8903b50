"""Pictures as plain geometry: where the points, lines and labels go. Templates turn them into SVG."""

from graphs.pictures.curve import Curve, CurvePoint, draw_curve
from graphs.pictures.groups import Group
from graphs.pictures.histogram import Bar, Histogram, draw_histogram
from graphs.pictures.network import Link, Network, Node, draw_network, draw_text
from graphs.pictures.radar import Radar, RadarAxis, draw_radar

__all__ = [
    "Bar",
    "Curve",
    "CurvePoint",
    "Group",
    "Histogram",
    "Link",
    "Network",
    "Node",
    "Radar",
    "RadarAxis",
    "draw_curve",
    "draw_histogram",
    "draw_network",
    "draw_radar",
    "draw_text",
]
