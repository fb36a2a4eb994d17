import { type Event, labels, type Milliseconds } from '@kerf/apis'
import { DECISIONS_CONFIG_MAP, type ObservedDecision } from '@kerf/controllers'
import { nodeClaim, pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { compareDecisions } from './compare-decisions.ts'
import { ObservedFacts } from './observed-facts.ts'
import { comparisonPage } from './report-page.ts'
import { comparisonTable } from './report-table.ts'

const START: Milliseconds = Date.parse('2026-08-22T09:00:00Z')
const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString().replace('.000Z', 'Z')

const launch = (seconds: number, pods: readonly string[], price = 0.4): ObservedDecision => ({
  ...{ kind: 'launch', at: START + seconds * 1_000, nodePools: ['default'], pods },
  ...{ instanceType: 'm-4x', zone: 'zone-a', capacityType: 'spot', price },
})

const config = (...decisions: readonly ObservedDecision[]) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: DECISIONS_CONFIG_MAP, namespace: 'kerf-observe' } },
  data: { decisions: decisions.map((each) => JSON.stringify(each)).join('\n') },
})

const claim = (name: string, seconds: number, type = 'c-8x') =>
  nodeClaim(name, {
    labels: { [labels.instanceType]: type, [labels.zone]: 'zone-a', [labels.capacityType]: 'spot' },
    nodeName: `node-${name}`,
    metadata: { creationTimestamp: at(seconds) },
  })

const bound = (uid: string, created: number, node: string, seconds: number) =>
  pod(uid, {
    nodeName: node,
    metadata: { uid, creationTimestamp: at(created) },
    status: { conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: at(seconds) }] },
  })

const nominated = (uid: string, claimName: string, seconds: number, component = 'karpenter'): Event => ({
  ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: `e-${uid}-${component}`, namespace: 'default' } },
  ...{ involvedObject: { kind: 'Pod', namespace: 'default', name: uid, uid }, source: { component } },
  ...{ reason: 'Nominated', message: `Pod should schedule on: nodeclaim/${claimName}`, firstTimestamp: at(seconds) },
})

const collectFacts = (...objects: readonly Parameters<ObservedFacts['take']>[0][]): ObservedFacts => {
  const facts = new ObservedFacts()
  for (const object of objects) facts.take(object)
  return facts
}

const priced = (of: { readonly instanceType: string }) => (of.instanceType === 'c-8x' ? 0.5 : undefined)

describe('pods', () => {
  test('are joined by uid, with both nodes, their prices, and the difference in seconds', () => {
    const facts = collectFacts(
      claim('other', 3),
      bound('one', 1, 'node-other', 20),
      nominated('one', 'other', 4),
      config(launch(2, ['one'])),
    )
    const { pods, kerf, acting } = compareDecisions(facts, priced)
    expect(pods).toMatchObject([
      {
        name: 'default/one',
        kerf: { isNew: true, instanceType: 'm-4x', price: 0.4 },
        acting: { isNew: true, node: 'other', instanceType: 'c-8x', price: 0.5 },
        secondsLater: -2,
      },
    ])
    expect([kerf, acting]).toEqual([
      { nodes: 1, cost: 0.4, unpriced: 0 },
      { nodes: 1, cost: 0.5, unpriced: 0 },
    ])
  })

  test('without an Event, the time of the decision is when the NodeClaim was created, or when the pod was bound to an existing node', () => {
    const facts = collectFacts(
      claim('old', -600),
      claim('new', 3),
      bound('one', 1, 'node-new', 20),
      bound('two', 1, 'node-old', 5),
      config(launch(2, ['one', 'two']), launch(9, ['three'])),
    )
    const { pods } = compareDecisions(facts, priced)
    expect(pods.map(({ uid, acting, secondsLater }) => [uid, acting?.node, acting?.isNew, secondsLater])).toEqual([
      ['one', 'new', true, -1],
      ['two', 'old', false, -3],
      ['three', undefined, undefined, undefined],
    ])
  })

  test('Events from Kerf about pods do not count as decisions of the other autoscaler', () => {
    const facts = collectFacts(nominated('one', 'other', 4, 'kerf-observe'), config(launch(2, ['one'])))
    expect(compareDecisions(facts, priced).pods).toMatchObject([{ acting: undefined }])
  })

  test('a repeated decision counts once, and a pod that needed no decision is not compared', () => {
    const facts = collectFacts(
      claim('old', -600),
      bound('idle', 5, 'node-old', 5),
      config(launch(2, ['one']), launch(602, ['one'])),
    )
    const { pods, kerf, undecided } = compareDecisions(facts, priced)
    expect(pods.map(({ uid }) => uid)).toEqual(['one'])
    expect(kerf.nodes).toBe(1)
    expect(undecided).toBe(1)
  })

  test('a node that the other autoscaler had launched for the pods is distinguished from an older one', () => {
    const place = (node: string, pods: readonly string[]): ObservedDecision => ({
      ...{ kind: 'place', at: START + 5_000, nodePools: [], node, pods },
    })
    const facts = collectFacts(
      claim('old', -600),
      claim('new', 3),
      bound('one', 1, 'node-new', 20),
      bound('two', 1, 'node-old', 6),
      config(launch(2, ['three']), place('new', ['one']), place('node-old', ['two'])),
    )
    expect(compareDecisions(facts, priced).places).toEqual({ launched: 1, onTheOthers: 1, onOlder: 1 })
  })
})

