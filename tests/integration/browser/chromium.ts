import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core'

const chromiumPath = (): string => {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined && given !== '') return given
  const found = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
    .flatMap((name) => (process.env['PATH'] ?? '').split(':').map((directory) => join(directory, name)))
    .find((file) => existsSync(file))
  if (found === undefined) throw new Error('no Chromium: install it, or set CHROMIUM_PATH')
  return found
}

const options = (): LaunchOptions => ({
  executablePath: chromiumPath(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})

/** The timeout for waits on a page. It is long because a slow response on a busy machine is not an error. */
export const PAGE_WAITS_MS = 180_000

/** Launches a Chromium for this process only. Tests use `borrowChromium` (shared-chromium.ts) instead. */
export const launchChromium = (): Promise<Browser> => chromium.launch(options())

/** Launches a Chromium to which other processes connect. */
export const launchChromiumServer = (): Promise<BrowserServer> =>
  chromium.launchServer({ ...options(), host: '127.0.0.1' })

export const connectToChromium = (endpoint: string): Promise<Browser> => chromium.connect(endpoint)

/** Opens a browser window for one user. Different windows share no browser storage. */
export const openContext = async (browser: Browser): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  context.setDefaultTimeout(PAGE_WAITS_MS)
  return context
}
