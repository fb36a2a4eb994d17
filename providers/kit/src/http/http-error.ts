import type { Milliseconds } from '@kerf/apis'
import type { HttpRequest, HttpResponse } from './exchange.ts'

/** The maximum length, in a message, of a response whose format is unknown. */
const LONGEST = 300

/**
 * Thrown for a response whose status is an error. The message contains neither the query nor the headers, because they may contain
 * secrets.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly answer: HttpResponse

  constructor({ method, url }: HttpRequest, answer: HttpResponse) {
    const said = answer.text.trim().replaceAll(/\s+/g, ' ').slice(0, LONGEST)
    super(
      `${method} ${url.origin}${url.pathname} returned HTTP status ${answer.status}${said === '' ? '' : `: ${said}`}`,
    )
    this.status = answer.status
    this.answer = answer
  }
}

/**
 * Returns the wait that the server requests with `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3). Returns undefined if
 * the header is missing or cannot be parsed.
 */
export const retryAfterTime = ({ headers }: HttpResponse, now: Milliseconds): Milliseconds | undefined => {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}
