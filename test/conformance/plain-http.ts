import { request as requestHttp } from 'node:http'
import { Agent, request as requestHttps } from 'node:https'

/** Where an API is served. */
export interface HttpAccess {
  readonly server: string
  readonly ca?: string
  readonly token?: string
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Parsed when the answer is JSON, otherwise the text. */
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
        // Node sends a DELETE's body without its length, which no server can read.
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

/** One request. Any HTTP status is an answer; rejects only when there is none. */
export const callHttp = async (access: HttpAccess, call: HttpCall): Promise<HttpResponse> => {
  const response = await open(access, call)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode ?? 0, headers: response.headers, body: parse(Buffer.concat(chunks).toString()) }
}

/** The lines of a streamed answer, parsed; an answer that is no success comes as its one line. */
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
