import { once } from 'node:events'
import { connect, isIPv4, isIPv6, type Socket } from 'node:net'
import type { KerfError } from '@kerf/runtime'
import { dashboardErrors } from './dashboard-errors.ts'

const VERSION = 5
const NO_PASSWORD = 0
const PASSWORD = 2
const CONNECT = 1
const ADDRESS = { ipv4: 1, name: 3, ipv6: 4 } as const
const DEFAULT_PORT = 1080

/** The meanings of the reply codes in RFC 1928, 6. */
const REFUSALS: readonly string[] = [
  '',
  'the proxy failed',
  'the proxy does not allow the connection',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'no answer in time',
]

const refusal = (problem: string): KerfError => dashboardErrors.ProxyRefused({ problem })

/** Reads exactly `bytes` bytes. Further bytes stay in the socket. */
const read = async (socket: Socket, bytes: number): Promise<Buffer> => {
  for (;;) {
    const chunk: unknown = socket.read(bytes)
    if (Buffer.isBuffer(chunk) && chunk.length === bytes) return chunk
    if (socket.readableEnded || socket.destroyed) throw refusal('the SOCKS5 proxy closed the connection')
    await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  }
}

const withLength = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

const logIn = async (socket: Socket, { username, password }: URL): Promise<void> => {
  const methods = username === '' ? [NO_PASSWORD] : [NO_PASSWORD, PASSWORD]
  socket.write(Buffer.from([VERSION, methods.length, ...methods]))
  const [version, method] = await read(socket, 2)
  if (version !== VERSION) throw refusal('the proxy does not speak SOCKS5')
  if (method === NO_PASSWORD) return
  if (method !== PASSWORD || username === '')
    throw refusal('the SOCKS5 proxy accepts none of the authentication methods')
  const [user, secret] = [username, password].map((each) => withLength(decodeURIComponent(each)))
  socket.write(Buffer.concat([Buffer.from([1]), user ?? Buffer.of(0), secret ?? Buffer.of(0)]))
  const [, status] = await read(socket, 2)
  if (status !== 0) throw refusal('the SOCKS5 proxy rejects the user name and password')
}

const addressOf = (host: string): Buffer => {
  if (isIPv4(host)) return Buffer.from([ADDRESS.ipv4, ...host.split('.').map(Number)])
  if (isIPv6(host)) {
    const list = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::')
    const [head = [], tail = []] = list.map((part) => part.split(':').filter((word) => word !== ''))
    const words = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail]
    return Buffer.from([
      ADDRESS.ipv6,
      ...words.flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 0xff]),
    ])
  }
  // Let the proxy resolve the name, because some names are known only to the proxy.
  return Buffer.concat([Buffer.from([ADDRESS.name]), withLength(host)])
}

/**
 * Connects to a server through a SOCKS5 proxy (RFC 1928, with password authentication from RFC 1929). The proxy
 * resolves the server's name.
 *
 * @throws Error with the proxy's reason, or with the reason why the proxy cannot be used
 */
export const connectThroughSocks5 = async (proxy: URL, host: string, port: number): Promise<Socket> => {
  const socket = connect(Number(proxy.port) || DEFAULT_PORT, proxy.hostname.replace(/^\[|\]$/g, ''))
  try {
    await once(socket, 'connect')
    await logIn(socket, proxy)
    const wanted = Buffer.from([port >> 8, port & 0xff])
    socket.write(Buffer.concat([Buffer.from([VERSION, CONNECT, 0]), addressOf(host), wanted]))
    const [, code = 1, , kind] = await read(socket, 4)
    if (code !== 0) throw refusal(REFUSALS[code] ?? `the SOCKS5 proxy returned ${code}`)
    const length = kind === ADDRESS.ipv4 ? 4 : kind === ADDRESS.ipv6 ? 16 : ((await read(socket, 1))[0] ?? 0)
    await read(socket, length + 2)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}
