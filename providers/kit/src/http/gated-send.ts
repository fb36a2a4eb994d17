import type { WriteGate } from '@kerf/runtime'
import type { Send } from './exchange.ts'

/** Options for clouds in which some POST requests are read-only. */
export interface GatedSendOptions {
  readonly gate: WriteGate
  /** Returns whether a POST to this URL is read-only. */
  isQuestion(url: URL): boolean
}

/**
 * Returns a function that sends requests like `send`. It calls the gate directly before each request that is not read-only, including
 * retries.
 */
export const gatedSend =
  (send: Send, { gate, isQuestion }: GatedSendOptions): Send =>
  async (request, signal) => {
    const { method, url } = request
    if (method !== 'GET' && method !== 'HEAD' && !(method === 'POST' && isQuestion(url))) gate.check()
    return send(request, signal)
  }
