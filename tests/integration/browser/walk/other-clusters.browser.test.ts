import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { bearer, type Connection, fixedCredentials, SystemClock, SystemRandom } from '@kerf/runtime'
import { SandboxApi, SandboxServer } from '@kerf/sandbox'
import { isNightly, sampled } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countIn } from './counted.ts'
import { type OpenedClusters, openDay, openLarge } from './large-clusters.ts'
import { checkClaims, checkOverview, checkPending, checkPool, checkPools } from './numbers.ts'
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

const connectionTo = ({ url, token }: SandboxServer): Connection => ({
  server: `${url}/${token}`,
  tls: {},
  credentials: fixedCredentials({ authorization: bearer(token) }),
  origin: 'walked',
})

/** Opens a cluster without Karpenter's kinds. */
const plain = async (): Promise<OpenedClusters> => {
  const api = new SandboxApi({ clock: new SystemClock(), random: new SystemRandom() })
  const server = await SandboxServer.start(api)
  return {
    clusters: [{ name: 'plain', connection: connectionTo(server) }],
    client: api.client(),
    close: () => server.close(),
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
  ['58 nodes with a day of history', openDay],
  ['500 nodes and 5,000 pods', openLarge],
] as const)('%s (nightly)', (_name, open) => {
  let opened: OpenedClusters
  let walk: WalkedPages
  beforeAll(async () => {
    opened = await open()
    walk = await WalkedPages.open(opened.clusters, opened.prepare)
  }, LONG)
  afterAll(async () => {
    await walk?.close()
    await opened?.close()
  })

  /** Returns the path. If it ends with `/first`, replaces this part by the name of the first object in the list. */
  const pathOf = async (path: string): Promise<string> => {
    if (!path.endsWith('/first')) return path
    const kind = (path.includes('nodepools') ? karpenterKinds.NodePool : kinds.Node) as ResourceKind<KubeObject>
    const [name = ''] = (await opened.client.list(kind)).items.map(({ metadata }) => metadata.name ?? '')
    return path.replace(/first$/, name)
  }

  // Each page is a test of its own, so that one page can be examined alone, and a failure does not hide the others.
  test.each(
    [...lists, 'karpenter/fullness', 'karpenter/policies', 'karpenter/nodepools/first', 'nodes/first'].flatMap((path) =>
      ['kerf', 'upstream'].map((controller) => [path, controller] as const),
    ),
  )(
    '%s has correct layout, texts and keyboard navigation: %s',
    async (path, controller) => {
      const page = await walk.goTo(controller, await pathOf(path))
      expect(inWords(await pageProblems(page, appearances))).toEqual([])
    },
    LONG,
  )

  test.each(['kerf', 'upstream'])(
    'every number equals the number of objects: %s',
    async (controller) => {
      const counted = await countIn(opened.client)
      const pools = [...counted.pools.keys()]
      const [pool = ''] = pools
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
