import { createServer } from 'node:http'
import { Socket } from 'node:net'
import { kinds } from '@kerf/apis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { fixtureClient, json, listening, node, rejection, served, socks5 } from '../testing/http-fixture.ts'

describe('a response that stops before its end', () => {
  test('fails after the response timeout, while a watch may be silent for longer', async () => {
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
    const failure = await rejection(client.get(kinds.Node, { name: 'a' }))
    expect(failure).toMatchObject({ code: 0, message: `cannot reach ${server}: the response was incomplete` })
    wake()
    expect(await watched).toEqual(['a'])
  })
})

test('the kernel checks an idle connection after 15 seconds, and a watch over HTTP/1.1 lasts at most 40 seconds', async () => {
  const probed = vi.spyOn(Socket.prototype, 'setKeepAlive')
  onTestFinished(() => probed.mockRestore())
  const { client, seen } = await served((_request, response) => response.end())
  for await (const _event of client.watch(kinds.Node, { timeoutSeconds: 300 })) throw new Error('no event was sent')
  expect(probed.mock.calls).toEqual([[true, 15_000]])
  expect(seen[0]?.url).toContain('timeoutSeconds=40')
})

test('connects through a SOCKS5 proxy', async () => {
  const reached: string[] = []
  const port = await listening(createServer((_request, response) => json(response, node('a'))))
  const proxyUrl = `socks5://127.0.0.1:${await socks5(reached)}`
  const client = fixtureClient({ server: `http://127.0.0.1:${port}`, proxyUrl })
  await client.get(kinds.Node, { name: 'a' })
  expect(reached).toEqual([`127.0.0.1:${port}`])
})
