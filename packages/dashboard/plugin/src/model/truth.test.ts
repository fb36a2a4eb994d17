import { coreVocabulary as core } from '@kerf/apis'
import { explainPod } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { netAllowances } from './budgets.ts'
import { browserCluster, type ClusterObjects, poolCounts } from './cluster-snapshot.ts'
import { computedRefusals } from './computed-refusals.ts'
import { fullnessByName, requestedShare } from './fullness.ts'
import { pendingPods } from './pending-pods.ts'
import { poolChange } from './pool-change.ts'
import { poolVerdicts } from './pool-verdicts.ts'
import { claimCounts, claimsCost, nodesByPool } from './price.ts'
import { labelPrices } from './prices.ts'
import { objectName } from './read.ts'
import { seenInstanceTypes } from './seen-instance-types.ts'
import { nodeLabels, resources } from './testing/cluster-objects.ts'
import {
  hasJoined,
  hasLaunched,
  isInitialized,
  LOOKED_AT,
  NODE_CPU,
  type PlannedNode,
  type PlannedPool,
  type PoolKind,
  randomCluster,
} from './testing/random-cluster.ts'

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed)
const cents = (amount: number): number => Math.round(amount * 1e6) / 1e6
const tally = (values: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]))

/** The instance types that the nodes show. A Node without a NodePool ensures that at least one type has a price. */
const typesOf = ({ claims, nodes, pools }: ClusterObjects) => {
  const sample = {
    metadata: { name: 's', labels: nodeLabels('s', 'z1') },
    spec: { providerID: 's' },
    status: resources,
  }
  return seenInstanceTypes(claims, [...nodes, sample], pools, labelPrices)
}

