import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KubeObject, NodePool, Pod } from '@kerf/apis'
import { ApiError, SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxApi } from '@kerf/sandbox'
import { condition, node, nodeClaim, nodePool, pod } from '@kerf/testing'
import { afterAll, describe, expect, test } from 'vitest'
import type { ListClient } from '../../../../packages/cli/src/cluster/list-all.ts'
import { readPermitted, reportKinds } from '../../../../packages/cli/src/report/cluster-reader.ts'
import { loadReportCluster, type ReportSource } from '../../../../packages/cli/src/report/report-cluster.ts'
import { type ReportDocument, reportDocument } from '../../../../packages/cli/src/report/report-document.ts'
import { reportHtml } from '../../../../packages/cli/src/report/report-html.ts'
import { reportMarkdown } from '../../../../packages/cli/src/report/report-markdown.ts'
import { OFFLINE_SPOT_FACTOR } from '../../src/instance-type/offline-market.ts'
import { firstPrices } from '../../src/tables/first-prices.ts'

// More than 400 lines, because every report is checked by the same invariants and built from the same objects.

const directory = mkdtempSync(join(tmpdir(), 'kerf-report-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let files = 0
const fileOf = (objects: readonly KubeObject[]): string => {
  const file = join(directory, `${files++}.json`)
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  return file
}

const pathReport = async (paths: readonly string[], source: Partial<ReportSource> = {}): Promise<ReportDocument> =>
  reportDocument(await loadReportCluster({ ...source, paths }, {}, clock), '2026-01-01 00:00 UTC')

const clock = new VirtualClock({ start: Date.parse('2026-01-01T00:00:00Z') })

/** The price of m5.large in us-east-1. Kerf has no prices for eu-west-1, so it uses those of us-east-1. */
const price = firstPrices('us-east-1').onDemand.get('m5.large') ?? Number.NaN
const closeTo = (amount: number) => expect.closeTo(amount, 9)

const m5Large = { cpu: '1930m', memory: '7000Mi', pods: '29' }
/** Returns a node of an EKS managed node group. */
const eksNode = (name: string, labels: Readonly<Record<string, string>> = {}): KubeObject =>
  node(name, {
    providerID: `aws:///eu-west-1a/i-${name}`,
    capacity: m5Large,
    labels: {
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/hostname': name,
      'topology.kubernetes.io/region': 'eu-west-1',
      'topology.kubernetes.io/zone': 'eu-west-1a',
      'node.kubernetes.io/instance-type': 'm5.large',
      'eks.amazonaws.com/nodegroup': 'general',
      'eks.amazonaws.com/capacityType': 'ON_DEMAND',
      ...labels,
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  })
const running = (name: string, nodeName: string, cpu: string, more: Partial<Pod['spec']> = {}): KubeObject =>
  pod(name, {
    nodeName,
    requests: { cpu, memory: '500Mi' },
    owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: name.split('-')[0] ?? name },
    spec: more,
  })

const withoutTeam = (object: KubeObject): KubeObject => {
  const { team: _, ...labels } = object.metadata.labels ?? {}
  return { ...object, metadata: { ...object.metadata, labels } }
}

const sumOf = (report: ReportDocument, isConstraint: boolean): number =>
  report.findings
    .filter(({ kind }) => (kind === 'constraint') === isConstraint)
    .reduce((sum, { saves }) => sum + saves, 0)

/** Checks invariants of every report. */
const expectSound = (report: ReportDocument): void => {
  const { now, planned, findings, nodes } = report
  expect(nodes.reduce((sum, { price = 0 }) => sum + price, 0)).toBeCloseTo(now.cost, 6)
  expect(nodes.filter(({ price }) => price === undefined).length).toBe(now.unpriced)
  for (const { saves } of findings) expect(saves).toBeGreaterThan(0)
  if (planned === undefined) return
  expect(now.comparedCost - sumOf(report, false)).toBeCloseTo(planned.comparedCost, 6)
  expect(planned.cost).toBeCloseTo(now.cost - now.comparedCost + planned.comparedCost, 6)
  expect(planned.comparedCost - sumOf(report, true)).toBeGreaterThanOrEqual(-1e-9)
  const bought = planned.newNodes.reduce((sum, { count, price = 0 }) => sum + count * price, 0)
  expect(bought).toBeLessThanOrEqual(planned.comparedCost + 1e-6)
}

describe('a cluster of EKS node groups, without Karpenter', () => {
  const objects = [
    eksNode('a'),
    eksNode('b'),
    eksNode('empty'),
    eksNode('team', { team: 'data' }),
    running('web-1', 'a', '400m'),
    running('web-2', 'b', '400m'),
    running('etl-1', 'team', '1500m', { nodeSelector: { team: 'data' } }),
  ]

  test('findings about empty nodes, nodes whose pods fit elsewhere, and other types come in this order and add up', async () => {
    const report = await pathReport([fileOf(objects)])
    expectSound(report)
    expect(report.region).toBe('eu-west-1')
    expect(report.pricesOf).toBe('us-east-1')
    // Four m5.large cost this much at the prices of us-east-1.
    expect(report.now).toMatchObject({ nodes: 4, pods: 3, cost: closeTo(4 * price), unpriced: 0, comparedNodes: 4 })
    expect(report.findings.slice(0, 2)).toMatchObject([
      { kind: 'empty-nodes', saves: closeTo(price), about: ['empty'], sureness: 'sure' },
      { kind: 'underused-nodes', saves: closeTo(price) },
    ])
    expect(report.findings.map(({ kind }) => kind)).toContain('other-nodes')
    expect(report.findings[0]?.title).toContain('node group general')
    // The current nodes are on-demand instances, so the assumed NodePools are on-demand too.
    expect(report.planned?.newNodes.every(({ capacityType }) => capacityType === 'on-demand')).toBe(true)
    expect(report.remarks.join('\n')).toContain('the cluster has no NodePool')
  })

  test('pods keep their node selectors: the assumed pool has the label of the node group', async () => {
    const report = await pathReport([fileOf(objects)])
    expect(report.kept).toEqual([])
    const apart = await pathReport([fileOf(objects.map((each) => (each.kind === 'Node' ? withoutTeam(each) : each)))])
    expect(apart.kept.map(({ pod: name }) => name)).toEqual(['default/etl-1'])
    expectSound(apart)
  })

  test('a node that stays because of an unschedulable pod has the same cost today and planned', async () => {
    const apart = objects.map((each) => (each.kind === 'Node' ? withoutTeam(each) : each))
    const report = await pathReport([fileOf(apart)])
    expect(report.kept.map(({ node: on }) => on)).toEqual(['team'])
    // One m5.large stays, and the planned nodes replace the other three.
    const bought = report.planned?.newNodes.reduce((sum, { count, price = 0 }) => sum + count * price, 0) ?? 0
    expect(report.planned?.comparedCost).toBeCloseTo(price + bought, 9)
  })

  test('pods of on-demand nodes are not planned on spot instances', async () => {
    const spot = eksNode('spot', { 'eks.amazonaws.com/capacityType': 'SPOT' })
    const report = await pathReport([fileOf([...objects, spot, running('batch-1', 'spot', '1500m')])])
    expectSound(report)
    expect(report.findings.map(({ kind }) => kind)).not.toContain('spot')
  })

  test('findings about empty nodes are sure, findings that move pods are likely', async () => {
    const { findings } = await pathReport([fileOf(objects)])
    expect(findings.slice(0, 2).map(({ sureness }) => sureness)).toEqual(['sure', 'likely'])
  })

  test('a node of unknown type has no price, does not count as 0, and stays', async () => {
    const strange = eksNode('strange', { 'node.kubernetes.io/instance-type': 'm99.large' })
    const report = await pathReport([fileOf([...objects, strange, running('db-1', 'strange', '500m')])])
    expectSound(report)
    expect(report.now).toMatchObject({ nodes: 5, unpriced: 1, cost: closeTo(4 * price), comparedNodes: 4 })
    const found = report.nodes.find((each) => each.node === 'strange')
    expect(found).toMatchObject({ leftAlone: 'its cost is unknown' })
    expect(found).not.toHaveProperty('price')
    expect(reportMarkdown(report)).toMatch(/\| strange \|.*\| unknown \|/)
  })

  test('the overhead cost of nodes counts today and planned', async () => {
    const report = await pathReport([fileOf(objects)], { nodeOverheadCost: 0.1 })
    expectSound(report)
    // Four m5.large, with an overhead of 0.1 for each.
    expect(report).toMatchObject({ nodeOverheadCost: 0.1, now: { cost: closeTo(4 * price + 0.4), overhead: 0.4 } })
    expect(report.findings.slice(0, 2)).toMatchObject([
      { saves: closeTo(price + 0.1) },
      { saves: closeTo(price + 0.1) },
    ])
    const nodes = report.planned?.newNodes.reduce((sum, { count }) => sum + count, 0) ?? 0
    expect(report.planned?.overhead).toBeCloseTo(0.1 * nodes, 9)
    expect(reportMarkdown(report)).toContain('$0.4000/h of that is the overhead cost of nodes, $0.1/h each')
    const without = await pathReport([fileOf(objects)])
    expect(without).not.toHaveProperty('nodeOverheadCost')
    expect(without.planned?.cost).toBeLessThan(report.planned?.cost ?? 0)
  })

  test('measured usage is shown if the metrics API has it, and otherwise listed as not checked', async () => {
    const metrics = (name: string): KubeObject & { readonly usage: object } => ({
      apiVersion: 'metrics.k8s.io/v1beta1',
      kind: 'NodeMetrics',
      metadata: { name },
      usage: { cpu: '500m', memory: '100Mi' },
    })
    const some = await pathReport([fileOf([...objects, metrics('a')])])
    // The share is 500m of the 1930m that the node has allocatable.
    expect(some.nodes.find(({ node }) => node === 'a')?.measured).toBeCloseTo(0.2591, 4)
    expect(some.nodes.find(({ node }) => node === 'b')).not.toHaveProperty('measured')
    expect(some.notLookedAt.join()).toContain('the metrics API was not read')
    const all = await pathReport([fileOf([...objects, ...['a', 'b', 'empty', 'team'].map(metrics)])])
    expect(all.notLookedAt.join()).not.toContain('the metrics API was not read')
    expect(reportMarkdown(all)).toMatch(/\| a \|.*\| 26 % \|/)
    expect(reportMarkdown(await pathReport([fileOf(objects)]))).not.toContain('Measured')
  })

  test('the report names what keeps nodes', async () => {
    const held = {
      ...running('web-2', 'b', '400m'),
      metadata: {
        ...running('web-2', 'b', '400m').metadata,
        annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' },
      },
    }
    const report = await pathReport([
      fileOf([
        eksNode('a'),
        eksNode('b'),
        running('web-1', 'a', '1500m'),
        held,
        eksNode('c'),
        running('x-1', 'c', '1'),
      ]),
    ])
    expect(report.findings[0]?.title).toContain('safe-to-evict=false of pods such as default/web-2')
  })
})

describe('what keeps nodes of Karpenter, from the controllers’ own checks', () => {
  const onPool = { 'karpenter.sh/nodepool': 'general', 'karpenter.sh/capacity-type': 'on-demand' }
  const ready = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' }
  const ref = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }
  const poolWith = (disruption: NodePool['spec']['disruption']): KubeObject =>
    nodePool('general', {
      disruption,
      templateSpec: { nodeClassRef: ref },
      requirements: [
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
      ],
    })
  const launched = (name: string, conditions: readonly string[] = ['Consolidatable']): readonly KubeObject[] => [
    eksNode(name, { ...onPool, ...ready }),
    nodeClaim(`claim-${name}`, {
      labels: { ...onPool, ...ready },
      providerID: `aws:///eu-west-1a/i-${name}`,
      nodeName: name,
      conditions: ['Launched', 'Registered', 'Initialized', ...conditions].map((type) => condition(type)),
    }),
  ]
  const open: NodePool['spec']['disruption'] = { consolidateAfter: '0s', budgets: [{ nodes: '100%' }] }
  const titlesOf = async (
    disruption: NodePool['spec']['disruption'],
    more: readonly KubeObject[] = [],
    nodes: readonly KubeObject[] = [...launched('a'), ...launched('b')],
  ): Promise<readonly string[]> => {
    const web = { ...running('web-1', 'a', '400m'), ...(more.find(({ metadata }) => metadata.name === 'web-1') ?? {}) }
    const others = more.filter(({ metadata }) => metadata.name !== 'web-1')
    const pods = [web, running('api-1', 'b', '500m')]
    const report = await pathReport([fileOf([poolWith(disruption), ...nodes, ...pods, ...others])])
    expectSound(report)
    return report.findings.map(({ title, remedy }) => `${title} => ${remedy}`)
  }

  test('nothing keeps a node that consolidation will remove', async () => {
    expect((await titlesOf(open))[0]).toBe(
      '1 node whose pods fit on other nodes => no action required: consolidation removes them in due time',
    )
  })

  test.each([
    [{ ...open, consolidateAfter: 'Never' }, 'NodePool "general" has consolidation disabled'],
    [{ ...open, consolidationPolicy: 'WhenEmpty' }, 'has consolidation policy WhenEmpty, but node is not empty'],
    [{ ...open, budgets: [{ nodes: '0' }] }, 'budget of NodePool "general" allows 0 for Underutilized'],
    [
      { ...open, budgets: [{ nodes: '0', schedule: '0 0 * * *', duration: '1h' }] },
      'budget of NodePool "general" allows 0 for Underutilized',
    ],
  ] as const)('the NodePool: %j', async (disruption, text) => {
    const [title = ''] = await titlesOf(disruption)
    expect(title).toContain(text)
    expect(title).not.toMatch(/undefined|=> nothing/)
  })

  test('a budget that is closed at another hour keeps nothing now', async () => {
    const later = { ...open, budgets: [{ nodes: '0', schedule: '0 12 * * *', duration: '1h' }] }
    expect((await titlesOf(later))[0]).toContain('consolidation removes them')
  })

  test('a pod’s permanent annotation, and one whose time has passed', async () => {
    const annotated = (value: string, startTime: string): KubeObject => {
      const web = running('web-1', 'a', '400m') as Pod
      const annotations = { 'karpenter.sh/do-not-disrupt': value }
      return { ...web, metadata: { ...web.metadata, annotations }, status: { ...web.status, startTime } } as KubeObject
    }
    expect((await titlesOf(open, [annotated('true', '2025-12-31T00:00:00Z')]))[0]).toContain(
      'annotation karpenter.sh/do-not-disrupt of pods such as default/web-1',
    )
    expect((await titlesOf(open, [annotated('1h', '2025-12-31T00:00:00Z')]))[0]).toContain('consolidation removes them')
  })

  test('a PodDisruptionBudget, several of them, and a node that is not consolidatable yet', async () => {
    const budget = (name: string) => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace: 'default' },
      spec: { minAvailable: 1, selector: {} },
      status: { disruptionsAllowed: 0 },
    })
    expect((await titlesOf(open, [budget('one')]))[0]).toContain('PodDisruptionBudget default/one, which allows no')
    expect((await titlesOf(open, [budget('one'), budget('two')]))[0]).toContain('default/one, default/two')
    const fresh = await titlesOf(open, [], [...launched('a', []), ...launched('b', [])])
    expect(fresh[0]).toContain('pods came or went too recently for consolidation')
  })
})

