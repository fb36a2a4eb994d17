import { serveLoopback } from '@kerf/provider-kit/testing'
import type { FakeGcp } from './fake-gcp.ts'

/** The path at which the server exchanges tokens, like the Security Token Service (RFC 8693). */
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

/** Serves a fake on a loopback address, together with a token service. */
export const serveGcp = async (gcp: FakeGcp): Promise<ServedGcp> => {
  const { url, close } = await serveLoopback(async (request, signal) =>
    request.url.pathname === TOKEN_PATH
      ? { status: 200, headers: { 'content-type': 'application/json' }, text: JSON.stringify(tokenAnswer(gcp)) }
      : gcp.send(request, signal),
  )
  return { endpoint: url, close: () => void close() }
}
