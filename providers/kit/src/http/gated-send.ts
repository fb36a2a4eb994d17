import type { WriteGate } from '@kerf/runtime'
import type { Send } from './exchange.ts'

/** Options for clouds that use POST for some read-only requests. */
export interface GatedSendOptions {
  readonly gate: WriteGate
  /** Returns true if a POST to this URL only reads. */
  isQuestion(url: URL): boolean
}

/**
 * Returns a function that sends requests like `send`, and calls the gate directly before each request that changes something, including
 * retries.
 */
export const gatedSend =
  (send: Send, { gate, isQuestion }: GatedSendOptions): Send =>
  async (request, signal) => {
    const { method, url } = request
    if (method !== 'GET' && method !== 'HEAD' && !(method === 'POST' && isQuestion(url))) gate.check()
    return send(request, signal)
  }
