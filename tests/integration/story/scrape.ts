import { setTimeout as pause } from 'node:timers/promises'

const ATTEMPTS = 5

/**
 * Returns the response of the metrics endpoint on a local port. Retries a failed connection, as every scraper does, because the
 * server may close an idle connection at the moment of the request.
 */
export const scrape = async (port: number): Promise<string> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await pause(1_000)
    }
  }
}