test('a spot price is an estimate, and its finding comes after those with today’s capacity types', async () => {
  const pool = nodePool('general', {
    templateSpec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' } },
    requirements: [
      { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
    ],
  })
  const labels = { 'karpenter.sh/nodepool': 'general', 'karpenter.sh/capacity-type': 'on-demand' }
  const report = await pathReport([fileOf([pool, eksNode('a', labels), running('web-1', 'a', '1500m')])])
  expectSound(report)
  expect(report.findings).toMatchObject([
    { kind: 'spot', sureness: 'estimate', saves: closeTo(price * (1 - OFFLINE_SPOT_FACTOR)) },
  ])
})

test('the finding about a constraint comes last, and the planned cost does not include it', async () => {
  const pool = nodePool('general', {
    templateSpec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' } },
    requirements: [
      { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large', 'm5.xlarge'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
    ],
  })
  const labels = { 'karpenter.sh/nodepool': 'general', 'karpenter.sh/capacity-type': 'on-demand' }
  const apart: Partial<Pod['spec']> = {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
        ],
      },
    },
  }
  const web = (name: string, on: string): KubeObject => {
    const each = running(name, on, '500m', apart)
    return { ...each, metadata: { ...each.metadata, labels: { app: 'web' } } }
  }
  const report = await pathReport([
    fileOf([pool, eksNode('a', labels), eksNode('b', labels), web('web-1', 'a'), web('web-2', 'b')]),
  ])
  expectSound(report)
  expect(report.planned?.cost).toBeCloseTo(2 * price)
  expect(report.findings).toMatchObject([{ kind: 'constraint', saves: closeTo(price), about: ['default/web'] }])
})

