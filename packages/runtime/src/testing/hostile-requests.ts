/** The bytes of a valid or malformed request. */
export interface HostileRequest {
  readonly name: string
  readonly bytes: string | Buffer
  /** Whether the request is incomplete, so that the client closes the connection after it. */
  readonly unfinished?: boolean
}

const HOST = 'Host: localhost\r\n'
const CLOSE = 'Connection: close\r\n'

const ofTarget = (target: string, method = 'GET'): string => `${method} ${target} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`

/** Returns requests with targets that a server must refuse or use unchanged (RFC 9112, 3). `prefix` comes before each path. */
export const hostileTargets = (prefix: string): readonly HostileRequest[] => {
  const paths: Readonly<Record<string, string>> = {
    'two slashes': '//',
    'two slashes and a host': '//[::1',
    'two slashes and a user': '//user:password@host:99999/path',
    'many slashes': '/'.repeat(5_000),
    'an escape that is none': '/%zz',
    'half an escape': '/a%',
    'an escaped NUL': '/%00',
    'escapes that are no UTF-8': '/%ff%fe',
    'overlong UTF-8': '/%c0%ae%c0%ae/',
    'raw bytes': '/\x80\xff',
    'a NUL': '/\x00',
    'a control character': '/\x07',
    'a way out': '/../../../../etc/passwd',
    'an escaped way out': '/%2e%2e/%2e%2e/%2e%2e%2fetc/passwd',
    backslashes: '/\\\\host\\share',
    'a bracket': '/[',
    'a port': '/:80',
    'a fragment': '/#a',
    'a space': '/a b',
    'a long query': `/?${'a=b&'.repeat(2_500)}`,
    'a longer path than any server takes': `/${'a'.repeat(100_000)}`,
    'a query with escapes that are none': '/?watch=%zz&labelSelector=%',
  }
  const lines = Object.entries(paths).map(([name, path]) => ({
    name: `a target with ${name}${prefix === '' ? '' : ` below ${prefix}`}`,
    bytes: ofTarget(`${prefix}${path}`),
  }))
  const whole: Readonly<Record<string, string>> = {
    'in absolute form': ofTarget(`http://localhost${prefix}/`),
    'in absolute form with a host that is none': ofTarget(`http://[::1${prefix}/`),
    'in absolute form without a host': ofTarget(`http://${prefix}`),
    'of another scheme': ofTarget('file:///etc/passwd'),
    'of a script': ofTarget('javascript:alert(1)'),
    'that is a star': ofTarget('*'),
    'that is a star, for OPTIONS': ofTarget('*', 'OPTIONS'),
    'that is a query': ofTarget('?a=b'),
    'that is a fragment': ofTarget('#a'),
    'that is empty': ofTarget(''),
    'that is a name': ofTarget('metrics'),
    'for a tunnel': 'CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n',
    'for a tunnel to a path': 'CONNECT // HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'with TRACE': ofTarget(`${prefix}/`, 'TRACE'),
    'with an unknown method': ofTarget(`${prefix}/`, 'BREW'),
    'with a method in lower case': ofTarget(`${prefix}/`, 'get'),
  }
  return [...lines, ...Object.entries(whole).map(([name, bytes]) => ({ name: `a target ${name}`, bytes }))]
}

