import { setTimeout as pause } from 'node:timers/promises'

const ATTEMPTS = 5

/**
 * What the metrics endpoint on a port of this machine says. Asked again when the connection fails, as every scraper does:
 * one that was kept open may be closed by the server at the moment it is used.
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
