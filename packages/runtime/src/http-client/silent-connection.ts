import type { Socket } from 'node:net'
import type { Milliseconds } from '@kerf/apis'

/**
 * The limits after which a connection counts as silent, because nothing is received on it
 * (`docs/spec/process.md#silent-connections`).
 */
export interface SilenceLimits {
  /** How often an HTTP/2 connection sends a ping. */
  readonly pingEvery: Milliseconds
  /** How often the client checks connections. */
  readonly lookEvery: Milliseconds
  /** The client closes a connection that uses pings after this many checks in a row without a received byte. */
  readonly pingedLooks: number
  /**
   * The client closes a connection over HTTP/1.1, which has no pings, after this many checks in a row without a received byte. The checks
   * must cover more time than `watchSeconds`.
   */
  readonly unpingedLooks: number
  /**
   * How long a watch over HTTP/1.1 may last. Because HTTP/1.1 has no pings, only the end of a watch shows that the connection still
   * works.
   */
  readonly watchSeconds: number
}

/** The defaults. A lost connection is detected after 30 to 35 s over HTTP/2, and after 50 to 55 s over HTTP/1.1. */
export const DEFAULT_SILENCE: SilenceLimits = {
  pingEvery: 10_000,
  lookEvery: 5_000,
  pingedLooks: 6,
  unpingedLooks: 10,
  watchSeconds: 40,
}

/** The HTTP version of a connection. */
export type HttpVersion = 'h2' | 'http/1.1'

/**
 * Thrown if nothing was received on a connection for too long, because a NAT gateway or a load balancer has silently dropped it.
 */
class SilentConnectionError extends Error {
  override readonly name = 'SilentConnectionError'
  readonly code = 'ERR_SILENT_CONNECTION'
}

/** Returns the HTTP version that was negotiated for the connection. */
export const httpVersion = (socket: Socket): HttpVersion =>
  'alpnProtocol' in socket && socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1'

/**
 * Closes a connection on which no byte was received for a number of checks. It counts checks and does not measure time: a process that was
 * suspended for a minute makes only one check when it resumes, and then reads the bytes that have arrived in the meantime. The socket's own
 * timeout is the timer: it does not keep the process alive, and pings do not reset it, because they bypass the socket's streams.
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
