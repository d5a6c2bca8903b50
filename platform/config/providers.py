"""Who else may sign people in: ORCID and one OpenID Connect provider, from environment variables."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config import environment as env

ORCID = "https://orcid.org"


def from_environment() -> list[dict[str, Any]]:
    """The providers whose variables are set, as django-allauth wants them; none by default.

    ORCID speaks OpenID Connect, but knows one scope only, and gives no address.
    """
    found = []
    if client := env.text("ORCID_CLIENT_ID", ""):
        server = env.text("ORCID_SERVER_URL", ORCID)
        found.append(_app("orcid", "ORCID", client, env.text("ORCID_CLIENT_SECRET"), server, scope=["openid"]))
    if client := env.text("OIDC_CLIENT_ID", ""):
        name = env.text("OIDC_NAME", "OpenID Connect")
        found.append(_app("openid", name, client, env.text("OIDC_CLIENT_SECRET"), env.text("OIDC_SERVER_URL")))
    return found


def _app(key: str, name: str, client: str, secret: str, server: str, **settings: Any) -> dict[str, Any]:
    if not server.startswith(("https://", "http://localhost", "http://127.0.0.1")):
        raise ImproperlyConfigured(f"The address of {name} is {server!r}; it must begin with https://.")
    return {
        "provider_id": key,
        "name": name,
        "client_id": client,
        "secret": secret,
        "settings": {"server_url": server.rstrip("/"), **settings},
    }