/** Returns requests with malformed headers. Valid requests to `path` would succeed. */
export const hostileHeads = (path: string): readonly HostileRequest[] => {
  const head = (...lines: readonly string[]): string =>
    `GET ${path} HTTP/1.1\r\n${[...lines, 'Connection: close'].map((line) => `${line}\r\n`).join('')}\r\n`
  const host = 'Host: localhost'
  const requests: Readonly<Record<string, string | Buffer>> = {
    'no host': head(),
    'two hosts': head(host, 'Host: other'),
    'a host that is none': head('Host: [::1'),
    'a line without a colon': head(host, 'nothing'),
    'a name with a space': head(host, 'a b: c'),
    'an empty name': head(host, ': c'),
    'a NUL in a value': head(host, 'a: b\x00c'),
    'a bare line feed': `GET ${path} HTTP/1.1\nHost: localhost\nConnection: close\n\n`,
    'a bare carriage return': head(host, 'a: b\rc: d'),
    'a folded line': head(host, 'a: b\r\n c'),
    'a long value': head(host, `a: ${'b'.repeat(100_000)}`),
    'ten thousand lines': head(host, ...Array.from({ length: 10_000 }, (_, i) => `a${i}: b`)),
    'a length that is no number': head(host, 'Content-Length: ten'),
    'a negative length': head(host, 'Content-Length: -1'),
    'two lengths': head(host, 'Content-Length: 0', 'Content-Length: 5'),
    'a length beyond all numbers': head(host, 'Content-Length: 99999999999999999999999999'),
    'a length and chunks': `${head(host, 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    'an unknown encoding': head(host, 'Transfer-Encoding: moon'),
    'a wrong expectation': head(host, 'Expect: the-moon'),
    'an upgrade to HTTP/2': head(
      host,
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ),
    'a prototype': head(host, '__proto__: a', 'constructor: b', 'hasOwnProperty: c'),
    'an unknown version': `GET ${path} HTTP/9.9\r\n${HOST}\r\n`,
    'no version': `GET ${path}\r\n\r\n`,
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a TLS handshake': Buffer.from('16030100f8010000f40303'.padEnd(506, '5a'), 'hex'),
    'bytes of no protocol': Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 31 + 7) % 256)),
  }
  const empty = { name: 'a head of empty lines', bytes: '\r\n'.repeat(100), unfinished: true }
  return [...Object.entries(requests).map(([name, bytes]) => ({ name: `a head with ${name}`, bytes })), empty]
}

/** A request that may have a body: its method, its path, and the headers that authorize the client. */
export interface BodyTarget {
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
}

/** Returns requests whose bodies do not match their headers, or that the server must refuse. */
export const hostileBodies = ({ method, path, headers }: BodyTarget): readonly HostileRequest[] => {
  const head = (...lines: readonly string[]): string =>
    `${method} ${path} HTTP/1.1\r\n${['Host: localhost', 'Connection: close', ...headers, ...lines].map((line) => `${line}\r\n`).join('')}\r\n`
  const sized = (type: string, body: string): string =>
    `${head(`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body, 'latin1')}`)}${body}`
  const json = 'application/json'
  const deep = '['.repeat(500_000)
  const whole: Readonly<Record<string, string>> = {
    'no body': head('Content-Length: 0'),
    'half a JSON document': sized(json, '{"a":'),
    'JSON that is no object': sized(json, '"a"'),
    'a null': sized(json, 'null'),
    'JSON that is deep and broken': sized(json, deep),
    'JSON that is deep': sized(json, `${deep}${']'.repeat(500_000)}`),
    'an object that is deep': sized(json, `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    'a prototype': sized(json, '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
    NULs: sized(json, '\x00'.repeat(1_000)),
    'bytes that are no UTF-8': sized(json, '{"a":"\xff\xfe"}'),
    'aliases that multiply': sized('application/yaml', aliases()),
    'YAML that is none': sized('application/yaml', 'a: [b\n\t: {'),
    'bytes for protobuf': sized('application/vnd.kubernetes.protobuf', 'k8s\x00\xff\xff\xff\xff\xff'),
    'an unknown type': sized('moon/cheese', 'a'),
    'more than any server takes': sized(json, `"${'a'.repeat(4_000_000)}"`),
    'more than any server takes, in chunks': `${head(`Content-Type: ${json}`, 'Transfer-Encoding: chunked')}3d0900\r\n${'a'.repeat(4_000_000)}\r\n0\r\n\r\n`,
    'a chunk whose size is none': `${head('Transfer-Encoding: chunked')}zz\r\na\r\n0\r\n\r\n`,
    'a chunk beyond all numbers': `${head('Transfer-Encoding: chunked')}ffffffffffffffffff\r\na`,
  }
  const unfinished: Readonly<Record<string, string>> = {
    'less than it says': `${head(`Content-Type: ${json}`, 'Content-Length: 1000')}{"a":`,
    'half a chunk': `${head('Transfer-Encoding: chunked')}10\r\nabc`,
    'an expectation and no body': head('Expect: 100-continue', 'Content-Length: 10'),
  }
  return [
    ...Object.entries(whole).map(([name, bytes]) => ({ name: `a body of ${name}`, bytes })),
    ...Object.entries(unfinished).map(([name, bytes]) => ({ name: `a body of ${name}`, bytes, unfinished: true })),
  ]
}

/** Returns YAML in which each line refers to the line above ten times. */
const aliases = (): string => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let i = 1; i < 10; i++)
    lines.push(`a${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(', ')}]`)
  return lines.join('\n')
}

/** Returns the headers of a WebSocket handshake (RFC 6455, 4.1). */
export const webSocketHead = (path: string, headers: readonly string[] = []): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
    '',
    '',
  ].join('\r\n')

/** Returns invalid WebSocket handshakes. */
export const hostileUpgrades = (path: string, headers: readonly string[]): readonly HostileRequest[] => {
  const good = webSocketHead(path, headers)
  const requests: Readonly<Record<string, string>> = {
    'without a key': good.replace(/Sec-WebSocket-Key: .*\r\n/, ''),
    'with a key that is none': good.replace(/Sec-WebSocket-Key: .*\r\n/, 'Sec-WebSocket-Key: a\r\n'),
    'of an unknown version': good.replace('Version: 13', 'Version: 99'),
    'with another method': good.replace(/^GET/, 'POST'),
    'to another protocol': good.replace('Upgrade: websocket', 'Upgrade: h2c'),
    'with protocols that are none': good.replace(
      'Upgrade: websocket',
      'Upgrade: websocket\r\nSec-WebSocket-Protocol: ,,a b,',
    ),
    'with an escape that is none': webSocketHead(`${path}/%zz`, headers),
    'with two slashes': webSocketHead(`//${path}`, headers),
    'with frames that are none': `${good}${'\xff'.repeat(1_000)}`,
  }
  return Object.entries(requests).map(([name, bytes]) => ({ name: `a WebSocket ${name}`, bytes, unfinished: true }))
}
