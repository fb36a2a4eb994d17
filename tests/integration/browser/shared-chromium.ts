import { join } from 'node:path'
import { borrow, type LoanServer, serveLoans, type Watchdog } from '@kerf/control-plane'
import type { Browser, BrowserServer } from 'playwright-core'

/** The environment variable with the path of the socket. The global setup of the test run sets it for its workers. */
const SOCKET = 'KERF_TEST_CHROMIUM'

interface ChromiumAccess {
  /** The WebSocket URL of the browser. */
  readonly endpoint: string
  readonly processes: readonly number[]
}

/**
 * Provides one Chromium to all test files of a run. Several files use it at the same time. Each file has its own windows, which share no
 * cookies, storage or cache with other files, and which close when the file disconnects.
 */
export const serveSharedChromium = async (directory: string, watchdog: Watchdog): Promise<LoanServer> => {
  let launched: Promise<BrowserServer> | undefined
  const launch = async (): Promise<BrowserServer> => {
    // Only runs with browser tests need to load the driver.
    const { launchChromiumServer } = await import('./chromium.ts')
    const server = await launchChromiumServer()
    watchdog.watch(server.process())
    // After a crash, the next file gets a new browser.
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

/** Connects to the Chromium of the test run. Closing the returned browser closes only the windows of this test file. */
export const borrowChromium = async (): Promise<Browser> => {
  const path = process.env[SOCKET]
  if (path === undefined) throw new Error(`${SOCKET} is not set: run through the repository's vitest.config.ts`)
  const { connectToChromium } = await import('./chromium.ts')
  const { access, giveBack } = await borrow<ChromiumAccess>(path)
  const browser = await connectToChromium(access.endpoint)
  browser.on('disconnected', giveBack)
  return browser
}
