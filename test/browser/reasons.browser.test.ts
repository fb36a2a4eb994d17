import {
  annotations,
  apiVersionOf,
  type Deployment,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
  type NodePool,
  type Pod,
} from '@kerf/apis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { seriousViolations } from './accessibility.ts'
import { BrowserDashboard } from './browser-dashboard.ts'
import { rowOf } from './table-row.ts'

let dashboard: BrowserDashboard

const sticky = {
  apiVersion: apiVersionOf(karpenterKinds.NodePool),
  kind: 'NodePool',
  metadata: { name: 'sticky' },
  spec: {
    template: {
      metadata: { labels: { team: 'a' } },
      spec: {
        nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
        requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
        taints: [{ key: 'sticky', effect: 'NoSchedule' }],
      },
    },
    // At its limit with the one node that its pods need.
    limits: { nodes: 1 },
    disruption: { consolidateAfter: '1h', budgets: [{ nodes: '100%' }] },
  },
} as unknown as NodePool

const stay: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'stay', namespace: 'default' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'stay' } },
    template: {
      metadata: { labels: { app: 'stay' }, annotations: { [annotations.doNotDisrupt]: 'true' } },
      spec: {
        tolerations: [{ key: 'sticky', operator: 'Exists' }],
        nodeSelector: { [labels.nodePool]: 'sticky' },
        containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '1' } } }],
      },
    },
  },
} as Deployment

const impossible: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'impossible', namespace: 'default' },
  spec: {
    nodeSelector: { disk: 'nvme' },
    containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '3' } } }],
  },
} as Pod

const claims = async (): Promise<readonly NodeClaim[]> => (await dashboard.client.list(karpenterKinds.NodeClaim)).items
const isTrue = (claim: NodeClaim | undefined, type: string): boolean =>
  claim?.status?.conditions?.some((each) => each.type === type && each.status === 'True') ?? false
const stickyClaim = async (): Promise<NodeClaim | undefined> =>
  (await claims()).find((claim) => claim.metadata.labels?.[labels.nodePool] === 'sticky')

beforeAll(async () => {
  dashboard = await BrowserDashboard.start()
  const { client } = dashboard
  await client.create(karpenterKinds.NodePool, sticky)
  await client.create(kinds.Deployment, stay)
  await client.create(kinds.Pod, impossible)
  await vi.waitFor(async () => expect(isTrue(await stickyClaim(), 'Ready')).toBe(true), {
    timeout: 60_000,
    interval: 500,
  })
  // Its node now drifts and cannot go: its pod may not be disrupted, and the pool is at its limit.
  await client.patch(
    karpenterKinds.NodePool,
    { name: 'sticky' },
    { type: 'merge', body: { spec: { template: { metadata: { labels: { team: 'b' } } } } } },
  )
  await vi.waitFor(
    async () => {
      const all = await claims()
      expect(all.length > 1 && all.every((claim) => isTrue(claim, 'Ready'))).toBe(true)
      expect(isTrue(await stickyClaim(), 'Drifted')).toBe(true)
    },
    { timeout: 60_000, interval: 500 },
  )
}, 900_000)
afterAll(async () => {
  await dashboard?.close()
})

describe('what is and what comes', () => {
  test('the overview adds up the objects', async () => {
    const page = await dashboard.open('karpenter', 'kerf')
    const cost = (await claims()).reduce(
      (sum, { metadata }) => sum + Number(metadata.labels?.['eks-node-viewer/instance-price']),
      0,
    )
    const tile = (title: string) =>
      page.locator('main .MuiPaper-root', { has: page.getByText(title, { exact: true }) }).first()
    await tile('Cost per hour')
      .getByText(`$${cost.toFixed(4)}`)
      .waitFor()
    await tile('Nodes')
      .getByText(String((await claims()).length), { exact: true })
      .waitFor()
    await tile('Pending pods').getByText('1', { exact: true }).waitFor()
    // No more than what is paid now, and more than nothing.
    const bound = tile('Least possible cost per hour')
    await bound.getByText(/^\$0\.\d+$/).waitFor()
    const least = Number((await bound.innerText()).match(/\$(\d\.\d+)/)?.[1])
    expect(least > 0 && least <= cost + 1e-9).toBe(true)
    await page.getByText('Node drifted, will be replaced').waitFor()
    dashboard.leave(page)
  })

  test('charts are drawn without Prometheus, and their numbers can be taken away', async () => {
    const page = await dashboard.open('karpenter/metrics', 'kerf')
    for (const title of ['Cost by node pool', 'Pending pods', 'Node claims created', 'Disruptions allowed now'])
      await page.getByRole('heading', { name: title }).waitFor()
    const cost = page.getByRole('img', { name: /^Cost by node pool: .*general/ })
    await cost.waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).nth(1).click()
    expect((await download).suggestedFilename()).toBe('cost.csv')
    dashboard.leave(page)
  })

  test('the map joins the objects, each once', async () => {
    const page = await dashboard.open('map', 'kerf')
    const box = page.locator('.react-flow__node')
    await box.first().waitFor({ timeout: 40_000 })
    await page.getByText('Expand All').click()
    for (const claim of await claims())
      await page
        .locator('.react-flow__node', { hasText: 'NodeClaim' })
        .filter({ hasText: claim.metadata.name })
        .waitFor({ state: 'attached', timeout: 20_000 })
    const text = (await box.allInnerTexts()).map((each) => each.replace(/\s+/g, ' '))
    const count = (kind: string): number => text.filter((each) => each.includes(`${kind} `)).length
    expect(count('NodePool')).toBe(2)
    expect(count('NodeClaim')).toBe((await claims()).length)
    // Each link of the chain that the objects make, by uid.
    const all = await claims()
    const pools = (await dashboard.client.list(karpenterKinds.NodePool)).items
    const nodes = (await dashboard.client.list(kinds.Node)).items
    const pods = (await dashboard.client.list(kinds.Pod)).items
    const uidOf = (list: readonly { metadata: { uid?: string; name?: string } }[], name: string | undefined) =>
      list.find(({ metadata }) => metadata.name === name)?.metadata.uid ?? `no ${name}`
    const links = [
      ...all.map((claim) => `${uidOf(pools, claim.metadata.labels?.[labels.nodePool])}-${claim.metadata.uid}`),
      ...all.map((claim) => `${claim.metadata.uid}-${uidOf(nodes, claim.status?.nodeName)}`),
      ...pods
        .filter(({ spec }) => spec.nodeName !== undefined)
        .map(({ metadata, spec }) => `${uidOf(nodes, spec.nodeName)}-${metadata.uid}`),
      ...pools.map(({ metadata }) => `${metadata.uid}-${uidOf(pods, 'impossible')}`),
    ]
    const drawn = await page
      .locator('.react-flow__edge')
      .evaluateAll((edges) => edges.map((edge) => edge.getAttribute('data-id') ?? ''))
    expect(links.filter((link) => !drawn.includes(link))).toEqual([])
    expect(new Set(drawn).size).toBe(drawn.length)
    dashboard.leave(page)
  })
})

