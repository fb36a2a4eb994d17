import type { ServerResponse } from 'node:http'

/** Responds with a Kubernetes `Status`. The frontend shows its message. */
export const problem = (response: ServerResponse, code: number, message: string): void => {
  response.writeHead(code, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code }))
}
