import { join } from 'node:path'
import { karpenterKinds, kinds, labels } from '@kerf/apis'
import { buildDashboard, DashboardServer } from '@kerf/dashboard'
import { findConnection, SystemClock } from '@kerf/runtime'
import type { Page } from 'playwright-core'
import texts from '../../packages/dashboard/plugin/src/locales/en/translation.json' with { type: 'json' }
import { launchChromium, openContext } from '../../tests/integration/browser/chromium.ts'
import type { DayCluster } from './day-cluster.ts'
import { forwardToHistory, type History } from './history.ts'

/** A picture of the dashboard: the page to show, and the state in which to show it. */
interface Shot {
  readonly name: string
  /** Returns the page's path below the URL of the cluster. */
  path(names: Names): string
  /** Whether the page's clock must run. Headlamp's map computes its layout in steps that never finish while the clock is stopped. */
  readonly needsTime?: boolean
  /** Brings the page into the state that the picture shows. */
  ready(page: Page, names: Names): Promise<void>
}

/** Names of the objects that the pictures show. */
interface Names {
  readonly claim: string
  readonly node: string
  /** A node that Kerf keeps. Its page shows the reason. */
  readonly kept: string
}

const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { name }).first().waitFor()

const shots: readonly Shot[] = [
  {
    name: 'overview',
    path: () => 'karpenter',
    ready: async (page) => {
      await page.getByText(texts.lowerBound).first().waitFor()
      await page.locator('main .MuiPaper-root', { hasText: texts.lowerBound }).getByText(/^\$\d/).first().waitFor()
    },
  },
  {
    name: 'pending-pods',
    path: () => 'karpenter/pending-pods',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Explain shop/index-rebuild' }).click()
      await page
        .getByRole('dialog')
        .getByRole('cell', { name: /disk In \[nvme\]/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'decisions',
    path: () => 'karpenter/decisions',
    ready: async (page) => {
      await page
        .locator('main .MuiAccordionSummary-root', { hasText: /Nominated|Disruption/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'metrics',
    path: () => 'karpenter/metrics',
    ready: async (page) => {
      await heading(page, texts['chart.cost'])
      await page.getByLabel(new RegExp(`^${texts['chart.cost']}: .*general`)).waitFor()
    },
  },
  {
    name: 'node-pools',
    path: () => 'karpenter/nodepools',
    ready: (page) => page.getByRole('link', { name: 'reports' }).first().waitFor(),
  },
  {
    name: 'node-pool',
    path: () => 'karpenter/nodepools/general',
    ready: (page) => page.getByText('of 400').first().waitFor(),
  },
  {
    name: 'node-claims',
    path: () => 'karpenter/nodeclaims',
    ready: (page, { claim }) =>
      page
        .getByRole('link', { name: claim.slice(0, 7) })
        .first()
        .waitFor(),
  },
  {
    name: 'node-claim',
    path: ({ claim }) => `karpenter/nodeclaims/${claim}`,
    ready: (page, { node }) => page.getByText(node).first().waitFor(),
  },
  {
    name: 'node',
    path: ({ kept }) => `nodes/${kept}`,
    ready: async (page) => {
      const why = page.getByRole('heading', { name: texts.whyKept })
      await why.waitFor()
      await page
        .getByText(/do-not-disrupt/)
        .first()
        .waitFor()
      await why.scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'map',
    path: () => 'map',
    needsTime: true,
    ready: async (page) => {
      await page.locator('.react-flow__node', { hasText: 'NodePool' }).first().waitFor()
      await page.locator('.react-flow__node', { hasText: 'ledger' }).first().waitFor()
    },
  },
  {
    name: 'editor',
    path: () => 'karpenter/nodepools/payments',
    ready: async (page) => {
      await page.getByRole('button', { name: texts.editWithEffect }).click()
      const lines = page.locator('.monaco-editor .view-lines')
      await lines.getByText('amd64', { exact: true }).first().dblclick()
      await page.keyboard.type('arm64')
      await page.getByText(/drift/).first().waitFor()
      await page.getByText(/now, about .* afterwards/).waitFor()
    },
  },
]

/** The names of the dashboard pictures. */
export const dashboardPictures: readonly string[] = shots.map(({ name }) => `${name}.png`)

const namesIn = async (cluster: DayCluster): Promise<Names> => {
  const claims = (await cluster.client.list(karpenterKinds.NodeClaim)).items
  const pods = (await cluster.client.list(kinds.Pod)).items
  const claim = claims.find(({ metadata, status }) => {
    return metadata.labels?.[labels.nodePool] === 'general' && status?.nodeName !== undefined
  })
  const ledger = pods.find(({ metadata, spec }) => metadata.labels?.['app'] === 'ledger' && spec.nodeName !== undefined)
  return { claim: claim?.metadata.name ?? '', node: claim?.status?.nodeName ?? '', kept: ledger?.spec.nodeName ?? '' }
}

/** Takes the pictures of the real dashboard in Chromium, and writes them to the directory. `wanted` limits which pictures are taken. */
export const takeDashboardPictures = async (
  cluster: DayCluster,
  history: History,
  directory: string,
  wanted: (name: string) => boolean,
  print: (line: string) => void,
): Promise<void> => {
  const files = await buildDashboard({ progress: print })
  const connection = findConnection({ clock: new SystemClock(), env: {}, kubeconfig: cluster.kubeconfig })
  const controller = {
    metrics: () => cluster.session.metrics(),
    answer: (path: string, signal: AbortSignal) => cluster.session.answer(path, signal),
  }
  const server = await DashboardServer.start({ files, clusters: [{ name: 'shop', connection, controller }] })
  const browser = await launchChromium()
  try {
    const [still, moving] = [await openContext(browser), await openContext(browser)]
    for (const context of [still, moving]) {
      context.setDefaultTimeout(60_000)
      await forwardToHistory(context, history)
    }
    // The cluster's clock is stopped, so the page's clock is stopped too.
    await still.clock.setFixedTime(cluster.end)
    const names = await namesIn(cluster)
    for (const { name, path, needsTime, ready } of shots.filter((shot) => wanted(shot.name))) {
      const page = await (needsTime === true ? moving : still).newPage()
      try {
        await page.goto(`${server.url}c/shop/${path(names)}`)
        await ready(page, names)
        await page.evaluate('document.fonts.ready')
        // Waits for the animations of charts and dialogs.
        await page.waitForTimeout(1_500)
        await page.screenshot({ path: join(directory, `${name}.png`) })
        print(`${name}.png`)
      } catch (error) {
        await page.screenshot({ path: join(directory, `${name}.failed.png`) })
        print(`${name}.png: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
        process.exitCode = 1
      }
      await page.close()
    }
  } finally {
    await browser.close()
    await server.close()
  }
}
