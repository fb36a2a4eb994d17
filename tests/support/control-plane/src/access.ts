import { Agent, request } from 'node:https'

/** The address of an API server, and the administrator's credentials. */
export interface ClusterAccess {
  /** `https://127.0.0.1:PORT` */
  readonly server: string
  /** The CA certificate that signed the server's certificate, as PEM. */
  readonly ca: string
  /** The bearer token of a member of `system:masters`. */
  readonly token: string
}

export interface ClusterResponse {
  readonly status: number
  /** The body of the response: parsed if it is JSON, otherwise the text. */
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
 * Sends one request without Kerf's client, so that tests can verify that client. Resolves for every HTTP status. Rejects only if the server
 * does not respond.
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
          // Node.js sends the body of a DELETE without a Content-Length header, and servers cannot read a body without it.
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
      // The server has closed the idle connection, so it never received the request.
      const wasIdle = call.reusedSocket && error.code === 'ECONNRESET'
      if (wasIdle) resolve(callCluster(access, method, path, body, headers))
      else reject(error)
    })
    call.end(payload)
  })
