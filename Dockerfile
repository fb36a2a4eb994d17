# syntax=docker/dockerfile:1

# What the chart runs: Node without a shell or a package manager, and the program in one file. `npm run image` makes what is
# copied; `npm run image:contents` lists it. For every platform of the base image:
#
#   npm run image && docker buildx build --platform linux/amd64,linux/arm64 --tag registry.example/kerf/controller:0.1.0 .
#
# The tag says what it is: Node of the major version that a clone pins, on Debian 13, as user 65532. The digest is what is
# built from: an index of all platforms, so that a build of tomorrow is the build of today. Dependabot moves it.
ARG BASE=gcr.io/distroless/nodejs24-debian13:nonroot@sha256:fbbdda866ea71aef98c4abece17e3d61fbf820cc2ef3961522caa2478716171a

# V8 compiles the file here, once for each platform, instead of at each start. What it keeps holds for this file in this place,
# this Node, its options and this user; for others Node compiles as ever.
FROM ${BASE} AS compiled
COPY dist/image/kerf.mjs /app/kerf.mjs
ENV NODE_COMPILE_CACHE=/home/nonroot/compile-cache \
    NODE_OPTIONS=--max-semi-space-size=8
RUN ["/nodejs/bin/node", "/app/kerf.mjs", "--version"]

FROM ${BASE}
COPY dist/image/ /app/
COPY --from=compiled /home/nonroot/compile-cache/ /app/compile-cache/
# Node 24 lets new objects take 128 MiB before it looks for garbage among them; the C library keeps what it got from the
# kernel apart for each thread, and what is freed below something in use. A controller at rest would hold twice of what it
# needs (`npm run bench:start`).
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/compile-cache \
    NODE_OPTIONS=--max-semi-space-size=8 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=16384 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    KERF_PROVIDER=aws
USER 65532:65532
WORKDIR /app
# Metrics and probes. Nothing is written: the root may be read-only.
EXPOSE 8080 8081
# Settings come as environment variables or flags, as for Karpenter's image, so that either can be put in place of the other.
ENTRYPOINT ["/nodejs/bin/node", "/app/kerf.mjs", "run"]
LABEL org.opencontainers.image.title="Kerf" \
      org.opencontainers.image.description="A node autoscaler for Kubernetes that speaks Karpenter's API" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0"
