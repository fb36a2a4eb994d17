import type { ServerResponse } from 'node:http'

/**
 * Writes the chunks as fast as the client reads them, and ends the response. Resolves when all chunks are written or the client has
 * disconnected.
 */
export const sendBody = async (response: ServerResponse, parts: readonly Uint8Array[]): Promise<void> => {
  for (const part of parts) {
    if (response.destroyed) return
    if (!response.write(part)) await drained(response)
  }
  response.end()
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go)
      response.off('close', go)
      resolve()
    }
    response.on('drain', go)
    response.on('close', go)
  })
