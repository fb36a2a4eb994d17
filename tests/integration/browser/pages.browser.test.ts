import {
  groupVersion,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
  type NodePool,
  policyKinds,
} from '@kerf/apis'
import { untilPasses, untilTrue } from '@kerf/control-plane/progress'
import { caseDefinition, type DashboardCase } from '@kerf/provider-contract/dashboard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createExample, dashboardCases, uninstalledCases } from '../../support/dashboard-cases.ts'
import { clusterWait } from '../story/cluster-state.ts'
import { BrowserDashboard } from './browser-dashboard.ts'
import { tableRow } from './table-row.ts'

// This file has more than 400 lines, because all tests share one browser and one cluster, which take long to start.

let dashboard: BrowserDashboard

const ORDINARY = { width: 1440, height: 900 }
/** Wide enough for every column of a list. */
const VERY_WIDE = { width: 1680, height: 900 }

const isSection = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const poolLike = (name: string, more: object = {}): NodePool =>
  ({
    apiVersion: groupVersion(karpenterKinds.NodePool),
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
          requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
        },
      },
      disruption: {
        consolidateAfter: '30s',
        budgets: [{ nodes: '10%' }, { nodes: '3', reasons: ['Drifted'], schedule: '@daily', duration: '1h' }],
      },
      ...more,
    },
  }) as NodePool

const overlay: KubeObject = {
  apiVersion: groupVersion(karpenterKinds.NodeOverlay),
  kind: 'NodeOverlay',
  metadata: { name: 'dearer' },
  spec: {
    requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
    priceAdjustment: '+10%',
    weight: 7,
  },
} as KubeObject

const buffer: KubeObject = {
  apiVersion: groupVersion(karpenterKinds.CapacityBuffer),
  kind: 'CapacityBuffer',
  metadata: { name: 'spare', namespace: 'default' },
  spec: { scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'web' }, replicas: 2 },
} as KubeObject

/** The cases of the providers of this repository, whose CustomResourceDefinitions `kerf up` installs. */
let installed: readonly DashboardCase[] = []

const claims = async (): Promise<readonly NodeClaim[]> => (await dashboard.client.list(karpenterKinds.NodeClaim)).items

beforeAll(async () => {
  dashboard = await BrowserDashboard.start()
  await dashboard.client.create(
    karpenterKinds.NodePool,
    poolLike('arm', { weight: 5, limits: { cpu: '8', 'nvidia.com/gpu': '1' } }),
  )
  await dashboard.client.create(karpenterKinds.NodeOverlay, overlay as never)
  await dashboard.client.create(karpenterKinds.CapacityBuffer, buffer as never)
  const uninstalled = new Set((await uninstalledCases(dashboard.client)).map(({ provider }) => provider))
  installed = (await dashboardCases()).filter(({ provider }) => !uninstalled.has(provider))
  for (const each of installed) await createExample(dashboard.client, each)
  await untilTrue(
    async () => {
      const all = await claims()
      const ready = all.filter((claim) =>
        claim.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
      )
      return all.length > 0 && ready.length === all.length
    },
    clusterWait(dashboard.client, 'every claim to be ready'),
  )
})
afterAll(async () => {
  await dashboard?.close()
})

