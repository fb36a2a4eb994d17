import { type KubeObject, karpenterKinds } from '@kerf/apis'
import { findComponents } from '@kerf/control-plane'
import { untilTrue } from '@kerf/control-plane/progress'
import { buildDashboard, DashboardServer } from '@kerf/dashboard'
import { bearer, type Connection, fixedCredentials, type KubeClient } from '@kerf/runtime'
import { sampled } from '@kerf/testing'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { account, binding, HIDDEN, OneNamespace, pod } from '../story/one-namespace.ts'
import { httpClient } from '../story/story-cluster.ts'
import { openContext } from './chromium.ts'
import { followLink } from './follow-link.ts'
import { Received } from './received.ts'
import { borrowChromium } from './shared-chromium.ts'
import { tableRow } from './table-row.ts'
import { findTile } from './tile.ts'
import { countIn } from './walk/counted.ts'
import { checkClaims, checkOverview, checkPending, checkPods, checkPool, checkPools } from './walk/numbers.ts'
import { appearances, inWords, pageProblems, settled } from './walk/walker.ts'

const hidden = new RegExp(HIDDEN)
const KEPT = { 'karpenter.sh/do-not-disrupt': 'true' }
const ZONE = 'topology.kubernetes.io/zone'

const budget = (namespace: string, name: string, app: string): object => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace },
  // The budget requires more pods than exist, so it allows no eviction.
  spec: { minAvailable: 9, selector: { matchLabels: { app } } },
})

const claimOf = async (client: KubeClient, node: string): Promise<string> => {
  const { items } = await client.list(karpenterKinds.NodeClaim)
  return items.find(({ status }) => status?.nodeName === node)?.metadata.name ?? ''
}

/** Returns a pod without requests that is already bound to a node. */
const bound = (nodeName: string, namespace: string, name: string, metadata: object): object => ({
  ...pod(namespace, name, {}, metadata),
  spec: { nodeName, containers: [{ name: 'main', image: 'nginx' }] },
})

/**
 * Returns additional pods for the node on which the user's pod runs. A PodDisruptionBudget protects one of them. The others are similar
 * pods in a namespace that the user cannot see.
 */
const neighbours = (node: string): readonly object[] => [
  bound(node, 'team-a', 'counted', { labels: { app: 'counted' } }),
  budget('team-a', 'keep', 'counted'),
  bound(node, `${HIDDEN}-team`, `${HIDDEN}-stays`, { labels: { app: HIDDEN }, annotations: KEPT }),
  bound(node, `${HIDDEN}-team`, `${HIDDEN}-counted`, { labels: { app: HIDDEN } }),
  budget(`${HIDDEN}-team`, `${HIDDEN}-keep`, HIDDEN),
]

/** Two pods of the user: one that gets a node, and one that stays pending with a reason that contains text from the pod. */
const objects: readonly object[] = [
  pod('team-a', 'stays', {}, { annotations: KEPT }),
  pod('team-a', 'elsewhere', { [ZONE]: 'moon-1' }),
  // This user may list pods and PodDisruptionBudgets but no Events, so the plugin must compute the reasons.
  account('quiet'),
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'pods-alone', namespace: 'team-a' },
    rules: [
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: ['get', 'list', 'watch'] },
    ],
  },
  binding('quiet', { kind: 'Role', name: 'pods-alone' }, 'quiet', 'team-a'),
  binding('quiet-answers', { kind: 'Role', name: 'karpenter-answers' }, 'quiet', 'karpenter'),
  binding('quiet-view', { kind: 'ClusterRole', name: 'karpenter-view' }, 'quiet'),
  // This user has the same permissions as `quiet`, but no access to Kerf's port.
  account('unheard'),
  binding('unheard', { kind: 'Role', name: 'pods-alone' }, 'unheard', 'team-a'),
  binding('unheard-view', { kind: 'ClusterRole', name: 'karpenter-view' }, 'unheard'),
  // This user may list all pods, but has no access to Kerf's port.
  account('seer'),
  binding('seer-view', { kind: 'ClusterRole', name: 'karpenter-view' }, 'seer'),
  binding('seer-all', { kind: 'ClusterRole', name: 'view' }, 'seer'),
  // This user may list nodes, NodePools and NodeClaims, but has no access to pods or to Kerf's port.
  account('visitor'),
  binding('visitor-view', { kind: 'ClusterRole', name: 'karpenter-view' }, 'visitor'),
]

