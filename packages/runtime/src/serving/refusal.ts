import type { ServerResponse } from 'node:http'

/** The refusal of a request, as an HTTP response. */
export interface Refusal {
  readonly status: 401 | 403 | 429 | 500
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

export const refuse = (response: ServerResponse, { status, text, headers = {} }: Refusal): void => {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`)
}
