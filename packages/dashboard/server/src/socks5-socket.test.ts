import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectThroughSocks5 } from './socks5-socket.ts'

const NO_PASSWORD = [5, 0]
const PASSWORD = [5, 2]
const LOGGED_IN = [1, 0]
const IPV4_REPLY = [5, 0, 0, 1, 127, 0, 0, 1, 4, 210]

/**
 * Starts a proxy that answers each message with the next of `replies`, and closes the connection after the last one is used. Returns its
 * URL and the messages that it has received.
 */
const startProxy = async (
  replies: readonly (readonly number[])[],
  login = '',
): Promise<{ readonly url: URL; readonly received: readonly (readonly number[])[] }> => {
  const received: number[][] = []
  const server = createServer((socket) => {
    const left = [...replies]
    socket.on('error', () => socket.destroy())
    onTestFinished(() => void socket.destroy())
    socket.on('data', (data) => {
      received.push([...data])
      const reply = left.shift()
      if (reply === undefined) socket.destroy()
      else socket.write(Buffer.from(reply))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: new URL(`socks5://${login}127.0.0.1:${(server.address() as AddressInfo).port}`), received }
}

test.each([
  [1, 'the proxy failed'],
  [2, 'the proxy does not allow the connection'],
  [3, 'network unreachable'],
  [4, 'host unreachable'],
  [5, 'connection refused'],
  [6, 'no answer in time'],
  [7, 'the SOCKS5 proxy returned 7'],
])('a reply with code %i is reported as "%s"', async (code, problem) => {
  const { url } = await startProxy([NO_PASSWORD, [5, code, 0, 1, 0, 0, 0, 0, 0, 0]])
  await expect(connectThroughSocks5(url, 'api.example', 6443)).rejects.toMatchObject({
    code: 'ProxyRefused',
    parameters: { problem },
  })
})

test.each([
  ['an IPv4 address', IPV4_REPLY],
  ['an IPv6 address', [5, 0, 0, 4, ...new Array<number>(15).fill(0), 1, 4, 210]],
  ['a name', [5, 0, 0, 3, 9, ...Buffer.from('localhost'), 4, 210]],
])('the bytes of the server begin after the reply, which contains %s', async (_kind, reply) => {
  const { url } = await startProxy([NO_PASSWORD, [...reply, ...Buffer.from('hello')]])
  const socket = await connectThroughSocks5(url, 'api.example', 6443)
  onTestFinished(() => void socket.destroy())
  const [data] = (await once(socket, 'data')) as [Buffer]
  expect(String(data)).toBe('hello')
})

test.each([
  ['api.example', [3, 11, ...Buffer.from('api.example')]],
  ['192.0.2.1', [1, 192, 0, 2, 1]],
  ['2001:db8::7', [4, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]],
  ['1:2:3:4:5:6:7:ffff', [4, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0xff, 0xff]],
  ['::', [4, ...new Array<number>(16).fill(0)]],
])('the request for %s contains its address and its port', async (host, address) => {
  const { url, received } = await startProxy([NO_PASSWORD, IPV4_REPLY])
  const socket = await connectThroughSocks5(url, host, 6443)
  socket.destroy()
  expect(received).toEqual([
    [5, 1, 0],
    [5, 1, 0, ...address, 0x19, 0x2b],
  ])
})

test('a user name and a password are sent if the proxy asks for them', async () => {
  const { url, received } = await startProxy([PASSWORD, LOGGED_IN, IPV4_REPLY], 'ada:p%40ss@')
  const socket = await connectThroughSocks5(url, 'api.example', 6443)
  socket.destroy()
  expect(received.slice(0, 2)).toEqual([
    [5, 2, 0, 2],
    [1, 3, ...Buffer.from('ada'), 4, ...Buffer.from('p@ss')],
  ])
})

test('a user name and a password are not sent if the proxy does not ask for them', async () => {
  const { url, received } = await startProxy([NO_PASSWORD, IPV4_REPLY], 'ada:secret@')
  const socket = await connectThroughSocks5(url, 'api.example', 6443)
  socket.destroy()
  expect(received.map(([, second]) => second)).toEqual([2, 1])
})

const NO_METHOD = 'the SOCKS5 proxy accepts none of the authentication methods'

test.each([
  ['asks for a password that the URL does not have', [PASSWORD], '', NO_METHOD],
  ['accepts no method', [[5, 0xff]], 'ada:secret@', NO_METHOD],
  ['has another version', [[4, 0]], '', 'the proxy does not speak SOCKS5'],
  ['rejects the password', [PASSWORD, [1, 1]], 'ada:secret@', 'the SOCKS5 proxy rejects the user name and password'],
  ['closes the connection', [NO_PASSWORD], '', 'the SOCKS5 proxy closed the connection'],
])('a proxy that %s is reported', async (_what, replies, login, problem) => {
  const { url } = await startProxy(replies, login)
  await expect(connectThroughSocks5(url, 'api.example', 6443)).rejects.toMatchObject({ parameters: { problem } })
})
