import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { callCluster } from '@kerf/control-plane'
import { issueCertificate } from '@kerf/runtime/testing'
import { expect, test } from 'vitest'

/** Calls a server twice and returns the responses. The server closes each connection after `times` requests. */
const callTwice = async (times: number): Promise<readonly number[]> => {
  const { cert, key } = issueCertificate('kerf')
  const used = new WeakMap<object, number>()
  const server = createServer({ cert, key }, (request, response) => {
    const uses = (used.get(request.socket) ?? 0) + 1
    used.set(request.socket, uses)
    if (uses > times) request.socket.destroy()
    else response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const access = { server: `https://127.0.0.1:${port}`, ca: cert, token: 'none' }
  try {
    const first = await callCluster(access, 'GET', '/')
    const second = await callCluster(access, 'GET', '/')
    return [first.status, second.status]
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('replaces an idle connection that the server closed', async () => {
  expect(await callTwice(1)).toEqual([200, 200])
})

test('rejects if the server closes new connections', async () => {
  await expect(callTwice(0)).rejects.toThrow('socket hang up')
})
