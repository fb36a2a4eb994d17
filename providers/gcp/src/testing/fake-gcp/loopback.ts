import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpRequest } from '@kerf/provider-kit'
import type { FakeGcp } from './fake-gcp.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly HttpRequest['method'][]

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** The path at which the server exchanges tokens, as the Security Token Service does (RFC 8693). */
export const TOKEN_PATH = '/token'

const tokenAnswer = ({ tokens }: FakeGcp): object => ({
  access_token: [...tokens][0] ?? 'none',
  ...{ issued_token_type: 'urn:ietf:params:oauth:token-type:access_token', token_type: 'Bearer', expires_in: 3600 },
})

/** The fake on a loopback server. */
export interface ServedGcp {
  /** The root URL of both services, for example `http://127.0.0.1:1234`. */
  readonly endpoint: string
  close(): void
}

/** Serves a fake over HTTP. If the fake breaks a connection, the server closes the client's socket. */
export const serveGcp = async (gcp: FakeGcp): Promise<ServedGcp> => {
  const never = new AbortController().signal
  const server = createServer(async (incoming, outgoing) => {
    try {
      const body = await textOf(incoming)
      const method = METHODS.find((known) => known === incoming.method)
      if (method === undefined) {
        outgoing.writeHead(405).end()
        return
      }
      const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, `${value}`]))
      const url = new URL(incoming.url ?? '/', 'http://localhost')
      if (url.pathname === TOKEN_PATH) {
        outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokenAnswer(gcp)))
        return
      }
      const answer = await gcp.send({ method, url, headers, ...(body === '' ? {} : { body }) }, never)
      outgoing.writeHead(answer.status, answer.headers).end(answer.text)
    } catch {
      outgoing.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