describe.each(SEEDS)('cluster %d', (seed) => {
  const { pools, plannedNodes, pending, objects } = randomCluster(seed)
  const launched = plannedNodes.filter(hasLaunched)
  const costOf = (all: readonly PlannedNode[]) => ({
    instances: all.length,
    total: cents(all.reduce((sum, { price = 0 }) => sum + price, 0)),
    unknown: all.filter(({ price }) => price === undefined).length,
  })
  const roundedCost = (cost: ReturnType<typeof claimsCost>) => ({ ...cost, total: cents(cost.total) })

  test('the overview counts nodes and cost', () => {
    expect(claimCounts(objects.claims)).toEqual({
      claims: plannedNodes.length,
      launched: launched.length,
      nodes: plannedNodes.filter(hasJoined).length,
      draining: plannedNodes.filter(({ state }) => state === 'draining').length,
    })
    expect(roundedCost(claimsCost(objects.claims, labelPrices))).toEqual(costOf(launched))
    const rows = nodesByPool(objects.claims, labelPrices).map(({ pool, nodes, cost }) => [
      pool,
      Object.fromEntries(nodes.map(({ capacityType, count }) => [capacityType, count])),
      roundedCost(cost),
    ])
    const expected = [...Map.groupBy(launched, ({ pool }) => pool)].map(([pool, own]) => [
      pool,
      tally(own.filter(hasJoined).map(({ capacityType }) => capacityType)),
      costOf(own),
    ])
    expect(rows.sort()).toEqual(expected.sort())
  })

  test('budgets allow as many disruptions as the smallest of them', () => {
    const counts = poolCounts(objects.nodes, objects.claims)
    for (const [place, { name, budgets }] of pools.entries()) {
      const own = plannedNodes.filter((each) => each.pool === name && isInitialized(each))
      const disrupting = own.filter(({ state }) => state === 'not-ready' || state === 'draining').length
      const count = counts.get(name) ?? { total: 0, disrupting: 0 }
      expect([name, count]).toEqual([name, { total: own.length, disrupting }])
      for (const reason of ['Drifted', 'Empty', 'Underutilized']) {
        const limits = budgets
          .filter(({ reasons }) => reasons === undefined || reasons.includes(reason))
          .map(({ nodes }) =>
            nodes.endsWith('%') ? Math.ceil((own.length * Number.parseInt(nodes, 10)) / 100) : Number(nodes),
          )
        const allowed = limits.length === 0 ? undefined : Math.min(...limits)
        const net = netAllowances(objects.pools[place], count, LOOKED_AT).find(({ reasons }) =>
          (reasons as readonly string[]).includes(reason),
        )
        expect([name, reason, net?.allowed, net?.left]).toEqual([
          name,
          reason,
          allowed,
          allowed === undefined ? undefined : Math.max(0, allowed - disrupting),
        ])
      }
    }
  })

  test('nodes and NodePools are as full as their pods make them', () => {
    const { nodes, pools: byPool } = fullnessByName(objects.nodes, objects.pods)
    expect(nodes.size).toBe(plannedNodes.filter(hasJoined).length)
    for (const [pool, own] of Map.groupBy(plannedNodes.filter(hasJoined), (each) => each.pool)) {
      const requested = own.flatMap(({ requests }) => requests).reduce((sum, each) => sum + each, 0)
      const found = byPool.get(pool)
      expect(found && requestedShare(found, 'cpu')).toBeCloseTo(requested / (own.length * NODE_CPU), 9)
      expect(found && requestedShare(found, 'memory')).toBeCloseTo(2 / 7, 9)
    }
  })

  /** If the cluster has an open pool, every pending pod gets a node, except pods that are too large for every type. */
  const isOpen = pools.some(({ kind }) => kind === 'open')
  const REFUSES: Readonly<Partial<Record<PoolKind, string>>> = {
    tainted: 'taint.not-tolerated',
    'other-team': 'requirement.unsatisfied',
    limited: 'nodepool.limit',
  }
  const LEFT_OUT: Readonly<Partial<Record<PoolKind, string>>> = {
    'not-ready': 'not-ready',
    static: 'static',
    deleting: 'deleting',
  }

  test('pending pods, and the reason of each NodePool', () => {
    const rows = pendingPods(objects.pods, new Map())
    expect(rows.map(({ name, isGated }) => [name, isGated]).sort()).toEqual(
      pending.map(({ name, kind }) => [name, kind === 'gated']).sort(),
    )
    const types = typesOf(objects)
    const cluster = browserCluster(objects, types)
    const refusals = computedRefusals(cluster, core)
    const considered = pools.filter(({ kind }) => LEFT_OUT[kind] === undefined)
    for (const { name, kind } of pending) {
      const own = new Map(refusals.get(`pod-${name}`)?.map(({ nodePool, code }) => [nodePool, code]))
      const isRefused = considered.length > 0 && (kind === 'huge' || (kind === 'small' && !isOpen))
      const expected = considered.map((pool): readonly [string, unknown] => [
        pool.name,
        kind === 'small' ? REFUSES[pool.kind] : expect.stringMatching(hugeCodes(pool.kind)),
      ])
      expect([name, kind, Object.fromEntries(own)]).toEqual([name, kind, Object.fromEntries(isRefused ? expected : [])])
    }
  })

  /** A pod that is too large may also be refused by the pool's own constraint, which is checked first. */
  const hugeCodes = (kind: PoolKind): RegExp =>
    new RegExp(`^(resources\\.exceeded${REFUSES[kind] === undefined ? '' : `|${REFUSES[kind]}`})$`)

  test('explain shows a verdict for every NodePool', () => {
    const types = typesOf(objects)
    const cluster = browserCluster(objects, types)
    for (const { name, kind } of pending) {
      const pod = cluster.pending.find((each) => objectName(each) === name)
      if (pod === undefined) {
        expect([name, kind]).toEqual([name, 'gated'])
        continue
      }
      const found = explainPod(cluster.snapshot, [pod], pod, { vocabulary: core, planBudget: 0 })
      const verdicts = poolVerdicts(found, objects, types, ({ code }) => code)
      const said = new Map(verdicts.map(({ nodePool, miss, leftOut }) => [nodePool, leftOut ?? miss ?? 'could launch']))
      const verdictOf = (pool: PlannedPool): unknown => {
        const own = LEFT_OUT[pool.kind]
        if (own !== undefined) return own
        if (kind === 'huge') return expect.stringMatching(hugeCodes(pool.kind))
        return REFUSES[pool.kind] ?? 'could launch'
      }
      expect([name, Object.fromEntries(said)]).toEqual([
        name,
        Object.fromEntries(pools.map((pool) => [pool.name, verdictOf(pool)])),
      ])
      expect(found.place.kind).toBe(kind === 'small' && isOpen ? 'claim' : 'none')
    }
  })

  test('without permission to list volume claims, no claim of a pod is reported as missing', () => {
    const types = typesOf(objects)
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
    const pods = objects.pods.map((each) => {
      const own = each as { readonly spec: { readonly nodeName?: string } }
      return own.spec.nodeName === undefined ? { ...own, spec: { ...own.spec, volumes } } : own
    })
    const refusals = (notKnown: ReadonlySet<keyof ClusterObjects>) =>
      computedRefusals(browserCluster({ ...objects, pods }, types, notKnown), core)
    const codesOf = (found: ReturnType<typeof refusals>) =>
      Array.from(found, ([uid, own]) => [uid, own.map(({ code }) => code)])
    const known = computedRefusals(browserCluster(objects, types), core)
    expect(codesOf(refusals(new Set(['persistentVolumeClaims'])))).toEqual(codesOf(known))
    const tried = pending.filter(({ kind }) => kind !== 'gated')
    const considered = pools.filter(({ kind }) => LEFT_OUT[kind] === undefined)
    expect(codesOf(refusals(new Set())).sort()).toEqual(
      considered.length === 0 ? [] : tried.map(({ name }) => [`pod-${name}`, ['volume.invalid']]).sort(),
    )
  })

  test('the editor shows which nodes drift because of an edit, and the current cost of the cluster', () => {
    const types = typesOf(objects)
    for (const [place, { name, kind }] of pools.slice(0, 2).entries()) {
      const stored = objects.pools[place] as { readonly spec: { readonly template: { readonly spec: object } } }
      const own = plannedNodes.filter((each) => each.pool === name && hasLaunched(each) && each.state !== 'draining')
      const fresh = own.filter(({ state }) => state !== 'drifted')
      const narrowed = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1'] }
      const { template } = stored.spec
      const edits = [
        { spec: { ...stored.spec, weight: 7 }, drifting: [] },
        { spec: { ...stored.spec, limits: { cpu: '1000' } }, drifting: [] },
        {
          spec: { ...stored.spec, template: { ...template, metadata: { labels: { team: 'a', more: 'x' } } } },
          drifting: fresh,
        },
        {
          spec: { ...stored.spec, template: { ...template, spec: { ...template.spec, requirements: [narrowed] } } },
          drifting: fresh.filter(({ zone }) => zone !== 'z1'),
        },
      ]
      for (const { spec, drifting } of edits) {
        const effect = poolChange({ ...stored, spec }, objects, types, core)
        expect([name, kind, effect.drifting.map(({ claim }) => claim).sort()]).toEqual([
          name,
          kind,
          drifting.map((each) => `claim-${each.name}`).sort(),
        ])
        expect(effect.already.slice().sort()).toEqual(
          own
            .filter(({ state }) => state === 'drifted')
            .map((each) => `claim-${each.name}`)
            .sort(),
        )
        expect(effect.undone).toEqual([])
        if (costOf(launched).unknown > 0) expect(effect.cost).toBeUndefined()
        else if (effect.cost !== undefined) expect(cents(effect.cost.now)).toBe(costOf(launched).total)
      }
    }
  })
})
