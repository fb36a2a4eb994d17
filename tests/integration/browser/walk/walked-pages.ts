import { buildDashboard, type DashboardCluster, DashboardServer } from '@kerf/dashboard'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { PAGE_WAITS_MS } from '../chromium.ts'
import { reportComplaints } from '../complaints.ts'
import { followLink } from '../follow-link.ts'
import { borrowChromium } from '../shared-chromium.ts'
import { settled } from './walker.ts'

/** The clusters of one dashboard, in one browser. Each cluster has a page, which navigates between paths as clicks on links would. */
export class WalkedPages {
  /** The console errors of the pages. */
  readonly complaints: string[] = []
  readonly #server: DashboardServer
  readonly #browser: Browser
  readonly #context: BrowserContext
  readonly #pages = new Map<string, Page>()

  private constructor(server: DashboardServer, browser: Browser, context: BrowserContext) {
    this.#server = server
    this.#browser = browser
    this.#context = context
  }

  /** Calls `prepare` with the window before the first page opens. `launch` returns the browser; without it, the tests' shared one is used. */
  static async open(
    clusters: readonly DashboardCluster[],
    prepare: (context: BrowserContext) => Promise<unknown> = async () => {},
    launch: () => Promise<Browser> = borrowChromium,
  ): Promise<WalkedPages> {
    const files = await buildDashboard({ progress: (line) => process.stdout.write(`${line}\n`) })
    const server = await DashboardServer.start({ files, clusters })
    const browser = await launch()
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
    context.setDefaultTimeout(PAGE_WAITS_MS)
    await prepare(context)
    return new WalkedPages(server, browser, context)
  }

  /** Navigates to a path of a cluster, in a window of 1440 × 900 pixels. Resolves when the page has settled. */
  async goTo(cluster: string, path: string): Promise<Page> {
    const address = `${this.#server.url}c/${cluster}/${path}`
    const open = this.#pages.get(cluster)
    const page = open ?? (await this.#context.newPage())
    if (open === undefined) {
      reportComplaints(page, (text) => this.complaints.push(text))
      this.#pages.set(cluster, page)
      await page.goto(address)
    } else {
      await page.bringToFront()
      await page.setViewportSize({ width: 1440, height: 900 })
      await followLink(page, new URL(address).pathname)
    }
    await settled(page)
    return page
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await this.#server.close()
  }
}
