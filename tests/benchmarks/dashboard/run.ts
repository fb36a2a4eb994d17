// npm run bench:dashboard [-- --only pages,live,minutes,host --minutes N]: with 500 nodes and 5,000 pods, measures the time until each page
// is useful, the delay until a change is visible, and what minutes of changes cost the page.
import { kinds } from '@kerf/apis'
import { buildDashboard, DashboardServer } from '@kerf/dashboard'
import { findConnection, type KubeClient, SystemClock } from '@kerf/runtime'
import type { Page } from 'playwright-core'
import { openSandbox } from '../../../packages/cli/src/up/open-sandbox.ts'
import { programOptions } from '../../../tools/program-options.ts'
import { launchChromium, openContext } from '../../integration/browser/chromium.ts'
import { Changes, changesInWords } from './changes.ts'
import { fillCluster } from './fill-cluster.ts'
import { heldBy, type Minute, measureEachMinute } from './minutes.ts'
import { measuredPages, timePage } from './pages.ts'

const { values } = programOptions(
  'npm run bench:dashboard: the dashboard in Chromium on a cluster of this size: first paint, live updates, minutes of use, and the host’s own list of pods.',
  {
    options: {
      nodes: { type: 'string', default: '500' },
      pods: { type: 'string', default: '5000' },
      runs: { type: 'string', default: '3' },
      minutes: { type: 'string', default: '10' },
      only: { type: 'string', default: 'pages,live,minutes,host' },
    },
  },
)
const parts = new Set(values.only.split(','))
const LIVE_TARGET = 1
const BUSY_TARGET = 2
/** For how many minutes Headlamp's own list of pods is measured, for comparison. */
const HOST_MINUTES = 2

const print = (line: string): void => void process.stderr.write(`${line}\n`)
const show = (line: string): void => void process.stdout.write(`${line}\n`)
let missed = 0
const verdict = (isMet: boolean): string => {
  if (!isMet) missed += 1
  return isMet ? 'met' : 'MISSED'
}

const measurePages = async (page: Page, base: string): Promise<void> => {
  show('PAGE           FIRST USEFUL PAINT, SECONDS (least, median, most)')
  for (const each of measuredPages) {
    const { least, median, most } = await timePage(page, base, each, Number(values.runs))
    const numbers = `${least.toFixed(2)}  ${median.toFixed(2)}  ${most.toFixed(2)}`
    show(`${each.name.padEnd(14)} ${numbers}  below ${each.target} s: ${verdict(median < each.target)}`)
  }
}

const pendingPod = (name: string): object => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' } },
  spec: { nodeSelector: { disk: 'nvme' }, containers: [{ name: 'main', image: 'main' }] },
})

/** Measures five times how many seconds pass until the overview counts a pod that has just become pending. */
const measureLive = async (page: Page, base: string, client: KubeClient, when: string): Promise<void> => {
  await page.goto(`${base}karpenter`)
  const tile = page.locator('main .MuiPaper-root', { hasText: /^Pending pods/ }).getByText(/^\d+$/)
  await tile.waitFor()
  const taken: number[] = []
  for (let run = 0; run < 5; run++) {
    await page.waitForTimeout(3_000)
    const before = Number(await tile.textContent())
    const began = performance.now()
    await client.create(kinds.Pod, pendingPod(`late-${when}-${run}`) as never)
    const isCounted = page.waitForFunction(
      `[...document.querySelectorAll('main .MuiPaper-root')].some((each) => each.textContent.startsWith('Pending pods${before + 1}'))`,
      undefined,
      { polling: 20 },
    )
    await isCounted
    taken.push((performance.now() - began) / 1000)
  }
  const most = Math.max(...taken)
  show(
    `a pending pod is counted, ${when}: ${taken.map((each) => each.toFixed(2)).join(', ')} s  below ${LIVE_TARGET} s: ${verdict(most < LIVE_TARGET)}`,
  )
}

