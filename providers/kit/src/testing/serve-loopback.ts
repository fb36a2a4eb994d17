import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { HttpRequest, Send } from '../http/exchange.ts'

const never = new AbortController().signal

/** A fake cloud on a loopback address. */
export interface LoopbackServer {
  /** For example `127.0.0.1:40123`. */
  readonly host: string
  /** The root URL, for example `http://127.0.0.1:40123`. */
  readonly url: string
  /** Ends all connections, and resolves when the server is closed. */
  close(): Promise<void>
}

const listener =
  (send: Send, scheme: string): RequestListener =>
  async (incoming, outgoing) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const bytes = Buffer.concat(chunks)
      const body = bytes.toString('utf8')
      const request: HttpRequest = {
        // Node.js accepts only known HTTP methods. The fake refuses methods that it does not expect.
        method: incoming.method as HttpRequest['method'],
        url: new URL(incoming.url ?? '/', `${scheme}://${incoming.headers.host}`),
        headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, `${value}`])),
        ...(body === '' ? {} : { body, bytes }),
      }
      const { status, statusText, headers, text } = await send(request, never)
      if (statusText !== undefined) outgoing.statusMessage = statusText
      outgoing.writeHead(status, headers).end(text)
    } catch {
      outgoing.destroy()
    }
  }

/**
 * Serves a fake cloud on a loopback address. Uses TLS if there is a certificate. If the fake breaks a connection, the server closes the
 * client's socket.
 */
export const serveLoopback = async (
  send: Send,
  certificate?: { readonly cert: string; readonly key: string },
): Promise<LoopbackServer> => {
  const scheme = certificate === undefined ? 'http' : 'https'
  const answers = listener(send, scheme)
  const server = certificate === undefined ? createServer(answers) : createTlsServer(certificate, answers)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `${scheme}://${host}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
