# One image for the five services and every command: `arreio serve NAME`, `arreio provision`, …
ARG PYTHON=3.11-slim-bookworm

FROM python:${PYTHON} AS build
WORKDIR /src
RUN python -m venv /opt/arreio && /opt/arreio/bin/python -m pip install --quiet --disable-pip-version-check uv
COPY requirements.image.lock ./
RUN /opt/arreio/bin/uv pip install --quiet --python /opt/arreio/bin/python --compile-bytecode --require-hashes \
      -r requirements.image.lock
COPY pyproject.toml README.md LICENSE ./
COPY contracts contracts
COPY shared shared
COPY services services
COPY migrations migrations
COPY arreio arreio
RUN /opt/arreio/bin/uv pip install --quiet --python /opt/arreio/bin/python --compile-bytecode --no-deps \
      --no-build-isolation . \
    && /opt/arreio/bin/uv pip uninstall --quiet --python /opt/arreio/bin/python setuptools uv

FROM python:${PYTHON}
# Snapshots of workspaces are kept by git. Languages that tasks need are for an image of your own to add.
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin arreio \
    && install -d -o arreio -g arreio -m 0700 /data
COPY --from=build /opt/arreio /opt/arreio
ENV PATH=/opt/arreio/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    ARREIO_HOME=/data/arreio
USER 10001:10001
WORKDIR /data
ENTRYPOINT ["arreio"]
CMD ["--help"]
