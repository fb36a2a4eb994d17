import { coreVocabulary as core, toNumber } from '@kerf/apis'
import { expect, test } from 'vitest'
import { leastPlan, MOST_PLANNED_PODS } from './least-plan.ts'
import { claim, node, nodeLabels, objects, pod, pool, priceLabel, shownTypes } from './testing/cluster-objects.ts'
import { randomFrom } from './testing/random-cluster.ts'

const requesting = (cpu: string) => ({ containers: [{ name: 'm', image: 'x', resources: { requests: { cpu } } }] })
const planOf = (all: ReturnType<typeof objects>) => leastPlan(all, shownTypes(all), core)

test.each(Array.from({ length: 40 }, (_, seed) => seed))(
  'frees what equal pods leave on random nodes of one type (seed %i)',
  (seed) => {
    const random = randomFrom(seed)
    const below = (count: number): number => Math.floor(random() * count)
    const size = 100 * (2 + below(8))
    const perNode = Math.floor(1900 / size)
    const names = Array.from({ length: 1 + below(12) }, (_, place) => `n${place}`)
    const counts = names.map(() => below(perNode + 1))
    const all = objects({
      claims: names.map((name) => claim(name, 'z1')),
      nodes: names.map((name) => node(name, 'z1')),
      pods: names.flatMap((name, place) =>
        Array.from({ length: counts[place] ?? 0 }, (_, each) =>
          pod(`${name}-${each}`, { ...requesting(`${size}m`), nodeName: name }),
        ),
      ),
    })
    const needed = Math.ceil(counts.reduce((sum, count) => sum + count, 0) / perNode)
    const plan = planOf(all)
    expect(plan).toMatchObject({
      kind: 'known',
      now: { nodes: names.length, cost: expect.closeTo(names.length / 10, 9) },
      planned: { nodes: needed, cost: expect.closeTo(needed / 10, 9) },
    })
    if (plan.kind !== 'known') return
    expect(toNumber(plan.now.allocatable.cpu)).toBeCloseTo(1.9 * names.length, 9)
    expect(toNumber(plan.planned.allocatable.memory)).toBeCloseTo(7 * 2 ** 30 * needed, 0)
    expect(plan.byPool.get('general')).toEqual({ now: plan.now, planned: plan.planned })
  },
)

const leaving = { deletionTimestamp: '2026-01-01T11:00:00Z' }

test('leaves out pending pods, nodes that are being deleted, nodes without a NodePool and static pools', () => {
  const going = node('b', 'z2')
  const { 'karpenter.sh/nodepool': _, ...foreignLabels } = nodeLabels('c', 'z1')
  const inStatic = { ...claim('s', 'z1') }
  const of = <T extends { metadata: { labels: object } }>(object: T): T => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, 'karpenter.sh/nodepool': 'fixed' } },
  })
  const all = objects({
    pools: [pool(), pool({ replicas: 1 }, 'fixed')],
    claims: [
      claim('a', 'z1'),
      { ...claim('b', 'z2'), metadata: { ...claim('b', 'z2').metadata, ...leaving } },
      of(inStatic),
    ],
    nodes: [
      node('a', 'z1'),
      { ...going, metadata: { ...going.metadata, ...leaving } },
      { ...node('c', 'z1'), metadata: { name: 'c', uid: 'c', labels: foreignLabels } },
      of(node('s', 'z1')),
    ],
    pods: [
      pod('one', { ...requesting('1'), nodeName: 'a' }),
      pod('two', { ...requesting('1'), nodeName: 'b' }),
      pod('three', { ...requesting('1'), nodeName: 'c' }),
      pod('four', { ...requesting('1'), nodeName: 's' }),
      pod('waiting', requesting('1')),
    ],
  })
  const plan = planOf(all)
  expect(plan).toMatchObject({ kind: 'known', now: { nodes: 1 }, planned: { nodes: 1 } })
  expect(plan.kind === 'known' && [...plan.byPool.keys()]).toEqual(['general'])
})

test('an unknown price makes the cost unknown, and not 0', () => {
  const { [priceLabel]: _, ...labels } = nodeLabels('b', 'z2') as Record<string, string>
  const unpriced = { ...claim('b', 'z2'), metadata: { ...claim('b', 'z2').metadata, labels } }
  const plan = planOf(objects({ claims: [claim('a', 'z1'), unpriced] }))
  expect(plan.kind === 'known' && [plan.now.nodes, plan.now.cost]).toEqual([2, undefined])
})

test('says why there is no plan', () => {
  const all = objects()
  expect(leastPlan(all, new Map(), core)).toEqual({ kind: 'none' })
  const pinned = pod('two', { nodeName: 'b', nodeSelector: { team: 'gone' } })
  expect(planOf(objects({ pods: [pod('one', { nodeName: 'a' }), pinned] }))).toEqual({ kind: 'unplaced', pods: 1 })
  const many = Array.from({ length: MOST_PLANNED_PODS + 1 }, () => pod('x'))
  expect(leastPlan({ ...all, pods: many }, shownTypes(all), core)).toEqual({ kind: 'tooMany', pods: MOST_PLANNED_PODS })
})
