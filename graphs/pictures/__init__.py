"""Pictures as plain geometry: where the points, lines and labels go. Templates turn them into SVG."""

from graphs.pictures.network import Link, Network, Node, draw_network, draw_text
from graphs.pictures.radar import Radar, RadarAxis, draw_radar

__all__ = ["Link", "Network", "Node", "Radar", "RadarAxis", "draw_network", "draw_radar", "draw_text"]
