import type { Socket } from 'node:net'
import type { Milliseconds } from '@kerf/apis'

/** How long a connection may deliver nothing. `docs/spec/process.md#silent-connections`. */
export interface SilenceLimits {
  /** How often an HTTP/2 connection is pinged. */
  readonly pingEvery: Milliseconds
  /** How often connections are looked at. */
  readonly lookEvery: Milliseconds
  /** Looks without a byte after which a pinged connection is closed. */
  readonly pingedLooks: number
  /** The same for HTTP/1.1, which has no ping: longer than `watchSeconds`. */
  readonly unpingedLooks: number
  /** How long a watch over HTTP/1.1 may last: its end is the sign of life that HTTP/1.1 has no other for. */
  readonly watchSeconds: number
}

/** A lost connection is noticed after 30 to 35 s over HTTP/2 and after 50 to 55 s over HTTP/1.1. */
export const DEFAULT_SILENCE: SilenceLimits = {
  pingEvery: 10_000,
  lookEvery: 5_000,
  pingedLooks: 6,
  unpingedLooks: 10,
  watchSeconds: 40,
}

/** The version of HTTP that a connection speaks. */
export type HttpVersion = 'h2' | 'http/1.1'

/** A connection on which nothing has come for too long: a NAT gateway or a load balancer has dropped it without a word. */
class SilentConnectionError extends Error {
  override readonly name = 'SilentConnectionError'
  readonly code = 'ERR_SILENT_CONNECTION'
}

/** The version of HTTP that was agreed on when the connection was made. */
export const httpVersion = (socket: Socket): HttpVersion =>
  'alpnProtocol' in socket && socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1'

/**
 * Closes a connection on which no byte has come for a number of looks. Looks are counted, not time: a process that was
 * stopped for a minute looks once when it goes on, and then reads what has arrived meanwhile.
 *
 * The socket's own time-out serves as the timer. It does not keep the process alive, and pings do not renew it: they
 * bypass the socket's streams.
 */
export const watchForSilence = (
  socket: Socket,
  { lookEvery, pingedLooks, unpingedLooks }: SilenceLimits,
  onSilence: (version: HttpVersion) => void,
): void => {
  const version = httpVersion(socket)
  const allowed = version === 'h2' ? pingedLooks : unpingedLooks
  let read = socket.bytesRead
  let silentLooks = 0
  socket.on('timeout', () => {
    silentLooks = socket.bytesRead === read ? silentLooks + 1 : 0
    read = socket.bytesRead
    if (silentLooks < allowed) {
      socket.setTimeout(lookEvery)
      return
    }
    onSilence(version)
    const seconds = Math.round((silentLooks * lookEvery) / 1_000)
    socket.destroy(new SilentConnectionError(`nothing was received for ${seconds} s`))
  })
  socket.setTimeout(lookEvery)
}
