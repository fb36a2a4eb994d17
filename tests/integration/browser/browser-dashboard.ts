import type { StartedProgram } from '@kerf/control-plane'
import { buildDashboard, type DashboardFiles, DashboardServer } from '@kerf/dashboard'
import { findConnection, HttpKubeClient, SystemClock, SystemRandom, silentLogger } from '@kerf/runtime'
import { SandboxApi, SandboxServer } from '@kerf/sandbox'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { onTestFailed } from 'vitest'
import { startKerf } from '../story/start-kerf.ts'
import { openContext } from './chromium.ts'
import { reportComplaints } from './complaints.ts'
import { followLink } from './follow-link.ts'
import { borrowChromium } from './shared-chromium.ts'

/** Replacements for responses of the API server. The keys are glob patterns of request paths. */
export type Routes = Readonly<Record<string, (route: Route) => Promise<void>>>

interface Up {
  readonly program: StartedProgram
  readonly kubeconfig: string
  /** The URL of the dashboard that `kerf up` serves. This dashboard queries the controller in its own process. */
  readonly url: string
}

/** Starts `kerf up` as a process. Returns the kubeconfig and the URL that it prints. */
const startUp = async (): Promise<Up> => {
  const program = startKerf(['up', '--headless', '--dashboard'])
  const kubeconfig = await program.printed(/KUBECONFIG=(\S+)/)
  return { program, kubeconfig, url: await program.printed(/Dashboard: (http:\S+)/) }
}

/** A sandbox with Kerf, Chromium, and two dashboards: one for the sandbox, and one for a cluster without NodePools. */
export class BrowserDashboard {
  readonly client: HttpKubeClient
  readonly #up: Up
  readonly #plain: SandboxServer
  readonly #server: DashboardServer
  readonly #browser: Browser
  readonly #context: BrowserContext
  /** Pages that no test currently uses, by origin. */
  readonly #left = new Map<string, Page[]>()
  /** The console errors of the pages, and the requests of the pages to other hosts. */
  readonly problems: string[] = []

  private constructor(
    client: HttpKubeClient,
    up: Up,
    plain: SandboxServer,
    server: DashboardServer,
    browser: Browser,
    context: BrowserContext,
  ) {
    this.client = client
    this.#up = up
    this.#plain = plain
    this.#server = server
    this.#browser = browser
    this.#context = context
  }

  static async start(): Promise<BrowserDashboard> {
    const files: DashboardFiles = await buildDashboard({ progress: (line) => process.stdout.write(`${line}\n`) })
    const clock = new SystemClock()
    const random = new SystemRandom()
    const up = await startUp()
    const connection = findConnection({ clock, env: {}, kubeconfig: up.kubeconfig })
    const client = new HttpKubeClient({ connection, clock, random, logger: silentLogger, env: {} })
    const plain = await SandboxServer.start(new SandboxApi({ clock, random }))
    const server = await DashboardServer.start({
      files,
      clusters: [
        { name: 'sandbox', connection },
        { name: 'plain', connection: { ...connection, server: `${plain.url}/${plain.token}` } },
      ],
    })
    const browser = await borrowChromium()
    const context = await openContext(browser)
    return new BrowserDashboard(client, up, plain, server, browser, context)
  }

  /**
   * Opens a path of a cluster, and records the console errors of the page. `kerf` is the sandbox in the dashboard of `kerf up`, which can
   * query the controller. `sandbox` is the same cluster in a dashboard that cannot. Reuses an open page if possible, because loading
   * Headlamp again costs four seconds of processor time.
   */
  async open(path: string, cluster: 'sandbox' | 'kerf' | 'plain' = 'sandbox'): Promise<Page> {
    const base = cluster === 'kerf' ? this.#up.url : this.#server.url
    const { origin, pathname } = new URL(`${base}c/${cluster}/${path}`)
    const left = this.#left.get(origin)?.pop()
    const page = left ?? (await this.#newPage(origin))
    this.#closeIfItFails(page)
    // Bring the page to the front, because the browser redraws a page in the background only once a second.
    await page.bringToFront()
    await (left === undefined ? page.goto(`${origin}${pathname}`) : followLink(page, pathname))
    return page
  }

  /** Opens a path of the sandbox in a new page, with responses replaced according to `routes`. Call `discard` with the page at the end. */
  async openWith(path: string, routes: Routes): Promise<Page> {
    const page = await this.#newPage(new URL(this.#server.url).origin)
    this.#closeIfItFails(page)
    for (const [glob, answer] of Object.entries(routes)) await page.route(glob, answer)
    await page.goto(`${this.#server.url}c/sandbox/${path}`)
    return page
  }

  /** Opens a path of the sandbox in a new window whose Headlamp is set to a language. */
  async openInLanguage(path: string, language: string): Promise<Page> {
    const context = await openContext(this.#browser)
    await context.addInitScript(
      `localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', '${language}')`,
    )
    const page = await this.#newPage(new URL(this.#server.url).origin, context)
    await page.goto(`${this.#server.url}c/sandbox/${path}`)
    return page
  }

  async #newPage(origin: string, context = this.#context): Promise<Page> {
    const page = await context.newPage()
    const complain = (text: string): void => void this.problems.push(text)
    reportComplaints(page, complain)
    page.on('request', (request) => {
      const url = new URL(request.url())
      const isOurs = url.origin === origin || ['data:', 'blob:'].includes(url.protocol)
      if (!isOurs) complain(`${new URL(page.url()).pathname}: asks ${url.origin}`)
    })
    return page
  }

  /** Closes the page of a failed test. An open page keeps redrawing and would slow down all later tests. */
  #closeIfItFails(page: Page): void {
    onTestFailed(() => this.discard(page))
  }

  /** Keeps a page, so that another test can navigate it to another path instead of opening a new one. */
  leave(page: Page): void {
    const { origin } = new URL(page.url())
    this.#left.set(origin, [...(this.#left.get(origin) ?? []), page])
  }

  /** Closes a page that no test should reuse. This breaks connections of the page, and the resulting console errors are ignored. */
  async discard(page: Page): Promise<void> {
    const isAnother = (each: Page): boolean => each !== page
    for (const [origin, pages] of this.#left) this.#left.set(origin, pages.filter(isAnother))
    page.removeAllListeners('console')
    await page.close()
  }

  async close(): Promise<void> {
    const pages = this.#browser.contexts().flatMap((context) => context.pages())
    await Promise.all(pages.map((page) => this.discard(page)))
    await this.#browser.close()
    await this.#server.close()
    await this.#plain.close()
    await this.client.close()
    this.#up.program.child.kill('SIGTERM')
    await this.#up.program.ended
  }
}