describe('the dashboard in Chromium', () => {
  test('lists NodeClaims with every column from the object', async () => {
    const page = await dashboard.open('karpenter/nodeclaims')
    await page.setViewportSize(VERY_WIDE)
    const [claim] = await claims()
    if (claim === undefined) throw new Error('no claim')
    const row = await tableRow(page, claim.metadata.name ?? '')
    const label = claim.metadata.labels ?? {}
    expect(row).toMatchObject({
      'Instance type': label[labels.instanceType],
      'Capacity type': label[labels.capacityType],
      Zone: label[labels.zone],
      Node: claim.status?.nodeName,
      'Node pool': label[labels.nodePool],
      'Price per hour': `$${Number(label['eks-node-viewer/instance-price']).toFixed(4)}`,
      CPU: claim.status?.capacity?.['cpu'],
    })
    expect(row['Fullness']).toMatch(/^\d+ % \/ \d+ %$/)
    expect(row['Status']).toMatch(/^Ready/)
    expect(row['Age']).toMatch(/^\d+[smh]$/)
    expect(Object.keys(row)).toContain('Actions')
    const promised = ['Name', 'Status', 'Instance type', 'CPU', 'Zone', 'Price per hour', 'Fullness', 'Age', 'Actions']
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      const shown = Object.keys(await tableRow(page, claim.metadata.name ?? ''))
      expect(shown).toEqual(expect.arrayContaining(promised))
    }
    await page.setViewportSize(ORDINARY)
    dashboard.leave(page)
  })

  test('lists NodePools with bars, drift and weight', async () => {
    const page = await dashboard.open('karpenter/nodepools')
    await page.setViewportSize(VERY_WIDE)
    expect(await tableRow(page, 'arm')).toMatchObject({
      'Node class': 'default',
      CPU: expect.stringMatching(/^\d+(\.\d+)? of 8$/),
      Weight: '5',
      Drifted: '0',
      Status: 'Ready',
    })
    expect((await tableRow(page, 'general'))['Memory']).toMatch(/ of 400 Gi$/)
    await page.setViewportSize(ORDINARY)
    dashboard.leave(page)
  })

  test('lists the policies of each NodePool, and what the ceilings leave', async () => {
    const meta = (kind: string, name: string) => ({ apiVersion: 'kerf.sh/v1alpha1', kind, metadata: { name } })
    await dashboard.client.create(policyKinds.ClusterPolicy, {
      ...meta('ClusterPolicy', 'default'),
      spec: {
        ceilings: { nodes: 900 },
        commitments: [{ name: 'reserved', prepaid: { instanceType: 'c-4x-amd64-linux', count: 700, share: '1' } }],
      },
    })
    await dashboard.client.create(policyKinds.NodePoolPolicy, {
      ...meta('NodePoolPolicy', 'for-batch'),
      spec: {
        targetRefs: [{ group: 'karpenter.sh', kind: 'NodePool', name: 'arm' }],
        access: { schedulerNames: ['default-scheduler', 'batch'] },
      },
    })
    const page = await dashboard.open('karpenter/policies')
    const main = page.locator('main')
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      const ceilings = main.getByRole('row').filter({ hasText: /ClusterPolicy default.*of 900/s })
      await ceilings.filter({ hasText: /nodes: \d+ of 900/ }).waitFor()
      expect(await ceilings.innerText()).toMatch(/all node pools\s+ceilings\s+.*Applied/s)
      const access = main.getByRole('row').filter({ hasText: 'NodePoolPolicy for-batch' })
      await access.filter({ hasText: 'Applied' }).waitFor()
      expect(await access.innerText()).toMatch(/arm\s+access\s/)
      const commitments = main.getByRole('row').filter({ hasText: /reserved: \d+ of 700/ })
      expect(await commitments.innerText()).toMatch(/all node pools\s+commitments\s/)
      const reserved = main.getByRole('row').filter({ hasText: /^reserved/ })
      expect(await reserved.innerText()).toMatch(/^reserved\s+instances\s+700\s+\d+\s+\d+\s+Active/)
      await main.getByText('No pod waits for a ceiling.').waitFor()
      for (const name of ['Node pool', 'Section', 'Policy', 'What it does now', 'Headroom']) {
        const box = await main.getByRole('columnheader', { name, exact: true }).first().boundingBox()
        expect([width, name, (box?.x ?? width) + (box?.width ?? 1) <= width]).toEqual([width, name, true])
      }
    }
    await page.setViewportSize(ORDINARY)
    dashboard.leave(page)
    const overview = await dashboard.open('karpenter')
    await overview.getByText('Prepaid capacity is included at its list price.').waitFor()
    dashboard.leave(overview)
    await dashboard.client.delete(policyKinds.ClusterPolicy, { name: 'default' })
    await dashboard.client.delete(policyKinds.NodePoolPolicy, { name: 'for-batch' })
  })

  test('lists the node classes of every provider together, each with its own columns', async () => {
    const page = await dashboard.open('karpenter/nodeclasses')
    await page.setViewportSize(VERY_WIDE)
    expect(installed.length).toBeGreaterThan(2)
    for (const kind of ['KWOKNodeClass', ...installed.map(({ example }) => example.kind)])
      await page.getByRole('heading', { name: kind }).first().waitFor()
    const wanted = installed.flatMap(({ shown }) => shown)
    await untilPasses(
      async () => {
        const text = await page.locator('main').innerText()
        expect(wanted.filter((each) => !text.includes(each))).toEqual([])
      },
      { what: 'the columns of every provider' },
    )
    await page.setViewportSize(ORDINARY)
    dashboard.leave(page)
  })

  test('a node class whose kind is installed while the page is open appears without a reload', async () => {
    const page = await dashboard.open('karpenter/nodeclasses')
    await page.getByRole('heading', { name: 'KWOKNodeClass' }).waitFor()
    const foreign =
      (await uninstalledCases(dashboard.client)).find(({ example }) => Object.values(example.spec).some(isSection)) ??
      expect.unreachable('the cluster has the node classes of every provider')
    const { kind, apiVersion, spec } = foreign.example
    const [group = '', version = ''] = apiVersion.split('/')
    const text = foreign.shown.find((each) => JSON.stringify(spec).includes(each)) ?? ''
    const [section = ''] = Object.entries(spec).find(([, value]) => isSection(value)) ?? []
    await dashboard.client.create(kinds.CustomResourceDefinition as never, caseDefinition(foreign) as never)
    await page.getByRole('heading', { name: `${kind} (${group})`, exact: true }).waitFor()
    const served = { group, version, kind, plural: foreign.plural, namespaced: false }
    await dashboard.client.create(served as never, { apiVersion, kind, metadata: { name: 'late' }, spec } as never)
    await page.getByRole('link', { name: 'late', exact: true }).waitFor()
    await page.getByText(text).waitFor()
    await page.getByRole('link', { name: 'late', exact: true }).click()
    await page.getByRole('heading', { name: `${kind}: late` }).waitFor()
    await page.getByText(section, { exact: true }).waitFor()
    dashboard.leave(page)
  })

  test('lists overlays and buffers', async () => {
    const overlays = await dashboard.open('karpenter/nodeoverlays')
    expect(await tableRow(overlays, 'dearer')).toMatchObject({
      Requirements: 'kubernetes.io/arch In arm64',
      Price: '+10%',
      Weight: '7',
    })
    dashboard.leave(overlays)
    const buffers = await dashboard.open('karpenter/capacitybuffers')
    expect(await tableRow(buffers, 'spare')).toMatchObject({
      Namespace: 'default',
      Workload: 'Deployment web',
      Replicas: '2',
    })
    dashboard.leave(buffers)
  })

  test('pools, claims, nodes and node classes link to each other; budgets are shown as rows', async () => {
    const armed = await dashboard.open('karpenter/nodepools/arm')
    await armed.getByText('@daily (UTC), for 1h').waitFor()
    expect(await armed.locator('main').innerText()).toContain('nvidia.com/gpu')
    const [claim] = await claims()
    const name = claim?.metadata.name ?? ''
    const pool = claim?.metadata.labels?.[labels.nodePool] ?? ''
    dashboard.leave(armed)
    const page = await dashboard.open(`karpenter/nodepools/${pool}`)
    await page.getByRole('heading', { name: 'Disruption budgets' }).waitFor()
    await page.getByRole('link', { name, exact: true }).first().click()
    await page.getByRole('heading', { name: `NodeClaim: ${name}` }).waitFor()
    await page.getByText('Initialized: True').waitFor()
    await page
      .getByRole('link', { name: claim?.status?.nodeName ?? '', exact: true })
      .first()
      .waitFor()
    await page
      .locator('main')
      .getByRole('link', { name: /^nginx|^web|-/ })
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'default', exact: true }).click()
    await page.getByRole('heading', { name: 'KWOKNodeClass: default' }).waitFor()
    await page.getByRole('link', { name: pool, exact: true }).first().click()
    await page.getByRole('heading', { name: `NodePool: ${pool}` }).waitFor()
    dashboard.leave(page)
  })

  test('a name of 253 characters hides no column, and the URL contains the sort order', async () => {
    const long = `${'n'.repeat(60)}.${'n'.repeat(60)}.${'n'.repeat(60)}.${'n'.repeat(60)}.${'n'.repeat(9)}`
    await dashboard.client.create(karpenterKinds.NodePool, poolLike(long, { limits: { cpu: '8' } }))
    const page = await dashboard.open('karpenter/nodepools')
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      const table = page.locator('main table').first()
      await page.getByRole('link', { name: long, exact: true }).waitFor()
      // No text overflows its cell. Only names are shortened, with an ellipsis and a tooltip.
      const cut = await table.evaluate((element) => {
        interface Part {
          readonly scrollWidth: number
          readonly clientWidth: number
          readonly innerText: string
          querySelectorAll(of: string): Iterable<Part>
        }
        const whole = element as unknown as Part
        const style = (part: Part): { readonly textOverflow: string } =>
          (globalThis as unknown as { getComputedStyle(of: Part): { textOverflow: string } }).getComputedStyle(part)
        const parts = [...whole.querySelectorAll('td span, td a')].filter(
          (part) =>
            part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1 && style(part).textOverflow !== 'ellipsis',
        )
        return [whole.scrollWidth - whole.clientWidth, parts.map(({ innerText }) => innerText.slice(0, 40))]
      })
      expect([width, cut]).toEqual([width, [width === 1440 ? 0 : expect.any(Number), []]])
    }
    // In a narrow window, the columns scroll. The name stays where it is.
    const name = page.getByRole('link', { name: 'arm', exact: true })
    const before = await name.boundingBox()
    await page.locator('main table').first().evaluate('table => { table.scrollLeft = 10_000 }')
    const after = await name.boundingBox()
    expect(Math.abs((after?.x ?? 0) - (before?.x ?? -1e3))).toBeLessThan(80)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('columnheader', { name: 'Nodes' }).getByRole('button').first().click()
    await page.waitForURL(/kerf-nodepoolssort=-?nodes/)
    const address = page.url()
    const other = await dashboard.openWith(`karpenter/nodepools${new URL(address).search}`, {})
    await other.locator('th[aria-sort="ascending"], th[aria-sort="descending"]').filter({ hasText: 'Nodes' }).waitFor()
    await dashboard.discard(other)
    await dashboard.client.delete(karpenterKinds.NodePool, { name: long })
    dashboard.leave(page)
  })

  test('the URL contains filters and sort order, so a reload and another user show the same table', async () => {
    const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'nowhere' }
    const template = { spec: { nodeClassRef, requirements: [] } }
    await dashboard.client.create(karpenterKinds.NodePool, poolLike('classless', { template }))
    const page = await dashboard.open('karpenter/nodepools')
    const namesIn = (of: typeof page) => of.locator('main tbody a[href*="/nodepools/"]').allInnerTexts()
    const onlyClassless = async (of: typeof page): Promise<void> => {
      await untilPasses(async () => expect(await namesIn(of)).toEqual(['classless']), { what: 'one pool in the table' })
      await of.locator('th[aria-sort="ascending"], th[aria-sort="descending"]').filter({ hasText: 'Nodes' }).waitFor()
      await of.locator('main').getByRole('combobox', { name: 'Status Not ready' }).waitFor()
    }
    await page.getByRole('link', { name: 'classless', exact: true }).waitFor()
    expect((await namesIn(page)).length).toBeGreaterThan(1)
    await page.getByRole('columnheader', { name: 'Nodes' }).getByRole('button').first().click()
    await page
      .locator('main')
      .getByRole('combobox', { name: /^Status/ })
      .click()
    await page.getByRole('option', { name: 'Not ready' }).click()
    await page.keyboard.press('Escape')
    // The value in the URL does not depend on the language.
    await page.waitForURL(/kerf-nodepools-status=NotReady/)
    await onlyClassless(page)
    await page.reload()
    await onlyClassless(page)
    const other = await dashboard.openWith(`karpenter/nodepools${new URL(page.url()).search}`, {})
    await onlyClassless(other)
    // Filters that are not in the URL are not applied.
    expect(await other.getByRole('button', { name: /filters/i }).count()).toBe(0)
    await dashboard.discard(other)
    await dashboard.client.delete(karpenterKinds.NodePool, { name: 'classless' })
    dashboard.leave(page)
  })

  test('the page of a claim shows its history, starting with the first pod, next to the median of its pool', async () => {
    const [claim] = await claims()
    const page = await dashboard.open(`karpenter/nodeclaims/${claim?.metadata.name}`)
    const heading = page.getByRole('heading', { name: 'From pod to node' })
    await heading.waitFor()
    await page
      .getByText(/\(\d+ node claims?\)/)
      .first()
      .waitFor()
    const way = await page.locator('main').innerText()
    for (const phase of ['Launch', 'Registration', 'Initialization'])
      expect(way).toMatch(new RegExp(`${phase}\\s+\\d+ secs?\\s+\\d+ secs? \\(\\d+ node claims?\\)`))
    expect(way).toContain(claim?.metadata.uid ?? 'no uid')
    dashboard.leave(page)
  })

  test.each([
    ['a NodeClaim', ['Price per hour', 'Why this node is kept', 'From pod to node', 'Pods', 'Decisions about pods']],
    ['a Node', ['Price per hour', 'Why this node is kept', 'Decisions about pods']],
    ['a NodePool', ['Pod capacity of its nodes', 'Cost per hour: ', 'Disruption budgets', 'Node claims']],
    ['a class', ['Node pools', 'Node claims', 'Conditions']],
  ] as const)(
    'on the page of %s, what only Kerf knows comes before what Headlamp shows on every page',
    async (what, ours) => {
      const [claim] = await claims()
      const path = {
        'a NodeClaim': `karpenter/nodeclaims/${claim?.metadata.name}`,
        'a Node': `nodes/${claim?.status?.nodeName}`,
        'a NodePool': 'karpenter/nodepools/general',
        'a class': 'karpenter/nodeclasses/karpenter.kwok.sh/KWOKNodeClass/default',
      }[what]
      const page = await dashboard.open(path)
      await page.getByText('Creation', { exact: true }).waitFor()
      for (const each of ours) await page.locator('main').getByText(each).first().waitFor()
      const [before = '', after] = (await page.locator('main').innerText()).split(/^Creation\n/m)
      expect(after).toBeDefined()
      // Headings and names are on separate lines of the page, in this order.
      const places = ours.map((each) => `\n${before}`.indexOf(`\n${each}`))
      expect(places).not.toContain(-1)
      expect(places).toEqual([...places].sort((a, b) => a - b))
      dashboard.leave(page)
    },
  )

  test('shows a change without a reload, and returns to the list after a deletion', async () => {
    const page = await dashboard.open('karpenter/nodepools')
    await tableRow(page, 'general')
    await dashboard.client.create(karpenterKinds.NodePool, poolLike('late'))
    await page.getByRole('link', { name: 'late', exact: true }).waitFor()
    await page.getByRole('link', { name: 'late', exact: true }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'confirm-button' }).click()
    await page.waitForURL(/\/karpenter\/nodepools$/)
    await page.getByRole('link', { name: 'late', exact: true }).waitFor({ state: 'detached' })
    dashboard.leave(page)
  })

  test('a cluster without NodePools shows no part of the plugin', async () => {
    const page = await dashboard.open('nodes', 'plain')
    await page.getByRole('heading', { name: 'Nodes' }).waitFor()
    await page
      .waitForResponse((response) => response.url().endsWith('/apis'), { timeout: 5_000 })
      .catch(() => undefined)
    expect(await page.getByText('Karpenter').count()).toBe(0)
    dashboard.leave(page)
  })

  test('no page logged errors or sent requests to other hosts', () => {
    expect(dashboard.problems).toEqual([])
  })
})
