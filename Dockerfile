# mongolint as an image: docker build --tag mongolint . && docker run --rm --read-only --env MONGODB_URI mongolint
FROM node:22-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && chmod +x dist/bundle/cli.cjs

FROM node:22-slim
ENV NODE_ENV=production
WORKDIR /opt/mongolint
COPY --from=build /build/package.json ./
COPY --from=build /build/dist/bundle dist/bundle
COPY --from=build /build/checks checks
RUN ln -s /opt/mongolint/dist/bundle/cli.cjs /usr/local/bin/mongolint
# By number, so that Kubernetes can tell that it is not root. It owns none of the files above.
USER 1000
# Where a configuration is mounted, and reports and the baseline are written.
WORKDIR /data
ENTRYPOINT ["mongolint"]
