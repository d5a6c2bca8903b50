"""One settings file; what differs between installations comes from the environment (docs/operations.md)."""

import sys
from datetime import timedelta
from pathlib import Path

from config import environment as env
from config import providers

BASE_DIR = Path(__file__).resolve().parent.parent.parent
# An installed wheel has templates/ beside the packages, a check-out has it at its root.
TEMPLATES_DIR = next(
    place / "templates"
    for place in (BASE_DIR, BASE_DIR / "..", Path(__file__).resolve().parent.parent)
    if (place / "templates").is_dir()
)
TESTING = "pytest" in sys.modules

DEBUG = env.flag("DEBUG")
SECRET_KEY = env.text("SECRET_KEY", "only-for-tests-and-local-commands" if (DEBUG or TESTING) else None)
ALLOWED_HOSTS = env.listed("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.listed("CSRF_TRUSTED_ORIGINS")
STATE_DIR = Path(env.text("STATE_DIR", str(BASE_DIR / ".state")))
SITE_URL = env.text("SITE_URL", "http://localhost:8000")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    "django_htmx",
    "accounts",
    "corpora",
    "generation",
    "graphs",
    "evaluation",
    "rating",
    "studio",
    "config",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [TEMPLATES_DIR],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASES = {"default": env.database("DATABASE_URL", "postgresql://kappagraph@localhost/kappagraph")}
DATABASES["default"]["CONN_MAX_AGE"] = 60
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.text("REDIS_URL", "redis://localhost:6379/0")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": env.cache_url(REDIS_URL, database=1),
    },
    # Pieces of pages that many requests of a process share.
    "fragments": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "fragments"},
}

# Sign-in. Invited reviewers need no password: a link or a mailed code lets them in; researchers sign in with one.
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
ACCOUNT_ADAPTER = "accounts.adapter.ClosedSignupAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # said by our own forms, since there is no sign-up to point to
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = int(timedelta(minutes=10).total_seconds())
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_SESSION_REMEMBER = None  # a box on the sign-in page asks
ACCOUNT_FORMS = {
    "login": "accounts.forms.SignInForm",
    "request_login_code": "accounts.forms.CodeForm",
    "confirm_login_code": "accounts.forms.TypedCodeForm",
    "set_password": "accounts.forms.NewPasswordForm",
    "change_password": "accounts.forms.OtherPasswordForm",
    "reset_password": "accounts.forms.ResetForm",
    "reset_password_from_key": "accounts.forms.ForgottenPasswordForm",
}
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "10/m/ip,5/300s/key",
    "change_password": "5/m/user",
    "request_login_code": "20/m/ip,3/m/key",
    "reset_password": "20/m/ip,5/m/key",
    "mail_code": "5/m/user,20/h/user,3/m/key",
    "join": "120/m/ip",
    "register": "30/m/ip,300/h/ip",
    "own_data": "10/m/user",
}
# Sign-in elsewhere: each provider is there once its variables are set, and nobody is called before a person asks.
SOCIALACCOUNT_ADAPTER = "rating.sign_up.InvitedOnlyAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": providers.from_environment()}}
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

# Mail goes to the console unless a server is named.
EMAIL_HOST = env.text("EMAIL_HOST", "")
EMAIL_PORT = env.whole_number("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=True)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Kappagraph <kappagraph@localhost>")

# Each language is named in itself; its catalogue is in config/locale (docs/architecture.md, "Languages").
LANGUAGES = [("en", "English"), ("es", "Español")]
LANGUAGE_CODE = env.one_of("LANGUAGE_CODE", dict(LANGUAGES), "en")
LOCALE_PATHS = [Path(__file__).resolve().parent / "locale"]
LANGUAGE_COOKIE_AGE = int(timedelta(days=365).total_seconds())
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = STATE_DIR / "static"
MEDIA_ROOT = STATE_DIR / "media"
# Django's and our own static files are served under hashed names by the web process itself.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if not (DEBUG or TESTING)
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG or TESTING
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.TemporaryFileUploadHandler"]
IMPORT_MAX_MEGABYTES = env.whole_number("IMPORT_MAX_MEGABYTES", 200)

# Security. HTTPS=1 says that a proxy in front speaks TLS and sets X-Forwarded-Proto.
HTTPS = env.flag("HTTPS")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
# Failed sign-ins are counted by the visitor's address, which the proxy passes on, and not by that of the proxy.
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if HTTPS else 0
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_HSTS_SECONDS = 31536000 if HTTPS else 0
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = int(timedelta(days=14).total_seconds())
SESSION_ENGINE = "config.sessions"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

# Queue. A message is only a hint: the database row holds the lease (leases/services.py).
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 43200}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "cpu"
# `query` stays short, so that a person's question is answered at once; `gpu` keeps models loaded, one process a device.
CELERY_TASK_ROUTES = {
    "corpora.import": {"queue": "io"},
    "corpora.embed": {"queue": "gpu"},
    "corpora.retrieve": {"queue": "query"},
    "generation.generate": {"queue": "gpu"},
    "graphs.score": {"queue": "cpu"},
    "graphs.draw_null": {"queue": "cpu"},
    "evaluation.write_export": {"queue": "cpu"},
    "evaluation.remind": {"queue": "io"},
    "evaluation.remind_all": {"queue": "io"},
    "leases.sweep": {"queue": "io"},
}
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
LEASE_SECONDS = env.whole_number("LEASE_SECONDS", 60)
SWEEP_SECONDS = env.whole_number("SWEEP_SECONDS", 15)
REMINDER_SECONDS = env.whole_number("REMINDER_SECONDS", 3600)
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "leases.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"queue": "io", "expires": SWEEP_SECONDS},
    },
    "remind": {
        "task": "evaluation.remind_all",
        "schedule": REMINDER_SECONDS,
        "options": {"queue": "io", "expires": REMINDER_SECONDS},
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
    "loggers": {"httpx": {"level": "WARNING"}},
}