const lineOf = (minute: number, { busyInMinute, tasksInMinute, heapMiB, listeners, nodes }: Minute): string =>
  [
    String(minute).padStart(6),
    busyInMinute.toFixed(2).padStart(9),
    tasksInMinute.toFixed(2).padStart(10),
    heapMiB.toFixed(1).padStart(11),
    String(listeners).padStart(10),
    String(nodes).padStart(8),
  ].join('')

const measureMinutes = async (page: Page, changes: Changes, minutes: number): Promise<readonly Minute[]> => {
  show(`MINUTE   CPU, s  TASKS, s  HEAP, MiB LISTENERS   NODES (${changesInWords})`)
  return measureEachMinute(page, changes, minutes, (minute, held) => show(lineOf(minute, held)))
}

const measureOverview = async (page: Page, base: string, changes: Changes): Promise<void> => {
  show('the overview')
  await page.goto(`${base}karpenter`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.waitForTimeout(5_000)
  const minutes = await measureMinutes(page, changes, Number(values.minutes))
  const busiest = Math.max(...minutes.slice(1).map(({ busyInMinute }) => busyInMinute))
  show(
    `main thread: at most ${busiest.toFixed(2)} s a minute  at most ${BUSY_TARGET}: ${verdict(busiest <= BUSY_TARGET)}`,
  )
  // The first minutes fill caches, so only later minutes count.
  const [settled, last] = [minutes[2], minutes.at(-1)]
  if (settled !== undefined && last !== undefined && last !== settled) {
    const grown = (100 * (last.heapMiB - settled.heapMiB)) / settled.heapMiB
    const listeners = last.listeners - settled.listeners
    show(
      `from minute 2 on: heap ${grown.toFixed(1)} %, ${listeners} listeners  flat: ${verdict(grown < 10 && listeners < 50)}`,
    )
  }
  // Navigates, as a click on a link would, to a page for which the plugin watches no lists.
  await page.evaluate(
    `history.pushState(null, '', new URL('../settings/general', location.href)); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  // After the user leaves a page, the plugin keeps watching its lists for a while, because the next page may use them as well.
  await page.waitForTimeout(10_000)
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  await session.send('Performance.enable')
  const left = await heldBy(session)
  await session.detach()
  show(`after leaving: heap ${left.heapMiB.toFixed(1)} MiB, ${left.listeners} listeners, ${left.nodes} nodes`)
}

const files = await buildDashboard({ progress: print })
const cluster = await openSandbox({ port: 0, speed: 1, seed: 1, env: {}, progress: print })
try {
  const [nodes, pods] = [Number(values.nodes), Number(values.pods)]
  print(`creating ${nodes} nodes and ${pods} pods`)
  await fillCluster(cluster.client, nodes, pods)
  const connection = findConnection({ clock: new SystemClock(), env: {}, kubeconfig: cluster.kubeconfig })
  const server = await DashboardServer.start({ files, clusters: [{ name: 'full', connection }] })
  const browser = await launchChromium()
  try {
    const context = await openContext(browser)
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const base = `${server.url}c/full/`
    const changes = new Changes(cluster.client, nodes, pods)
    // The frontend is loaded once beforehand, because the benchmark measures only the navigation to a page.
    await page.goto(`${base}karpenter`)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    if (parts.has('pages')) await measurePages(page, base)
    if (parts.has('live')) await measureLive(page, base, cluster.client, 'quiet')
    if (parts.has('minutes')) await measureOverview(page, base, changes)
    if (parts.has('host')) {
      show('the list of pods of Headlamp itself')
      await page.goto(`${base}pods`)
      await page.getByRole('link', { name: /^pod-/ }).first().waitFor()
      await page.waitForTimeout(5_000)
      await measureMinutes(page, changes, HOST_MINUTES)
    }
  } finally {
    await browser.close()
    await server.close()
  }
} finally {
  await cluster.close()
}
if (missed > 0) process.exitCode = 1
