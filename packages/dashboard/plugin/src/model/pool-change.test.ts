import { coreVocabulary as core, parseQuantity } from '@kerf/apis'
import { type InstanceType } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { type ClusterObjects } from './cluster-snapshot.ts'
import { poolChange } from './pool-change.ts'
import { driftingClaims } from './pool-drift.ts'
import {
  claim,
  condition,
  node,
  objects,
  pod,
  pool,
  resources,
  shownTypes,
  unscheduled,
} from './testing/cluster-objects.ts'

describe('the effect of an edit', () => {
  const effect = (after: unknown, more: Partial<ClusterObjects> = {}) => {
    const all = objects(more)
    return poolChange(after, all, shownTypes(all), core)
  }

  const relabelled = () => {
    const after = structuredClone(pool())
    after.spec.template.metadata.labels.team = 'b'
    return after
  }

  test('is empty if the edit does not affect nodes', () => {
    const none = { before: 0, after: 0 }
    expect(effect(pool({ weight: 10, disruption: { consolidateAfter: '1h' } }))).toEqual({
      ...{ drifting: [], already: [], undone: [], unschedulable: [], exceeded: [] },
      ...{ pending: none, refusedByLimits: none, launched: none, kept: none },
      nodes: { now: 2, before: 2, after: 2 },
      cost: { now: 0.2, before: 0.2, after: 0.2 },
    })
  })

  test('a changed label drifts every node, and the pods are packed onto fewer nodes', () => {
    const after = structuredClone(pool())
    after.spec.template.metadata.labels.team = 'b'
    const { drifting, unschedulable, cost, nodes, kept } = effect(after)
    expect(drifting).toEqual([
      { claim: 'claim-a', node: 'a', cause: 'NodePoolDrifted' },
      { claim: 'claim-b', node: 'b', cause: 'NodePoolDrifted' },
    ])
    expect(unschedulable).toEqual([])
    expect(cost).toEqual({ now: 0.2, before: 0.2, after: 0.1 })
    expect([nodes?.after, kept.after]).toEqual([1, 0])
  })

  test('replaces nodes step by step, because replacing all at once would exceed a limit', () => {
    const names = ['a', 'b', 'c', 'd']
    const sized = (name: string, cpu: string, price: number): InstanceType => {
      const [seen] = shownTypes(objects()).get('general') ?? []
      if (seen === undefined) throw new Error('no type')
      return {
        ...seen,
        name,
        requirements: seen.requirements.map((each) =>
          each.key === 'node.kubernetes.io/instance-type' ? { ...each, values: [name] } : each,
        ),
        offerings: seen.offerings.map((each) => ({ ...each, price })),
        capacity: { ...seen.capacity, cpu: parseQuantity(cpu) },
        overhead: {},
      }
    }
    const four = { capacity: { ...resources.capacity, cpu: '4' }, allocatable: { ...resources.capacity, cpu: '4' } }
    const of = <T extends { status: object }>(object: T): T => ({ ...object, status: { ...object.status, ...four } })
    const needs = { containers: [{ name: 'm', image: 'x', resources: { requests: { cpu: '1' } } }] }
    const all = objects({
      pools: [pool({ limits: { cpu: '17' } })],
      claims: names.map((name) => of(claim(name, 'z1'))),
      nodes: names.map((name) => of(node(name, 'z1'))),
      pods: names.flatMap((name) => [1, 2, 3, 4].map((each) => pod(`${name}-${each}`, { ...needs, nodeName: name }))),
    })
    const types = new Map([['general', [sized('m.4', '4', 0.2), sized('m.5', '5', 0.22)]]])
    const after = structuredClone(pool({ limits: { cpu: '17' } }))
    after.spec.template.metadata.labels.team = 'b'
    const atATime = (nodes: string) => ({ ...after, spec: { ...after.spec, disruption: { budgets: [{ nodes }] } } })
    expect(poolChange(atATime('1'), all, types, core)).toMatchObject({
      drifting: { length: 4 },
      unschedulable: [],
    })
    // The controller replaces nodes one after the other, whatever the budget allows.
    expect(poolChange(atATime('0'), all, types, core)).toMatchObject({ unschedulable: [] })
    expect(poolChange(atATime('100%'), all, types, core)).toMatchObject({ unschedulable: [], kept: { after: 0 } })
  })

  test('a new requirement drifts the nodes that do not meet it, and pods that fit on no other node keep theirs', () => {
    const after = pool()
    const narrowed = {
      ...after,
      spec: {
        ...after.spec,
        template: {
          ...after.spec.template,
          spec: {
            ...after.spec.template.spec,
            requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1'] }],
          },
        },
      },
    }
    const pinned = pod('two', { nodeName: 'b', nodeSelector: { 'topology.kubernetes.io/zone': 'z2' } })
    const found = effect(narrowed, { pods: [pod('one', { nodeName: 'a' }), pinned] })
    expect(found.drifting).toEqual([{ claim: 'claim-b', node: 'b', cause: 'RequirementsDrifted' }])
    expect(found.unschedulable).toEqual([
      { pod: 'default/two', reason: expect.objectContaining({ code: 'requirement.unsatisfied' }) },
    ])
    expect(found).toMatchObject({ kept: { before: 0, after: 1 }, nodes: { after: 2 }, cost: { after: 0.2 } })
  })

  test('nodes with do-not-disrupt are not replaced, and pods with it keep a node unless it has a terminationGracePeriod', () => {
    const guard = { 'karpenter.sh/do-not-disrupt': 'true' }
    const of = <T extends { metadata: object }>(object: T): T => ({
      ...object,
      metadata: { ...object.metadata, annotations: guard },
    })
    const pods = [of(pod('one', { nodeName: 'a' })), pod('two', { nodeName: 'b' })]
    expect(effect(relabelled(), { pods })).toMatchObject({ drifting: { length: 2 }, kept: { after: 1 } })
    const nodes = [of(node('a', 'z1')), node('b', 'z2')]
    expect(effect(relabelled(), { nodes })).toMatchObject({ kept: { after: 1 }, nodes: { after: 1 } })
    const claims = [claim('a', 'z1'), claim('b', 'z2')].map((each) => ({
      ...each,
      spec: { ...each.spec, terminationGracePeriod: '1h' },
    }))
    expect(effect(relabelled(), { pods, claims }).kept.after).toBe(0)
    expect(effect(relabelled(), { nodes, claims }).kept.after).toBe(1)
  })

  test('a pod that moved to a node that is replaced later moves again', () => {
    const tight = pod('one', { nodeName: 'a' })
    const big = { containers: [{ name: 'm', image: 'x', resources: { requests: { cpu: '1400m' } } }] }
    const found = effect(relabelled(), { pods: [tight, pod('two', { ...big, nodeName: 'b' })] })
    // Pod `one` moves to node b, and then both pods need one new node.
    expect(found).toMatchObject({ nodes: { after: 1 }, unschedulable: [] })
    const pinned = { nodeSelector: { team: 'a' } }
    const refused = effect(relabelled(), {
      pods: [pod('one', { ...pinned, nodeName: 'a' }), pod('two', { ...big, nodeName: 'b' })],
    })
    expect(refused).toMatchObject({ kept: { after: 1 }, unschedulable: [{ pod: 'default/one' }] })
  })

  test('replaces the nodes of a static pool one for one, and does not know their price', () => {
    const after = { ...relabelled(), spec: { ...relabelled().spec, replicas: 2 } }
    const found = effect(after, { pools: [pool({ replicas: 2 })] })
    expect(found).toMatchObject({ drifting: { length: 2 }, kept: { after: 0 }, unschedulable: [], nodes: { after: 2 } })
    expect(found.cost).toBeUndefined()
  })

  test('a spread counts the zone of the node that is replaced, as the controller does', () => {
    const spread = {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'spread' } },
        },
      ],
    }
    const app = (name: string, nodeName: string) => {
      const made = pod(name, { ...spread, nodeName })
      return { ...made, metadata: { ...made.metadata, labels: { app: 'spread' } } }
    }
    const after = pool()
    const requirements = [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1'] }]
    const narrowed = structuredClone(after)
    narrowed.spec.template.spec.requirements = requirements as never
    // Zone z2 is still a domain without a pod, so a second pod in z1 would exceed the allowed skew.
    expect(effect(narrowed, { pods: [app('one', 'a'), app('two', 'b')] })).toMatchObject({
      drifting: [{ claim: 'claim-b' }],
      kept: { after: 1 },
      unschedulable: [{ pod: 'default/two' }],
    })
  })

  const isDrifted = (name: string, zone: string, reason: string) => {
    const own = claim(name, zone)
    return {
      ...own,
      status: { ...own.status, conditions: [...own.status.conditions, { ...condition('Drifted'), reason }] },
    }
  }

  test('excludes drift that already exists, regardless of its cause and of the condition', () => {
    const heavier = pool({ weight: 7 })
    for (const reason of ['NodePoolDrifted', 'RequirementsDrifted', 'CloudDrift', 'NodeClassDrift', 'Drifted']) {
      const stored = reason === 'NodePoolDrifted' ? relabelled() : pool()
      const after = { ...stored, spec: { ...stored.spec, weight: 7 } }
      const claims = [isDrifted('a', 'z1', reason), isDrifted('b', 'z2', reason)]
      const found = effect(after, { pools: [stored], claims })
      // Only the rules of the pool decide about RequirementsDrifted. These NodeClaims match the pool, so the controller
      // will soon remove the condition.
      const isUndone = reason === 'RequirementsDrifted'
      expect([reason, found.drifting, found.already.length, found.undone.length]).toEqual([
        ...[reason, []],
        ...(isUndone ? [0, 2] : [2, 0]),
      ])
    }
    // An earlier edit of the stored pool makes its NodeClaims drift, but the controller has not marked them yet.
    const stored = relabelled()
    const found = effect({ ...stored, spec: { ...stored.spec, weight: 7 } }, { pools: [stored] })
    expect([found.drifting, found.already]).toEqual([[], ['claim-a', 'claim-b']])
    expect(effect(heavier)).toMatchObject({ drifting: [], already: [] })
  })

  test('includes only the claims that have not drifted yet if the edit makes all of them drift', () => {
    const claims = [isDrifted('a', 'z1', 'NodePoolDrifted'), claim('b', 'z2')]
    const { drifting, already } = effect(relabelled(), { claims })
    expect([drifting.map((each) => each.claim), already]).toEqual([['claim-b'], ['claim-a']])
  })

  test('keeps drifted nodes if the edit reverts the cause of their drift', () => {
    const claims = [isDrifted('a', 'z1', 'NodePoolDrifted'), isDrifted('b', 'z2', 'CloudDrift')]
    const found = effect(pool(), { pools: [relabelled()], claims })
    expect(found).toMatchObject({ drifting: [], already: ['claim-b'], undone: ['claim-a'] })
  })

  test.each(['v2', undefined])('compares the pool before and after the edit if the hash has version %s', (version) => {
    const foreign = (name: string, zone: string) => {
      const own = claim(name, zone)
      const { 'karpenter.sh/nodepool-hash-version': _, ...annotations } = own.metadata.annotations
      const other = { ...annotations, 'karpenter.sh/nodepool-hash': '123' }
      const known = version === undefined ? other : { ...other, 'karpenter.sh/nodepool-hash-version': version }
      return { ...own, metadata: { ...own.metadata, annotations: known } }
    }
    const claims = [foreign('a', 'z1'), foreign('b', 'z2')]
    expect(effect(pool({ weight: 7 }), { claims })).toMatchObject({ drifting: [], already: [] })
    expect(effect(relabelled(), { claims }).drifting).toHaveLength(2)
  })

  test('counts the cost of nodes for pending pods, with and without the edit', () => {
    const big = { containers: [{ name: 'm', image: 'x', resources: { requests: { cpu: '1800m' } } }] }
    const pods = [...objects().pods, ...['p', 'q', 'r'].map((name) => pod(name, big, unscheduled))]
    // The limit leaves room for one more node of 2 CPUs.
    const stored = pool({ limits: { cpu: '6' } })
    const raised = effect(pool({ limits: { cpu: '100' } }), { pools: [stored], pods })
    expect(raised).toMatchObject({
      pending: { before: 2, after: 0 },
      refusedByLimits: { before: 2, after: 0 },
      launched: { before: 1, after: 3 },
      unschedulable: [],
      cost: { now: 0.2, before: expect.closeTo(0.3, 9), after: expect.closeTo(0.5, 9) },
    })
    const unchanged = effect(pool({ limits: { cpu: '6' }, weight: 7 }), { pools: [stored], pods })
    expect(unchanged).toMatchObject({ pending: { before: 2, after: 2 }, refusedByLimits: { before: 2, after: 2 } })
    const lowered = effect(pool({ limits: { cpu: '4' } }), { pools: [stored], pods })
    expect(lowered).toMatchObject({ pending: { before: 2, after: 3 }, refusedByLimits: { before: 2, after: 3 } })
    const nodes = effect(pool({ limits: { nodes: '3' } }), { pools: [stored], pods })
    expect(nodes).toMatchObject({ refusedByLimits: { before: 2, after: 2 }, launched: { before: 1, after: 1 } })
  })

  test('counts pods that no limit refuses as pending only', () => {
    const huge = { containers: [{ name: 'm', image: 'x', resources: { requests: { cpu: '64' } } }] }
    const pods = [...objects().pods, pod('huge', huge, unscheduled)]
    expect(effect(pool({ limits: { cpu: '100' } }), { pods })).toMatchObject({
      pending: { before: 1, after: 1 },
      refusedByLimits: { before: 0, after: 0 },
    })
  })

  test('does not name running pods that fit nowhere with the stored pool either', () => {
    const pinned = pod('two', { nodeName: 'b', nodeSelector: { 'topology.kubernetes.io/zone': 'gone' } })
    const claims = [claim('a', 'z1'), isDrifted('b', 'z2', 'CloudDrift')]
    expect(effect(pool({ weight: 7 }), { claims, pods: [pinned] }).unschedulable).toEqual([])
  })

  test('plans the pods of nodes that are being deleted, and does not count the cost of these nodes', () => {
    const leaving = { deletionTimestamp: '2026-01-01T11:00:00Z' }
    const of = <T extends { metadata: object }>(object: T): T => ({
      ...object,
      metadata: { ...object.metadata, ...leaving },
    })
    const big = { containers: [{ name: 'm', image: 'x', resources: { requests: { cpu: '1800m' } } }] }
    const found = effect(pool({ weight: 7 }), {
      claims: [claim('a', 'z1'), of(claim('b', 'z2'))],
      nodes: [node('a', 'z1'), of(node('b', 'z2'))],
      pods: [pod('one', { nodeName: 'a' }), pod('two', { ...big, nodeName: 'b' })],
    })
    expect(found.cost).toEqual({ now: 0.2, before: 0.2, after: 0.2 })
    expect(found.launched).toEqual({ before: 1, after: 1 })
  })

  test('has no cost if the number of nodes follows from replicas and would change', () => {
    expect(effect(pool({ replicas: 5 })).cost).toBeUndefined()
    expect(effect(pool({ replicas: 2 })).cost).toBeDefined()
  })

  test('names limits that are already exceeded', () => {
    const after = {
      ...pool({ limits: { cpu: '3', memory: '1Ti' } }),
      status: { resources: { cpu: '4', memory: '16Gi' } },
    }
    expect(effect(after).exceeded).toEqual(['cpu'])
  })

  test.each([
    undefined,
    {},
    { metadata: { name: 'general' } },
    { metadata: { name: 'general' }, spec: { template: 3 } },
  ])('of %o has a result, and nothing is thrown', (odd) => {
    expect(driftingClaims(odd, objects().claims, core)).toEqual([])
    expect(effect(odd).drifting).toEqual([])
  })
})
