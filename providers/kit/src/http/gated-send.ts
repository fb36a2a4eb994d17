import type { WriteGate } from '@kerf/runtime'
import type { Send } from './exchange.ts'

/** Cloud APIs ask some of their questions with POST. */
export interface GatedSendOptions {
  readonly gate: WriteGate
  /** Whether a POST to this URL only asks. */
  isQuestion(url: URL): boolean
}

/** Sends as `send` does. The gate is asked right before each request that changes something, repeats included. */
export const gatedSend =
  (send: Send, { gate, isQuestion }: GatedSendOptions): Send =>
  async (request, signal) => {
    const { method, url } = request
    if (method !== 'GET' && method !== 'HEAD' && !(method === 'POST' && isQuestion(url))) gate.check()
    return send(request, signal)
  }
