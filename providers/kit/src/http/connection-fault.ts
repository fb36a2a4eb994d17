/** Why a request got no response. */
export interface ConnectionFault {
  readonly kind: 'timeout' | 'lost' | 'other'
  /** The error code of Node or undici. Empty if there is none. */
  readonly code: string
  readonly message: string
  /** Whether the request certainly did not reach the server. If false, the server may have processed it. */
  readonly wasNeverSent: boolean
}

const TIMEOUTS: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])
const LOST: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])
const NEVER_SENT: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

const errorCode = (error: unknown): string => {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : ''
}

/** Converts an error of a connection to a fault. */
export const classifyConnectionFault = (error: unknown): ConnectionFault => {
  const code = errorCode(error)
  return {
    kind: TIMEOUTS.has(code) ? 'timeout' : LOST.has(code) ? 'lost' : 'other',
    code,
    message: error instanceof Error ? error.message : String(error),
    wasNeverSent: NEVER_SENT.has(code),
  }
}
