import { request as requestHttp } from 'node:http'
import { Agent, request as requestHttps } from 'node:https'

/** The address and credentials of an API. */
export interface HttpAccess {
  readonly server: string
  readonly ca?: string
  readonly token?: string
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The parsed body if it is JSON, otherwise the text of the body. */
  readonly body: unknown
}

export interface HttpCall {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

const agents = new Map<string, Agent>()
const agentFor = (ca: string): Agent => {
  const known = agents.get(ca)
  if (known !== undefined) return known
  const created = new Agent({ ca, keepAlive: true })
  agents.set(ca, created)
  return created
}

const open = (access: HttpAccess, { method = 'GET', path, body, headers, signal }: HttpCall) =>
  new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const options = {
      method,
      headers: {
        accept: 'application/json',
        ...(access.token === undefined ? {} : { authorization: `Bearer ${access.token}` }),
        // Node.js sends the body of a DELETE without a Content-Length header, and servers cannot read a body without it.
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
        ...headers,
      },
      ...(signal === undefined ? {} : { signal }),
    }
    const url = `${access.server}${path}`
    const call =
      access.ca === undefined
        ? requestHttp(url, options, resolve)
        : requestHttps(url, { ...options, agent: agentFor(access.ca) }, resolve)
    call.on('error', reject)
    call.end(payload)
  })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Sends one request. Resolves for every HTTP status. Rejects only if the server does not respond. */
export const callHttp = async (access: HttpAccess, call: HttpCall): Promise<HttpResponse> => {
  const response = await open(access, call)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode ?? 0, headers: response.headers, body: parse(Buffer.concat(chunks).toString()) }
}

/** Yields the parsed lines of a streaming response. If the request fails, the error is the only line. */
export async function* streamHttp(access: HttpAccess, call: HttpCall): AsyncGenerator<unknown> {
  const response = await open(access, call)
  let rest = ''
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line)
  }
  if (rest !== '') yield parse(rest)
}
