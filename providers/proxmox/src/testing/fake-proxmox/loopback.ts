import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { HttpRequest } from '@kerf/provider-kit'
import type { FakeProxmox } from './fake-proxmox.ts'

export interface ServedProxmox {
  /** The address of the API, for example `https://127.0.0.1:40123/api2/json`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the fake on a loopback address with a certificate, as Proxmox does. If the fake breaks a connection, the server closes the
 * client's socket.
 */
export const serveProxmox = async (
  fake: FakeProxmox,
  certificate: { readonly cert: string; readonly key: string },
): Promise<ServedProxmox> => {
  const server = createServer(certificate, async (incoming, outgoing) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString('utf8')
      const { status, statusText, headers, text } = await fake.send(
        {
          // Node.js accepts only known HTTP methods, and the fake refuses methods that it does not expect.
          method: incoming.method as HttpRequest['method'],
          url: new URL(incoming.url ?? '/', `https://${incoming.headers.host}`),
          headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, `${value}`])),
          ...(body === '' ? {} : { body }),
        },
        new AbortController().signal,
      )
      outgoing.writeHead(status, statusText ?? '', headers).end(text)
    } catch {
      outgoing.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/api2/json`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
