import { ownValue } from '@kerf/apis'
import { systemErrorCode } from '../errors/explain-api-error.ts'
import { shownServer } from '../errors/shown-server.ts'
import { ApiError } from '../kube-client/api-error.ts'

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed temporarily',
  ETIMEDOUT: 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the response was incomplete',
  UND_ERR_SOCKET: 'connection closed by the server',
  UND_ERR_ABORTED: 'connection closed',
  UND_ERR_INFO: 'connection closed by the server',
  ERR_HTTP2_STREAM_ERROR: 'connection closed by the server',
  ERR_HTTP2_SESSION_ERROR: 'connection closed by the server',
  ERR_HTTP2_GOAWAY_SESSION: 'connection closed by the server',
  ERR_SILENT_CONNECTION: 'the connection went silent',
  ERR_STREAM_PREMATURE_CLOSE: 'connection closed by the server',
}

/** The codes of errors on an established connection. The same request may succeed on a new connection. */
const RESET_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_INFO',
  'ERR_HTTP2_STREAM_ERROR',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_SILENT_CONNECTION',
])

/** Describes the cause of a network error, for example `connection refused`. */
export const describeFault = (error: unknown): string => {
  const code = systemErrorCode(error)
  const words = code === undefined ? undefined : ownValue(WORDS, code)
  if (words !== undefined) return words
  return (error instanceof Error ? error.message : String(error)).replace(/\n.*$/s, '')
}

export const isConnectionReset = (error: unknown): boolean => {
  const code = systemErrorCode(error)
  return code !== undefined && RESET_CODES.has(code)
}

/** Returns the error for a request that got no complete response. It has code 0, and names the server and the cause. */
export const unreachable = (server: string, error: unknown): ApiError => {
  const cause = describeFault(error)
  const shown = shownServer(server)
  const message = `cannot reach ${shown}: ${cause}`
  return new ApiError(
    { code: 0, reason: 'Unreachable', message, details: { causes: [{ message: cause }] }, server: shown },
    { cause: error },
  )
}
