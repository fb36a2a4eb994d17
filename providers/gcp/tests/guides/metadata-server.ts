import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A metadata server of Compute Engine on loopback, which gives every client a token. */
export interface MetadataServer {
  /** The environment variables that make Google's library use this server. */
  readonly env: Readonly<Record<string, string>>
  close(): void
}

/** Serves the token of the default service account (https://cloud.google.com/compute/docs/metadata/overview). */
export const serveMetadata = async (token: string): Promise<MetadataServer> => {
  const server = createServer(({ url = '' }, answer) => {
    const headers = { 'metadata-flavor': 'Google', 'content-type': 'application/json' }
    const isToken = new URL(url, 'http://localhost').pathname.endsWith('/service-accounts/default/token')
    if (isToken)
      answer
        .writeHead(200, headers)
        .end(JSON.stringify({ access_token: token, expires_in: 3600, token_type: 'Bearer' }))
    else answer.writeHead(404, headers).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    env: {
      GCE_METADATA_HOST: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      METADATA_SERVER_DETECTION: 'assume-present',
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
