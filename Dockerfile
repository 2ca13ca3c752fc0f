# mongolint as an image: docker build --tag mongolint . && docker run --rm --read-only --env MONGODB_URI mongolint
FROM node:22-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && chmod +x dist/bundle/cli.js

FROM node:22-slim
# Packages that the driver uses only if a connection string asks for them, such as "socks @aws-sdk/credential-providers".
ARG PACKAGES=""
ENV NODE_ENV=production
WORKDIR /opt/mongolint
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && if [ -n "$PACKAGES" ]; then npm install --no-save --omit=dev $PACKAGES; fi
COPY --from=build /build/dist/bundle dist/bundle
COPY --from=build /build/checks checks
COPY --from=build /build/src/report/html src/report/html
RUN ln -s /opt/mongolint/dist/bundle/cli.js /usr/local/bin/mongolint
# By number, so that Kubernetes can tell that it is not root. It owns none of the files above.
USER 1000
# Where a configuration is mounted, and reports and the baseline are written.
WORKDIR /data
ENTRYPOINT ["mongolint"]
