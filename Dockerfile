# syntax=docker/dockerfile:1
# docs/deploying.md says how to run the image. To build it for both amd64 and arm64: docker buildx build --platform linux/amd64,linux/arm64 --sbom=true .
FROM node:26-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/build.ts
# Removes npm's Node packages, because the base image has Node, and the packages that only the studio's build needs.
RUN npm prune --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/node-bin-* node_modules/node-darwin-* node_modules/node-win-* node_modules/.cache \
    node_modules/lucide-react node_modules/react-aria* node_modules/react-stately node_modules/@tanstack \
    node_modules/typescript node_modules/@typescript \
  && mkdir /empty

# No shell, no package manager: glibc, libstdc++, certificates and time zones.
FROM gcr.io/distroless/cc-debian13:nonroot
WORKDIR /app
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/db ./db
COPY --from=build /app/src ./src
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/build ./build
COPY --from=build --chown=65532:65532 /empty /data
COPY --from=build --chown=65532:65532 /empty /assets
ENV NODE_ENV=production PORT=3000 DATA_DIR=/data ASSETS_DIR=/assets
VOLUME ["/data", "/assets"]
EXPOSE 3000
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["/usr/local/bin/node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node"]
CMD ["src/main.ts"]
