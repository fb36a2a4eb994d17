import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpRequest } from '@kerf/provider-kit'
import type { FakeBizfly } from './fake-bizfly.ts'
import { CLUSTER, CLUSTER_TOKEN, EMAIL, JOIN_ENDPOINT, PASSWORD } from './names.ts'

export interface ServedBizfly {
  /** The address, for example `http://127.0.0.1:40123`. */
  readonly url: string
  close(): Promise<void>
}

/** Serves the fake on a loopback address. If the fake breaks a connection, the server closes the client's socket. */
export const serveBizfly = async (fake: FakeBizfly): Promise<ServedBizfly> => {
  const server = createServer(async (incoming, outgoing) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString('utf8')
      const { status, headers, text } = fake.answer({
        // Node.js accepts only known HTTP methods, and the fake refuses methods that it does not expect.
        method: incoming.method as HttpRequest['method'],
        url: new URL(incoming.url ?? '/', `http://${incoming.headers.host}`),
        headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, `${value}`])),
        ...(body === '' ? {} : { body }),
      })
      outgoing.writeHead(status, headers).end(text)
    } catch {
      outgoing.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Returns the environment with which the program `kerf` uses a served fake. */
export const bizflyEnv = ({ url }: Pick<ServedBizfly, 'url'>): Readonly<Record<string, string>> => ({
  BIZFLY_CLOUD_API_URL: url,
  BIZFLY_CLOUD_EMAIL: EMAIL,
  BIZFLY_CLOUD_PASSWORD: PASSWORD,
  BKE_CLUSTER_ID: CLUSTER,
  BKE_CLUSTER_TOKEN: CLUSTER_TOKEN,
  BKE_JOIN_ENDPOINT: JOIN_ENDPOINT,
})
