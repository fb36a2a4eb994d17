import { createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { clientOf, failureOf, json, listening, node, served } from '../testing/http-fixture.ts'

describe('an answer that stops half-way', () => {
  test('is given up after the time that is allowed, and a watch that is silent for as long is not', async () => {
    let wake = (): void => {}
    const { client, server } = await served(
      ({ url }, response) => {
        response.writeHead(200).write(url.includes('watch') ? '\n' : '{"kind":')
        if (url.includes('watch'))
          wake = () => response.end(`${JSON.stringify({ type: 'ADDED', object: node('a') })}\n`)
      },
      { answerTimeout: 500 },
    )
    const watched = (async () => {
      const names: (string | undefined)[] = []
      for await (const event of client.watch(kinds.Node, {})) {
        if (event.type === 'ADDED') names.push(event.object.metadata.name)
      }
      return names
    })()
    const failure = await failureOf(client.get(kinds.Node, { name: 'a' }))
    expect(failure).toMatchObject({ code: 0, message: `cannot reach ${server}: the answer stopped half-way` })
    wake()
    expect(await watched).toEqual(['a'])
  })
})

/** A proxy as RFC 1928 tells, without passwords; `reached` is what its clients wanted. */
const socks5 = (reached: string[]): Promise<number> => {
  const proxy = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', (wish) => {
        const port = wish.readUInt16BE(wish.length - 2)
        const host = wish[3] === 1 ? wish.subarray(4, 8).join('.') : wish.subarray(5, -2).toString('latin1')
        reached.push(`${host}:${port}`)
        const server = connect(port, host, () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
          server.pipe(socket).pipe(server)
        })
        server.on('error', () => socket.destroy())
      })
    })
  })
  return listening(proxy)
}

test('goes through a SOCKS5 proxy', async () => {
  const reached: string[] = []
  const port = await listening(createServer((_request, response) => json(response, node('a'))))
  const proxyUrl = `socks5://127.0.0.1:${await socks5(reached)}`
  const client = clientOf({ server: `http://127.0.0.1:${port}`, proxyUrl })
  await client.get(kinds.Node, { name: 'a' })
  expect(reached).toEqual([`127.0.0.1:${port}`])
})
