FROM python:3.11-slim

RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
WORKDIR /app

# An index that offers torch's CPU build (README, Where it runs, and what it downloads); empty: the package index's own build.
ARG TORCH_INDEX=""
RUN pip install --no-cache-dir ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch==2.13.0
COPY requirements.lock ./
RUN pip install --no-cache-dir --no-deps --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY assistant assistant
COPY connectors connectors
COPY workers workers
RUN pip install --no-cache-dir --no-deps .

RUN useradd --create-home brain && mkdir -p /data && chown brain /data
USER brain
ENV BRAIN_HOME=/data/home BRAIN_CACHE=/data/cache
VOLUME /data
ENTRYPOINT ["brain"]
CMD ["serve"]
