# The command `envfactory` and Dagster's UI, with the extras for Postgres and object stores. Tools that a model wrote run in
# a sandbox of their own in here too: Docker's default seccomp profile allows what it needs, and no capability is asked for.
#
#   docker build -t envfactory .
#   docker run --rm -v envfactory:/data -p 127.0.0.1:3000:3000 envfactory
FROM python:3.12-slim-bookworm

RUN useradd --uid 10001 --create-home envfactory && install --directory --owner envfactory /data
WORKDIR /app

COPY requirements.lock constraints.txt ./
RUN pip install --no-cache-dir --require-hashes --no-deps -r requirements.lock

COPY pyproject.toml setup.py README.md LICENSE ./
COPY envfactory_dagster envfactory_dagster
COPY trainer trainer
COPY deploy deploy
RUN pip install --no-cache-dir -c constraints.txt '.[postgres,s3]'

USER envfactory
ENV ENVFACTORY_HOME=/data
VOLUME /data
# What stays on the machine where the home is in an object store is written below the folder that a command is run in.
WORKDIR /data
EXPOSE 3000
CMD ["envfactory", "ui", "--host", "0.0.0.0"]
