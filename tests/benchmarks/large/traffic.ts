import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** The traffic of this process's HTTP servers. */
export interface Traffic {
  readonly requests: Readonly<Record<string, number>>
  readonly received: number
  readonly sent: number
}

/** Returns the kind of a request, without names of objects. Examples: `PATCH pods/status`, `WATCH nodes`. */
const nameOf = ({ method = '', url = '' }: IncomingMessage): string => {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const match = /\/(?:api|apis\/[^/]+)\/v[^/]+(?:\/namespaces\/[^/]+(?=\/))?\/([^/]+)(?:\/[^/]+)?(\/[^/]+)?$/.exec(
    pathname,
  )
  const verb = searchParams.has('watch') ? 'WATCH' : method
  return match === null ? verb : `${verb} ${match[1]}${match[2] ?? ''}`
}

/**
 * Starts counting the traffic of all HTTP servers in this process. The servers must have no clients except the measured program, because
 * the traffic of every client counts.
 */
export const countTraffic = (): (() => Traffic) => {
  const requests: Record<string, number> = {}
  const open = new Set<Socket>()
  let received = 0
  let sent = 0
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { readonly socket: Socket }
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      received += socket.bytesRead
      sent += socket.bytesWritten
    })
  })
  subscribe('http.server.request.start', (message) => {
    const name = nameOf((message as { readonly request: IncomingMessage }).request)
    requests[name] = (requests[name] ?? 0) + 1
  })
  return () => ({
    requests: { ...requests },
    received: [...open].reduce((sum, { bytesRead }) => sum + bytesRead, received),
    sent: [...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, sent),
  })
}