const scenarios = fileURLToPath(new URL('../../../../tests/scenarios/', import.meta.url))
const withNodes = ['026-existing-room', '027-in-flight', '028-existing-topology', '040-mixed-cluster']

test.each(withNodes)('the findings of the recorded cluster %s add up', async (name) => {
  const [file = ''] = readdirSync(join(scenarios, name)).filter((each) => each.startsWith('cluster.yaml'))
  const report = await pathReport([join(scenarios, name, file)], {
    instanceTypes: join(scenarios, name, 'instance-types.json'),
  })
  expectSound(report)
  expect(report.now.nodes).toBeGreaterThan(0)
})

test('a recording without nodes: the planned cost is reported, the current cost is not', async () => {
  const file = join(directory, 'recording.json')
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] },
      },
    },
  }
  writeFileSync(
    file,
    JSON.stringify({
      recording: { from: '2026-01-01T00:00:00Z' },
      objects: [nodePool('general'), deployment],
      events: [],
    }),
  )
  const report = await pathReport([file])
  expect(report.now).toMatchObject({ nodes: 0, cost: 0 })
  expect(report.notCompared).toContain('as in a recording')
  expect(report.waiting.pods).toBe(2)
  expect(report.waiting.cost).toBeGreaterThan(0)
  expect(reportMarkdown(report)).not.toContain('0 nodes cost')
})

