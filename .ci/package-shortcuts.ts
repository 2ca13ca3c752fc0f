import { resolve } from 'node:path';

const RECEIVED_MESSAGES = `require(${JSON.stringify(resolve('dist/src/connect/received-messages.js'))})`;

/** Where packages take time that a run needs not, by file: the text, and what takes its place. */
export const SHORTCUTS: Readonly<Record<string, readonly (readonly [text: string, shortcut: string])[]>> = {
  // 4 % of a run. Not to a proxy: what leads the connection there listens to the socket's data.
  'mongodb/lib/cmap/connect.js': [
    [
      'net.createConnection(parseConnectOptions(options))',
      'net.createConnection(withReading(options, parseConnectOptions))',
    ],
    ['tls.connect(parseSslOptions(options))', 'tls.connect(withReading(options, parseSslOptions))'],
    [
      'tls: false,\n        proxyHost: undefined',
      'tls: false,\n        isToProxy: true,\n        proxyHost: undefined',
    ],
    [
      'async function makeSocket(',
      `function withReading(options, parsed) {
    return { ...parsed(options), ...(!options.isToProxy && ${RECEIVED_MESSAGES}.readingAtOnce()) };
}
async function makeSocket(`,
    ],
  ],
  'mongodb/lib/cmap/connection.js': [
    [
      "this.socket.on('close', this.onClose.bind(this));",
      `const received_1 = ${RECEIVED_MESSAGES};
        const messages = new received_1.ReceivedMessages(message => this.messageStream.take(message));
        this.socket.on(received_1.RECEIVED, (bytes, readNextInto) => {
            try {
                this.messageStream.keepWaiting();
                messages.add(bytes);
                readNextInto(messages.place);
            }
            catch (error) {
                this.messageStream.destroy(new error_1.MongoParseError(error.message));
            }
        });
        this.socket.on('close', this.onClose.bind(this));`,
    ],
    [
      '_transform(chunk, encoding, callback) {',
      `keepWaiting() {
        if (this.connection.delayedTimeoutId != null) {
            (0, timers_1.clearTimeout)(this.connection.delayedTimeoutId);
            this.connection.delayedTimeoutId = null;
        }
    }
    take(message) {
        if (!this.push(message))
            this.destroy(new error_1.MongoRuntimeError('SizedMessageTransform does not support backpressure'));
    }
    _transform(chunk, encoding, callback) {`,
    ],
  ],
  // 7 % of a run. Of documents that are asked for as raw BSON, nobody asks the driver for a field.
  'mongodb/lib/cmap/wire_protocol/responses.js': [
    [
      'const result = this.batch.get(this.iterated, bson_1.BSONType.object, true) ?? null;',
      `const [type, , , offset, length] = this.batch.elements[this.iterated];
        if (options?.raw && this.encryptedBatch === null && type === bson_1.BSONType.object) {
            this.iterated += 1;
            return this.batch.bson.subarray(offset, offset + length);
        }
        const result = this.batch.get(this.iterated, bson_1.BSONType.object, true) ?? null;`,
    ],
  ],
  // 25 ms. A report in plain characters asks for no segments.
  'string-width/index.js': [
    ['const segmenter = new Intl.Segmenter();', 'let segmenter;'],
    ['segmenter.segment(', '(segmenter ??= new Intl.Segmenter()).segment('],
    ['const visibleCharacterRegex = ', 'const visibleCharacterRegex = () => '],
    ['segment.search(visibleCharacterRegex)', 'segment.search(visibleCharacterRegex())'],
    ['visibleCharacterRegex.test(', 'visibleCharacterRegex().test('],
    ['const spacingMarkRegex = ', 'const spacingMarkRegex = () => '],
    ['spacingMarkRegex.test(', 'spacingMarkRegex().test('],
    ['const rgiEmojiRegex = ', 'const rgiEmojiRegex = () => '],
    ['rgiEmojiRegex.test(', 'rgiEmojiRegex().test('],
  ],
  'wrap-ansi/index.js': [
    ['const segmenter = new Intl.Segmenter();', 'let segmenter;'],
    ['of segmenter.segment(', 'of (segmenter ??= new Intl.Segmenter()).segment('],
  ],
  // Never called: each of its loaders is replaced.
  'lilconfig/src/index.js': [['await import(/* webpackIgnore: true */ fileUrl)', 'await Promise.reject(fileUrl)']],
  // 10 ms. Only a password for SCRAM-SHA-256 is prepared.
  'mongodb/lib/cmap/auth/scram.js': [
    ['const saslprep_1 = require("@mongodb-js/saslprep");', ''],
    ['saslprep_1.saslprep', 'require("@mongodb-js/saslprep").saslprep'],
  ],
};
