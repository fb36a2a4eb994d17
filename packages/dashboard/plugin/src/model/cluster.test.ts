import { coreVocabulary as core } from '@kerf/apis'
import { explainPod, schedule } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { browserCluster, type ClusterObjects } from './cluster-snapshot.ts'
import { leastCost, MOST_PODS, reportedLeastCost } from './least-cost.ts'
import { poolVerdicts } from './pool-verdicts.ts'
import {
  nodeLabels,
  objects,
  pod,
  pool,
  priceLabel,
  resources,
  shownTypes,
  unscheduled,
} from './testing/cluster-objects.ts'

describe('the engine in the browser', () => {
  test('derives instance types from the nodes of the cluster, with their zones and reserved resources', () => {
    const [type] = shownTypes(objects()).get('general') ?? []
    expect(type?.name).toBe('m.large')
    expect(
      type?.offerings.map(({ price, requirements }) => [price, requirements.map(({ values }) => values?.[0])]),
    ).toEqual([
      [0.1, ['z1', 'spot']],
      [0.1, ['z2', 'spot']],
    ])
    expect(type?.overhead.kubeReserved).toMatchObject({ cpu: 100_000_000n })
    expect(type?.requirements.map(({ key }) => key)).not.toContain('karpenter.sh/registered')
  })

  test('reports no least cost, instead of $0, while the price of a type is unknown', () => {
    const all = objects()
    expect(leastCost(all, shownTypes(all), core)).toEqual({
      kind: 'known',
      cost: expect.closeTo((0.1 * 1000) / 1900, 6),
    })
    const { [priceLabel]: _, ...labels } = nodeLabels('c', 'z1')
    const unpriced = {
      metadata: { name: 'c', labels: { ...labels, 'node.kubernetes.io/instance-type': 'x.huge' } },
      spec: { providerID: 'c' },
      status: resources,
    }
    const more = objects({ nodes: [...all.nodes, unpriced] })
    expect(leastCost(more, shownTypes(more), core)).toEqual({ kind: 'unpriced', types: 1 })
    expect(leastCost(objects({ pools: [] }), new Map(), core)).toEqual({ kind: 'none' })
  })

  test('computes no least cost if there are too many pods for a page', () => {
    let times = 0
    const counted = () => {
      times++
      return { kind: 'known', cost: 1 } as const
    }
    const [some] = objects().pods
    const few = objects({ pods: Array.from({ length: MOST_PODS }, () => some) })
    expect(leastCost(few, shownTypes(few), core, counted)).toEqual({ kind: 'known', cost: 1 })
    expect(times).toBe(1)
    const many = objects({ pods: [...few.pods, some] })
    expect(leastCost(many, shownTypes(many), core, counted)).toEqual({ kind: 'tooMany', pods: MOST_PODS })
    expect(times).toBe(1)
  })

  test('accepts a valid least cost from the controller, and no other response', () => {
    const at = 5
    expect(reportedLeastCost({ at, kind: 'known', cost: 12.5 })).toEqual({ kind: 'known', cost: 12.5 })
    expect(reportedLeastCost({ at, kind: 'unpriced', types: 2 })).toEqual({ kind: 'unpriced', types: 2 })
    expect(reportedLeastCost({ at, kind: 'none' })).toEqual({ kind: 'none' })
    expect(reportedLeastCost({ at, kind: 'starting' })).toEqual({ kind: 'starting' })
    for (const damaged of [
      undefined,
      null,
      '<html>',
      {},
      { kind: 'known' },
      { kind: 'known', cost: '1' },
      { kind: 'x' },
    ])
      expect(reportedLeastCost(damaged)).toBeUndefined()
  })

  test('places pods on existing nodes if they fit, plans nodes for the others and reports why a pod cannot be placed', () => {
    const all = objects({
      pods: [
        ...objects().pods,
        pod('fits', {}, unscheduled),
        pod('big', { containers: [{ name: 'm', image: 'x', resources: { requests: { cpu: '1800m' } } }] }, unscheduled),
        pod('huge', { containers: [{ name: 'm', image: 'x', resources: { requests: { cpu: '64' } } }] }, unscheduled),
      ],
    })
    const { snapshot, pending } = browserCluster(all, shownTypes(all))
    expect(pending.map(({ metadata }) => metadata.name)).toEqual(['fits', 'big', 'huge'])
    const plan = schedule(snapshot, pending, { vocabulary: core })
    expect(plan.placements.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual(['fits'])
    expect(plan.claims).toHaveLength(1)
    const huge = pending.find(({ metadata }) => metadata.name === 'huge')
    if (huge === undefined) throw new Error()
    const { funnels, remedies } = explainPod(snapshot, pending, huge, { vocabulary: core })
    expect(funnels[0]?.reason).toMatchObject({
      code: 'resources.exceeded',
      detail: { requested: '64', available: '1900m' },
    })
    expect(remedies).toMatchObject([{ kind: 'lower-request' }])
  })

  test('a pod that its scheduler has not reported yet can be explained, and no node is planned for it', () => {
    const all = objects({ pods: [pod('new', {}, { phase: 'Pending' }), pod('web', {}, unscheduled)] })
    const { snapshot, pending, untried } = browserCluster(all, shownTypes(all))
    expect([pending, untried].map((list) => list.map(({ metadata }) => metadata.name))).toEqual([['web'], ['new']])
    const [fresh] = untried
    if (fresh === undefined) throw new Error()
    expect(explainPod(snapshot, [...pending, fresh], fresh, { vocabulary: core }).place).toMatchObject({ kind: 'node' })
  })

  test('a missing volume claim is the only reason, without a verdict on a Ready NodePool', () => {
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'gone' } }]
    const all = objects({ pods: [...objects().pods, pod('db', { volumes }, unscheduled)] })
    const explained = (notKnown: ReadonlySet<keyof ClusterObjects>) => {
      const { snapshot, pending } = browserCluster(all, shownTypes(all), notKnown)
      const [db] = pending
      if (db === undefined) throw new Error()
      return explainPod(snapshot, pending, db, { vocabulary: core })
    }
    const missing = explained(new Set())
    expect(missing.reasons).toMatchObject([{ code: 'volume.invalid' }])
    expect(poolVerdicts(missing, all, shownTypes(all))).toEqual([])
    // If the user is not allowed to list volume claims, they are ignored.
    expect(explained(new Set(['persistentVolumeClaims'])).place).toMatchObject({ kind: 'node' })
  })

  test('pools that are not ready, static or being deleted launch nothing, and malformed objects are omitted', () => {
    const all = objects({
      pools: [
        { ...pool({}, 'unready'), status: {} },
        pool({ replicas: 2 }, 'static'),
        { metadata: { name: 'damaged' } },
        undefined,
        pool(),
      ],
      pods: [undefined, {}, { metadata: { name: 'x' }, spec: {} }, ...objects().pods],
      nodes: [null, ...objects().nodes],
    })
    const { snapshot } = browserCluster(all, shownTypes(all))
    expect(snapshot.pools.map(({ nodePool }) => nodePool.metadata.name)).toEqual(['general'])
    expect(snapshot.nodes.map(({ pods }) => pods.length)).toEqual([1, 1])
  })
})
