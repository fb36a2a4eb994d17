import { Agent, request } from 'node:https'

/** How to reach a started API server as its administrator. */
export interface ClusterAccess {
  /** `https://127.0.0.1:PORT` */
  readonly server: string
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string
  /** Bearer token of a member of `system:masters`. */
  readonly token: string
}

export interface ClusterResponse {
  readonly status: number
  /** Parsed when the answer is JSON, otherwise the text. */
  readonly body: unknown
}

const agents = new Map<string, Agent>()

const agentFor = (ca: string): Agent => {
  const known = agents.get(ca)
  if (known !== undefined) return known
  const created = new Agent({ ca, keepAlive: true })
  agents.set(ca, created)
  return created
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * One plain request, independent of Kerf's own client so that the harness can judge it. Any HTTP status is an answer;
 * rejects only when there is none.
 */
export const callCluster = (
  access: ClusterAccess,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ClusterResponse> =>
  new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const call = request(
      `${access.server}${path}`,
      {
        method,
        agent: agentFor(access.ca),
        headers: {
          authorization: `Bearer ${access.token}`,
          accept: 'application/json',
          // Node sends a DELETE's body without its length, which no server can read.
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: parse(Buffer.concat(chunks).toString()) }),
        )
      },
    )
    call.on('error', (error: NodeJS.ErrnoException) => {
      // The server ended the connection while nobody used it, and so has never seen the request.
      const wasIdle = call.reusedSocket && error.code === 'ECONNRESET'
      if (wasIdle) resolve(callCluster(access, method, path, body, headers))
      else reject(error)
    })
    call.end(payload)
  })