describe('why', () => {
  test.each(['kerf', 'sandbox'] as const)(
    'a pending pod has its row, and each pool its verdict: dashboard of %s',
    async (cluster) => {
      const page = await dashboard.open('karpenter/pending-pods', cluster)
      const row = await rowOf(page, 'impossible')
      expect(row).toMatchObject({
        Namespace: 'default',
        Reason: 'FailedScheduling',
        From: 'karpenter',
        Message: expect.stringContaining('disk'),
        CPU: '3',
        'Pending for': expect.stringMatching(/^\d+[sm]$/),
      })
      await page.getByRole('button', { name: 'Explain default/impossible' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('cell', { name: 'disk In [nvme]' }).first().waitFor()
      await dialog.getByText('without nodeSelector disk=nvme').waitFor()
      await dialog.getByRole('link', { name: 'general' }).first().waitFor()
      await dialog.getByRole('cell', { name: /sticky:NoSchedule is not tolerated/ }).waitFor()
      // Who cannot ask the controller says so.
      const isSeen = await dialog.getByText('only types that were seen in this cluster').count()
      expect(isSeen).toBe(cluster === 'kerf' ? 0 : 1)
      dashboard.leave(page)
    },
  )

  test('decisions about pods and nodes, and none in the past before there were any', async () => {
    const page = await dashboard.open('karpenter/decisions', 'kerf')
    await page.getByRole('cell', { name: 'Nominated' }).first().waitFor()
    expect(await rowOf(page, 'impossible')).toMatchObject({
      Reason: expect.stringMatching(/^FailedScheduling/),
      Type: 'Warning',
    })
    await page.getByRole('slider').fill('-240')
    await page.getByText('No decisions are reported here.').first().waitFor()
    dashboard.leave(page)
  })

  test('a node’s page says whose it is, what it costs and why it is kept', async () => {
    const claim = await stickyClaim()
    const page = await dashboard.open(`nodes/${claim?.status?.nodeName}`, 'kerf')
    await page.getByRole('heading', { name: 'Why this node is kept' }).waitFor()
    await page
      .getByText(/has "karpenter.sh\/do-not-disrupt" annotation/)
      .first()
      .waitFor({ timeout: 20_000 })
    await page
      .getByRole('link', { name: claim?.metadata.name ?? '', exact: true })
      .first()
      .waitFor()
    dashboard.leave(page)
  })

  test('the list of nodes has our columns', async () => {
    const claim = await stickyClaim()
    const page = await dashboard.open('nodes', 'kerf')
    const wanted = {
      'Node pool': 'sticky',
      'Capacity type': claim?.metadata.labels?.[labels.capacityType],
      'Price per hour': expect.stringMatching(/^\$\d/),
    }
    // The row comes with the nodes, and our columns when claims and prices are there too.
    await vi.waitFor(async () => expect(await rowOf(page, claim?.status?.nodeName ?? '')).toMatchObject(wanted), {
      timeout: 30_000,
      interval: 250,
    })
    dashboard.leave(page)
  })
})

test.each(['karpenter', 'karpenter/pending-pods', 'karpenter/decisions', 'karpenter/metrics'])(
  'axe finds nothing serious in %s',
  async (path) => {
    const page = await dashboard.open(path, 'kerf')
    await page.getByRole('heading').first().waitFor()
    expect(await seriousViolations(page)).toEqual([])
    dashboard.leave(page)
  },
)

test('nothing complained, and nothing was asked of anybody else', () => {
  // The conflict that was made on purpose is told by the browser, too.
  expect(dashboard.problems.filter((problem) => !problem.includes('409 (Conflict)'))).toEqual([])
})