/** A page in one user's window, and all data that the window received. */
interface Visit {
  readonly page: Page
  readonly received: Received
}

/** The users who fill in Settings → Cluster → Allowed namespaces. */
const withNamespace: ReadonlySet<string> = new Set(['dev', 'quiet', 'unheard'])

/** For each user with permissions on only one namespace, the pages to check and the appearances in which to check them. */
const looks = ['dev', 'quiet'].flatMap((name) =>
  ['karpenter', 'karpenter/nodepools', 'karpenter/nodeclaims', 'karpenter/pending-pods', 'karpenter/decisions'].flatMap(
    (path) => appearances.filter((look) => ['1440', '200 %'].includes(look.name)).map((look) => ({ name, path, look })),
  ),
)

describe.skipIf('missing' in findComponents())(
  'a user with permissions on one namespace, in Headlamp on a real API server',
  () => {
    let harness: OneNamespace
    let server: DashboardServer
    let browser: Browser
    let node: string

    const uidOf = async (namespace: string, name: string): Promise<string> => {
      const { stdout } = await harness.plane.kubectl(['get', 'pod', name, '-n', namespace, '-o', 'json'])
      return (JSON.parse(stdout) as KubeObject).metadata.uid ?? ''
    }

    const nodeOf = async (namespace: string, name: string): Promise<string> => {
      const path = '-o=jsonpath={.spec.nodeName}'
      const { stdout } = await harness.plane.kubectl(['get', 'pod', name, '-n', namespace, path])
      return stdout
    }

    beforeAll(async () => {
      const files = await buildDashboard({ progress: (line) => process.stdout.write(`${line}\n`) })
      harness = await OneNamespace.start()
      await harness.apply(objects)
      const { server: address, ca, token } = harness.plane
      const as = async (name: string, bearerToken: string): Promise<{ name: string; connection: Connection }> => ({
        name,
        connection: {
          server: address,
          tls: { ca },
          credentials: fixedCredentials({ authorization: bearer(bearerToken) }),
          origin: name,
        },
      })
      server = await DashboardServer.start({
        files,
        clusters: [
          await as('dev', await harness.token('dev')),
          await as('quiet', await harness.token('quiet')),
          await as('unheard', await harness.token('unheard')),
          await as('seer', await harness.token('seer')),
          await as('visitor', await harness.token('visitor')),
          await as('admin', token),
        ],
      })
      browser = await borrowChromium()
      const isOnNode = async (): Promise<boolean> => {
        node = await nodeOf('team-a', 'stays')
        return node !== ''
      }
      await untilTrue(isOnNode, harness.wait('the pod that stays to have a node'))
      await harness.apply(neighbours(node))
    })
    afterAll(async () => {
      await browser?.close()
      await server?.close()
      await harness?.stop()
    })

    /** The open window of each user. Windows are reused, because loading Headlamp in a new one costs four seconds of processor time. */
    const windows = new Map<string, Visit>()

    /** Opens a path in a user's window. Resolves when the page has settled. */
    const visit = async (name: string, path: string): Promise<Visit> => {
      const here = windows.get(name) ?? (await arrive(name))
      windows.set(name, here)
      // Closes the window of a failed test, so that the next test starts with a new one.
      onTestFailed(() => leave(name))
      await here.page.bringToFront()
      await go(here.page, name, path)
      return here
    }

    const arrive = async (name: string): Promise<Visit> => {
      const context = await openContext(browser)
      const received = new Received(context)
      if (withNamespace.has(name)) await nameNamespace(name, context)
      const page = await context.newPage()
      await page.goto(`${server.url}c/${name}/karpenter`)
      return { page, received }
    }

    const leave = async (name: string): Promise<void> => {
      const here = windows.get(name)
      windows.delete(name)
      await here?.page.context().close()
    }

    /**
     * Stores what Headlamp would store after the user fills in Settings → Cluster → Allowed namespaces. docs/dashboard.md tells users with
     * limited permissions to fill in this setting.
     */
    const nameNamespace = (name: string, context: BrowserContext): Promise<unknown> => {
      const settings = JSON.stringify({ allowedNamespaces: ['team-a'] })
      return context.addInitScript(`localStorage.setItem('cluster_settings.${name}', '${settings}')`)
    }

    /** Navigates as a click on a link would. Resolves when the page has settled. */
    const go = async (page: Page, name: string, path: string): Promise<void> => {
      await page.setViewportSize({ width: 1440, height: 900 })
      await followLink(page, new URL(`${server.url}c/${name}/${path}`).pathname)
      await settled(page)
    }

    const why = (page: Page, text: string | RegExp) => page.getByRole('cell', { name: text }).first()

    test.each(['dev', 'quiet'])(
      '%s sees the full reasons for her own pods, and nothing about other pods',
      async (name) => {
        const { page, received } = await visit(name, 'karpenter/pending-pods')
        await page.getByText('label disk has no known values').first().waitFor()
        await page.getByText(`wanted ${ZONE} In [moon-1]`).first().waitFor()
        const mine = await tableRow(page, 'mine')
        expect(mine).toMatchObject({
          Namespace: 'team-a',
          Reason: 'FailedScheduling',
          From: 'karpenter',
          Message: expect.stringContaining('nodepool/general: label disk has no known values'),
        })
        expect(await tableRow(page, 'elsewhere')).toMatchObject({
          Message: expect.stringContaining(`wanted ${ZONE} In [moon-1]`),
        })
        expect(await page.content()).not.toMatch(hidden)
        await received.settled()
        expect(received.matching(hidden)).toEqual([])
        // Kerf's response did contain the other pods, but only their UIDs.
        const uid = await uidOf(`${HIDDEN}-team`, `${HIDDEN}-pod`)
        expect(received.matching(new RegExp(uid)).map((url) => new URL(url).pathname)).toEqual([
          expect.stringMatching(/\/services\/karpenter:8080\/proxy\/kerf\/v1\/decisions$/),
        ])
      },
    )

    // Events about nodes are in a namespace that this user cannot read, so the plugin must compute the names of the user's own pods.
    test('on a node’s page she sees which of her pods keep the node, and only the UIDs of other pods', async () => {
      const { page, received } = await visit('dev', `nodes/${node}`)
      await page.getByRole('heading', { name: 'Why this node is kept' }).waitFor()
      await why(page, 'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=team-a/stays)').waitFor()
      await why(page, 'pdb prevents pod evictions (PodDisruptionBudget=[team-a/keep])').waitFor()
      const uid = await uidOf(`${HIDDEN}-team`, `${HIDDEN}-stays`)
      await why(page, `pod has "karpenter.sh/do-not-disrupt" annotation (Pod=of uid ${uid})`).waitFor()
      await why(page, /\(PodDisruptionBudget=\[of uid [0-9a-f-]{36}\]\)/).waitFor()
      expect(await page.content()).not.toMatch(hidden)
      await received.settled()
      expect(received.matching(hidden)).toEqual([])
    })

    test.each(sampled(looks, 4, 'users of one namespace × pages × appearances'))(
      '$name: $path has correct layout, labels and keyboard navigation with her permissions, $look.name',
      async ({ name, path, look }) => {
        const { page } = await visit(name, path)
        expect(inWords(await pageProblems(page, [look]))).toEqual([])
      },
    )

    /**
     * The test counts the objects with an administrator's permissions: all cluster-scoped objects, but only the pods of the user's
     * namespace.
     */
    test.each(['dev', 'quiet'])('%s: every number equals the count of the objects that she may read', async (name) => {
      const client = httpClient(harness.plane)
      try {
        const { page } = await visit(name, 'karpenter')
        const counted = await countIn(client, 'team-a')
        // Other namespaces have pending pods, which the user's numbers must not include.
        expect((await countIn(client)).pending).toBeGreaterThan(counted.pending)
        expect(counted.podsOn.get(node)).toBeGreaterThan(0)
        await checkOverview(page, counted)
        await visit(name, 'karpenter/nodepools')
        await checkPools(page, counted, ['general'])
        await visit(name, 'karpenter/nodepools/general')
        await checkPool(page, counted, 'general')
        await visit(name, 'karpenter/nodeclaims')
        await checkClaims(page, counted)
        await visit(name, `karpenter/nodeclaims/${await claimOf(client, node)}`)
        await checkPods(page, counted, node, 'stays')
        await visit(name, 'karpenter/pending-pods')
        await checkPending(page, counted)
      } finally {
        await client.close()
      }
    })

    test.each(['dev', 'quiet'])('%s: the lowest possible cost covers all pods, and names no pod', async (name) => {
      const { page, received } = await visit(name, 'karpenter')
      const bound = findTile(page, 'Lowest possible cost per hour')
      await bound.getByText(/^\$\d+\.\d+$/).waitFor()
      await received.settled()
      const answers = received.bodies
        .filter(({ url }) => url.endsWith('/karpenter:8080/proxy/kerf/v1/bound'))
        .map(({ text }) => JSON.parse(text) as { readonly cost: number })
      expect(answers.length).toBeGreaterThan(0)
      for (const answer of answers)
        expect(answer).toEqual({ at: expect.any(Number), kind: 'known', cost: expect.any(Number) })
      const costs = answers.map(({ cost }) => `$${cost.toFixed(4)}`)
      expect(costs).toContain((await bound.innerText()).match(/\$\d+\.\d+/)?.[0])
    })

    test('without access to pods and to Kerf’s port, the lowest possible cost is shown as unknown', async () => {
      const { page, received } = await visit('visitor', 'karpenter')
      await findTile(page, 'Cost per hour').getByText(/\$\d/).first().waitFor()
      await settled(page)
      expect((await findTile(page, 'Lowest possible cost per hour').innerText()).split('\n')).toContain('not known')
      expect((await findTile(page, 'Pending pods').innerText()).split('\n')).toContain('not known')
      expect(await page.content()).not.toMatch(hidden)
      await received.settled()
      expect(received.matching(hidden)).toEqual([])
      await leave('visitor')
    })

    test('results from her own pods only are not presented as results for the cluster', async () => {
      const { page } = await visit('unheard', 'karpenter')
      await findTile(page, 'Pending pods').getByText(/^\d+$/).waitFor()
      await findTile(page, 'Cost per hour').getByText(/\$\d/).first().waitFor()
      await settled(page)
      // For a user who may see all pods, the page computes the cost. This also works on a page that is opened later.
      const { page: whole } = await visit('seer', 'karpenter')
      await findTile(whole, 'Lowest possible cost per hour')
        .getByText(/^\$\d+\.\d+$/)
        .waitFor()
      await leave('seer')
      expect((await findTile(page, 'Lowest possible cost per hour').innerText()).split('\n')).toContain('not known')
      const inPart = page.getByText('Only pods that you are allowed to read are included')
      await visit('unheard', `nodes/${node}`)
      await why(page, 'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=team-a/stays)').waitFor()
      await inPart.waitFor()
      await visit('unheard', 'karpenter/pending-pods')
      await page
        .getByRole('button', { name: /^Explain/ })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('table').first().waitFor()
      await inPart.waitFor()
      await leave('unheard')
    })

    test('an administrator sees all objects on the same pages', async () => {
      const { page, received } = await visit('admin', 'karpenter/pending-pods')
      expect(await tableRow(page, `${HIDDEN}-pod`)).toMatchObject({ Namespace: `${HIDDEN}-team` })
      await visit('admin', `nodes/${node}`)
      await why(page, new RegExp(`Pod=${HIDDEN}-team/${HIDDEN}-stays`)).waitFor()
      await received.settled()
      // An administrator's page receives the hidden names. This proves that the checks above would have found them.
      expect(received.matching(hidden)).not.toEqual([])
      await leave('admin')
    })
  },
)
