// npm run bench:dashboard [-- --minutes N]: first useful paint of each page with 500 nodes and 5,000 pods, and the
// browser's memory while objects change.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { crdManifests, type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { buildDashboard, DashboardServer } from '@kerf/dashboard'
import { findConnection, type KubeClient, mapLimit, SystemClock } from '@kerf/runtime'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { openSandbox } from '../../cli/src/up/open-sandbox.ts'
import { fullCluster } from './full-cluster.ts'

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '500' },
    pods: { type: 'string', default: '5000' },
    runs: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '10' },
  },
})
const LIMIT_SECONDS = 1.5
const CHANGES_PER_SECOND = 10

const executablePath = [process.env['CHROMIUM_PATH'] ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome-stable'].find(
  (file) => file !== '' && existsSync(file),
)
if (executablePath === undefined) {
  process.stderr.write('bench:dashboard needs Chromium: install it, or set CHROMIUM_PATH\n')
  process.exit(2)
}

const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

const createAll = async <T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  objects: readonly object[],
): Promise<void> => {
  const { signal } = new AbortController()
  await mapLimit(
    objects,
    50,
    async (object) => {
      const created = await client.create(kind, object as T)
      const { status } = object as { readonly status?: object }
      if (status === undefined) return
      const { name = '', namespace } = created.metadata
      const ref = namespace === undefined ? { name } : { name, namespace }
      await client.patch(kind, ref, { type: 'merge', body: { status } }, { subresource: 'status' })
    },
    signal,
  )
}

/** What must be seen before a page is of use. */
const useful: readonly (readonly [string, string, (page: Page) => Promise<unknown>])[] = [
  ['Overview', 'karpenter', (page) => page.locator('main .MuiPaper-root', { hasText: '$' }).first().waitFor()],
  ['Node pools', 'karpenter/nodepools', (page) => page.getByRole('link', { name: 'general' }).first().waitFor()],
  [
    'Node claims',
    'karpenter/nodeclaims',
    (page) =>
      page
        .getByRole('link', { name: /^claim-/ })
        .first()
        .waitFor(),
  ],
  [
    'Node classes',
    'karpenter/nodeclasses',
    (page) =>
      page
        .getByRole('heading', { name: /NodeClass/ })
        .first()
        .waitFor(),
  ],
  ['Pending pods', 'karpenter/pending-pods', (page) => page.getByRole('link', { name: /^pod-/ }).first().waitFor()],
  ['Decisions', 'karpenter/decisions', (page) => page.getByRole('slider').waitFor()],
  ['Metrics', 'karpenter/metrics', (page) => page.getByRole('img', { name: /^Nodes by type/ }).waitFor()],
  ['Node pool', 'karpenter/nodepools/general', (page) => page.getByText('of 4000').first().waitFor()],
  ['Node claim', 'karpenter/nodeclaims/claim-node-0', (page) => page.getByText('kwok://node-0').first().waitFor()],
]

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

const heapOf = async (session: CDPSession): Promise<number> => {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 2 ** 20
}

const files = await buildDashboard({ progress: say })
const clock = new SystemClock()
const cluster = await openSandbox({ port: 0, speed: 1, seed: 1, env: {}, progress: say })
const { client } = cluster
try {
  for (const { manifest } of crdManifests()) await client.create(kinds.CustomResourceDefinition, manifest as never)
  const objects = fullCluster(Number(values.nodes), Number(values.pods))
  say(`creating ${values.nodes} nodes and ${values.pods} pods`)
  await createAll(client, karpenterKinds.NodePool, objects.pools)
  await createAll(client, karpenterKinds.NodeClaim, objects.claims)
  await createAll(client, kinds.Node, objects.nodes)
  await createAll(client, kinds.Pod, objects.pods)
  const connection = findConnection({ clock, env: {}, kubeconfig: cluster.kubeconfig })
  const server = await DashboardServer.start({ files, clusters: [{ name: 'full', connection }] })
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-sync',
      '--disable-component-update',
    ],
  })
  try {
    const context = await browser.newContext({ viewport: { width: 1500, height: 950 } })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    // The frontend itself is loaded once; what is measured is coming to a page.
    await page.goto(`${server.url}c/full/karpenter`)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    process.stdout.write('PAGE           FIRST USEFUL PAINT, SECONDS (min, median, max)\n')
    let slow = 0
    for (const [name, path, isUseful] of useful) {
      const taken: number[] = []
      for (let run = 0; run < Number(values.runs); run++) {
        await page.goto('about:blank')
        const began = performance.now()
        await page.goto(`${server.url}c/full/${path}`, { waitUntil: 'commit' })
        await isUseful(page)
        taken.push((performance.now() - began) / 1000)
      }
      const middle = median(taken)
      if (middle > LIMIT_SECONDS) slow += 1
      process.stdout.write(
        `${name.padEnd(14)} ${Math.min(...taken).toFixed(2)}  ${middle.toFixed(2)}  ${Math.max(...taken).toFixed(2)}\n`,
      )
    }
    process.stdout.write(`threshold: ${LIMIT_SECONDS} s: ${slow === 0 ? 'met' : `missed by ${slow} pages`}\n\n`)

    const minutes = Number(values.minutes)
    if (minutes > 0) {
      await page.goto(`${server.url}c/full/karpenter`)
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      const session = await context.newCDPSession(page)
      await session.send('HeapProfiler.enable')
      process.stdout.write(`MINUTE  HEAP AFTER COLLECTION, MiB (${CHANGES_PER_SECOND} changes a second)\n`)
      const heaps: number[] = []
      for (let minute = 0; minute <= minutes; minute++) {
        const heap = await heapOf(session)
        heaps.push(heap)
        process.stdout.write(`${String(minute).padStart(6)}  ${heap.toFixed(1)}\n`)
        if (minute === minutes) break
        const end = performance.now() + 60_000
        for (let change = 0; performance.now() < end; change++) {
          const name = `pod-${(change * 7) % Number(values.pods)}`
          const body = { metadata: { labels: { touched: String(minute * 1000 + change) } } }
          await client.patch(kinds.Pod, { name, namespace: 'default' }, { type: 'merge', body })
          const left = 1000 / CHANGES_PER_SECOND
          await new Promise((resolve) => setTimeout(resolve, left))
        }
      }
      // The first minutes fill caches. What counts is whether memory keeps growing after that.
      const [, , settled = 0] = heaps
      const last = heaps.at(-1) ?? 0
      process.stdout.write(`from minute 2 to ${minutes}: ${(((last - settled) / settled) * 100).toFixed(1)} %\n`)
    }
  } finally {
    await browser.close()
    await server.close()
  }
} finally {
  await cluster.close()
}