test('for nodes that Kerf would have disrupted, shows whether and when the other autoscaler removed them', () => {
  const disrupt: ObservedDecision = {
    ...{ kind: 'disrupt', at: START + 10_000, nodePools: ['default'], pods: [] },
    ...{ reason: 'Empty', nodes: ['node-a', 'node-b'], replacements: 0, savings: 0.9 },
  }
  const gone = claim('a', 0)
  const facts = collectFacts(
    { ...gone, metadata: { ...gone.metadata, deletionTimestamp: at(25) } },
    claim('b', 0),
    config(disrupt, launch(60, ['one'])),
  )
  const { disruptions, removedByOthers } = compareDecisions(facts, priced)
  expect(disruptions).toMatchObject([
    {
      savings: 0.9,
      nodes: [
        { name: 'node-a', actingAt: START + 25_000 },
        { name: 'node-b', actingAt: undefined },
      ],
    },
  ])
  expect(removedByOthers).toBe(0)
})

test('invalid lines of a truncated export are counted, and the others are read', () => {
  const { data, ...rest } = config(launch(2, ['one']), launch(3, ['two']))
  const facts = collectFacts({ ...rest, data: { decisions: data.decisions.slice(0, -10) } } as ReturnType<
    typeof config
  >)
  expect(facts.unread).toBe(1)
  expect(compareDecisions(facts, priced).pods.map(({ uid }) => uid)).toEqual(['one'])
})

test('prints a table and a page; the page escapes names from the cluster', () => {
  const facts = collectFacts(
    claim('other', 3),
    bound('one', 1, 'node-other', 20),
    nominated('one', 'other', 4),
    config({ ...launch(2, ['one', '<b>']) }),
  )
  const comparison = compareDecisions(facts, priced)
  expect(comparisonTable(comparison, Number.POSITIVE_INFINITY)).toMatchInlineSnapshot(`
    "2 pods in 0.0 minutes: both decided for 1, only Kerf for 1, only the other for 0; 0 more went to existing nodes
    Where: the same instance type, zone and capacity type for 0, the same instance type for 0 more, a different one for 1
    Cost: Kerf would have launched 1 node at $0.4000/h for 2 pods; it would have used existing nodes for 0, and nodes that the other had already launched for 0. The other launched 1 node at $0.5000/h
    Time: Kerf decided earlier for 1 of 1; median 2.0 s sooner, 10th percentile 2.0 s sooner, 90th percentile 2.0 s sooner
    Disruption: Kerf would have removed 0 nodes in 0 decisions; the other removed 0 of them, and 0 other nodes

    PODS  KERF                            THE OTHER                       KERF WAS
       1  new m-4x zone-a spot $0.4000/h  new c-8x zone-a spot $0.5000/h  2.0 s sooner
       1  new m-4x zone-a spot $0.4000/h  nothing
    "
  `)
  expect(comparisonPage(comparison)).toContain('&lt;b&gt;')
  expect(comparisonPage(comparison)).not.toContain('<td><b>')
  expect(comparisonTable(compareDecisions(new ObservedFacts(), priced), Number.POSITIVE_INFINITY)).toContain(
    'Kerf has not decided anything yet',
  )
})