describe('the page', async () => {
  const report = await pathReport([
    fileOf([
      eksNode('<script>alert(1)</script>'),
      eksNode('b'),
      running('web-1', '<script>alert(1)</script>', '400m'),
      running('web-2', 'b', '1500m'),
    ]),
  ])
  const html = reportHtml(report)

  test('is self-contained, and names of objects are escaped', () => {
    expect(html).not.toMatch(/<script|<link|<img|src=|url\(|@import|https?:/)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  test('names the region of foreign prices once, and marks each price', () => {
    expect(html.match(/~ prices of us-east-1/g)?.length).toBe(1)
    expect(html).not.toMatch(/(?<!~)\$\d/)
  })

  test('names what was not checked', () => {
    for (const line of report.notLookedAt) expect(html).toContain(line)
  })
})

describe('with restricted permissions', () => {
  const clientWith = (mayList: (plural: string, namespace: string | undefined) => boolean): ListClient => {
    const client = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client()
    return {
      list: async (kind, options) => {
        if (mayList(kind.plural, options?.namespace)) return await client.list(kind, options)
        throw new ApiError({ code: 403, reason: 'Forbidden', message: `${kind.plural} is forbidden` })
      },
    }
  }

  test('a kind that may not be listed is named, and only that kind is missing', async () => {
    const read = await readPermitted(
      clientWith((plural) => plural !== 'persistentvolumes'),
      'test',
      { namespace: 'default' },
    )
    expect(read.forbidden).toEqual(['persistentvolumes'])
    expect(read.inOneNamespace).toEqual([])
    expect(read.manifests.map(({ object }) => `${object.kind} ${object.metadata.name}`)).toContain('Namespace default')
  })

  test('a user with access to one namespace gets a report of that namespace', async () => {
    const read = await readPermitted(
      clientWith((_, namespace) => namespace === 'default'),
      'test',
      { namespace: 'default' },
    )
    expect(read.inOneNamespace).toContain('pods')
    expect(read.forbidden).toContain('nodes')
    expect([...read.forbidden, ...read.inOneNamespace].length).toBeLessThanOrEqual(reportKinds.length)
  })
})
