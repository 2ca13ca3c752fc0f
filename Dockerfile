# mongolint as an image: docker build --tag mongolint . && docker run --rm --read-only --env MONGODB_URI mongolint
FROM node:22-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# The package as it is published.
RUN npm run build && npm pack --ignore-scripts && mkdir package && tar -xzf mongolint-*.tgz -C package --strip-components=1 && chmod +x package/dist/bundle/cli.js

FROM node:22-slim
# Packages that the driver uses only if a connection string asks for them, such as "socks @aws-sdk/credential-providers".
ARG PACKAGES=""
ENV NODE_ENV=production
WORKDIR /opt/mongolint
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && if [ -n "$PACKAGES" ]; then npm install --no-save --omit=dev $PACKAGES; fi
COPY --from=build /build/package ./
# Seeds the servers of docker-compose.yml, and is not published.
COPY --from=build /build/dist/bundle/seed-cluster.js dist/bundle/
RUN ln -s /opt/mongolint/dist/bundle/cli.js /usr/local/bin/mongolint
# By number, so that Kubernetes can tell that it is not root. It owns none of the files above.
USER 1000
# Where a configuration is mounted, and reports and the baseline are written.
WORKDIR /data
ENTRYPOINT ["mongolint"]
