import { join } from 'node:path'
import { borrow, type LoanServer, serveLoans, type Watchdog } from '@kerf/control-plane'
import type { Browser, BrowserServer } from 'playwright-core'

/** The environment variable through which the run's global set-up tells its workers where to ask. */
const SOCKET = 'KERF_TEST_CHROMIUM'

interface ChromiumAccess {
  /** Address of the browser's WebSocket. */
  readonly endpoint: string
  readonly processes: readonly number[]
}

/**
 * Lends one Chromium to the test files of a run. Several use it at once: each has windows of its own, which share no cookies,
 * storage or cache with those of other files and are closed when the file hangs up.
 */
export const serveSharedChromium = async (directory: string, watchdog: Watchdog): Promise<LoanServer> => {
  let launched: Promise<BrowserServer> | undefined
  const launch = async (): Promise<BrowserServer> => {
    // Only runs that look at pages load the driver.
    const { launchChromiumServer } = await import('./chromium.ts')
    const server = await launchChromiumServer()
    watchdog.watch(server.process())
    // One that crashed is launched anew for the next file.
    server.on('close', () => {
      launched = undefined
    })
    return server
  }
  const loans = await serveLoans<ChromiumAccess>(join(directory, 'chromium.sock'), async () => {
    launched ??= launch()
    const server = await launched.catch((error: unknown) => {
      launched = undefined
      throw error
    })
    const { pid } = server.process()
    return {
      access: { endpoint: server.wsEndpoint(), processes: pid === undefined ? [] : [pid] },
      giveBack: () => undefined,
    }
  })
  process.env[SOCKET] = loans.path
  return {
    path: loans.path,
    close: async () => {
      await loans.close()
      await (await launched)?.close()
    },
  }
}

/** Borrows the run's Chromium; closing it closes the windows of this test file alone. */
export const borrowChromium = async (): Promise<Browser> => {
  const path = process.env[SOCKET]
  if (path === undefined) throw new Error(`${SOCKET} is not set: run through the repository's vitest.config.ts`)
  const { connectToChromium } = await import('./chromium.ts')
  const { access, giveBack } = await borrow<ChromiumAccess>(path)
  const browser = await connectToChromium(access.endpoint)
  browser.on('disconnected', giveBack)
  return browser
}
