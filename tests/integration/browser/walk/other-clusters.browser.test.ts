import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import type { DashboardCluster } from '@kerf/dashboard'
import {
  bearer,
  type Connection,
  findConnection,
  fixedCredentials,
  type KubeClient,
  SystemClock,
  SystemRandom,
} from '@kerf/runtime'
import { SandboxApi, SandboxServer } from '@kerf/sandbox'
import { isNightly, sampled } from '@kerf/testing'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDayCluster } from '../../../../tools/pictures/day-cluster.ts'
import { forwardToHistory, startHistory } from '../../../../tools/pictures/history.ts'
import { fullCluster } from '../../../benchmarks/dashboard/full-cluster.ts'
import { countIn } from './counted.ts'
import { checkClaims, checkOverview, checkPending, checkPool, checkPools } from './numbers.ts'
import { openWalkedCluster } from './walked-cluster.ts'
import { WalkedPages } from './walked-pages.ts'
import { appearances, inWords, pageProblems } from './walker.ts'

const HOUR = 3_600_000
/** The time limit of these tests. It is long so that they also pass on busy machines. */
const LONG = HOUR / 2
const lists = [
  'karpenter',
  'karpenter/nodepools',
  'karpenter/nodeclaims',
  'karpenter/pending-pods',
  'karpenter/decisions',
  'karpenter/metrics',
]

interface Opened {
  readonly clusters: readonly DashboardCluster[]
  readonly client: KubeClient
  /** Prepares the window in which the clusters are shown. */
  prepare?(context: BrowserContext): Promise<unknown>
  close(): Promise<void>
}

const connectionTo = ({ url, token }: SandboxServer): Connection => ({
  server: `${url}/${token}`,
  tls: {},
  credentials: fixedCredentials({ authorization: bearer(token) }),
  origin: 'walked',
})

/** Opens a cluster without Karpenter's kinds. */
const plain = async (): Promise<Opened> => {
  const api = new SandboxApi({ clock: new SystemClock(), random: new SystemRandom() })
  const server = await SandboxServer.start(api)
  return {
    clusters: [{ name: 'plain', connection: connectionTo(server) }],
    client: api.client(),
    close: () => server.close(),
  }
}

const createAll = async (client: KubeClient, kind: unknown, objects: readonly object[]): Promise<void> => {
  for (const object of objects) {
    const { metadata } = await client.create(kind as ResourceKind<KubeObject>, object as KubeObject)
    const { status } = object as { readonly status?: object }
    if (status === undefined) continue
    const { name = '', namespace } = metadata
    const ref = namespace === undefined ? { name } : { name, namespace }
    await client.patch(
      kind as ResourceKind<KubeObject>,
      ref,
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    )
  }
}

/** Opens a cluster with 500 nodes and 5,000 pods, once with Kerf and once with upstream Karpenter. */
const large = async (): Promise<Opened> => {
  const cluster = await openWalkedCluster(Date.now(), HOUR, async (client) => {
    const { pools, claims, nodes, pods } = fullCluster(500, 5_000)
    await createAll(client, karpenterKinds.NodePool, pools)
    await createAll(client, karpenterKinds.NodeClaim, claims)
    await createAll(client, kinds.Node, nodes)
    await createAll(client, kinds.Pod, pods)
  })
  const { connection, controller, client } = cluster
  return {
    clusters: [
      { name: 'kerf', connection, controller },
      { name: 'upstream', connection },
    ],
    client,
    close: () => cluster.close(),
  }
}

/** Opens a cluster with 58 nodes and a day of metrics in a real Prometheus, once with Kerf and once with upstream Karpenter. */
const day = async (): Promise<Opened> => {
  const cluster = await openDayCluster(Date.now(), () => undefined)
  const history = await startHistory(cluster.scrapes)
  const connection = findConnection({ clock: new SystemClock(), env: {}, kubeconfig: cluster.kubeconfig })
  const controller = {
    metrics: () => cluster.session.metrics(),
    answer: (path: string, signal: AbortSignal) => cluster.session.answer(path, signal),
  }
  return {
    clusters: [
      { name: 'kerf', connection, controller },
      { name: 'upstream', connection },
    ],
    client: cluster.client,
    prepare: (context) => forwardToHistory(context, history),
    close: async () => {
      history.close()
      await cluster.close()
    },
  }
}

const plainLooks = sampled(
  lists.flatMap((path) => appearances.map((look) => ({ path, look }))),
  4,
  'pages of a cluster without Karpenter × appearances',
)

test('in a cluster without Karpenter, every page of the plugin says so, and the plugin shows nothing else', async () => {
  const opened = await plain()
  const walk = await WalkedPages.open(opened.clusters)
  try {
    for (const path of lists) {
      const page = await walk.goTo('plain', path)
      await page.getByText('neither Karpenter nor Kerf is installed here').waitFor()
      expect(await page.locator('nav').getByText('Karpenter').count()).toBe(0)
      const looks = plainLooks.filter((cell) => cell.path === path).map(({ look }) => look)
      expect([path, inWords(await pageProblems(page, looks))]).toEqual([path, []])
    }
    expect(walk.complaints).toEqual([])
  } finally {
    await walk.close()
    await opened.close()
  }
})

describe.skipIf(!isNightly()).each([
  ['58 nodes with a day of history', day],
  ['500 nodes and 5,000 pods', large],
] as const)('%s (nightly)', (_name, open) => {
  let opened: Opened
  let walk: WalkedPages
  beforeAll(async () => {
    opened = await open()
    walk = await WalkedPages.open(opened.clusters, opened.prepare)
  }, LONG)
  afterAll(async () => {
    await walk?.close()
    await opened?.close()
  })

  test.each(['kerf', 'upstream'])(
    'every page has correct layout, texts, keyboard navigation and numbers: %s',
    async (controller) => {
      const counted = await countIn(opened.client)
      const pools = [...counted.pools.keys()]
      const [pool = ''] = pools
      for (const path of [...lists, `karpenter/nodepools/${pool}`]) {
        const page = await walk.goTo(controller, path)
        expect([path, inWords(await pageProblems(page, appearances))]).toEqual([path, []])
      }
      await checkOverview(await walk.goTo(controller, 'karpenter'), counted)
      await checkPools(await walk.goTo(controller, 'karpenter/nodepools'), counted, pools)
      await checkPool(await walk.goTo(controller, `karpenter/nodepools/${pool}`), counted, pool)
      await checkClaims(await walk.goTo(controller, 'karpenter/nodeclaims'), counted)
      await checkPending(await walk.goTo(controller, 'karpenter/pending-pods'), counted)
      expect(walk.complaints).toEqual([])
    },
    LONG,
  )
})
