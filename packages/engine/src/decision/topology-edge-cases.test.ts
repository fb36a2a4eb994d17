import type { Pod, PodAffinityTerm } from '@kerf/apis'
import { awayFrom, inAnyTerm, near, running, spreadOver } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { cluster, HOST, instanceType, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

/** This file tests the topology cases of `docs/spec/scheduling-edge-cases.md`. Their numbers are in `tests/integration/facts/numbered-cases.ts`. */

const general = cluster().pool('general')
const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

describe('topology', () => {
  test('pods that their own spread constraint does not select may share a node', () => {
    const outcome = general.schedule(replicas(4, 'a', { labels: { app: 'other' }, spec: spreadOver(ZONE, 'a') }))
    expect(outcome.sizes).toEqual([4])
  })

  test('a pod with affinity waits if no pod matches, and is placed in the same decision as a matching pod', () => {
    const follower = pod('follower', { cpu: '900m', spec: near(ZONE, 'leader') })
    expect(general.schedule(follower).reasonOf('follower')).toBe('topology.affinity')
    const leader = pod('leader', { cpu: '100m', spec: { nodeSelector: { [ZONE]: 'zone-2' } } })
    expect(general.schedule(follower, leader).failed).toEqual([])
  })

  test('followers are placed with a leader whose zone is still open (in Karpenter they wait)', () => {
    const outcome = general.schedule(
      pod('leader', { cpu: '3' }),
      replicas(4, 'follower', { spec: near(ZONE, 'leader') }),
    )
    expect(outcome.failed).toEqual([])
    expect(Object.keys(outcome.perZone())).toHaveLength(1)
  })

  test('of ten pods that must share a host, the five that fit are placed', () => {
    const slots = instanceType('slots', 16, '64Gi', 0.1, '5')
    const outcome = cluster()
      .pool('general', { types: [slots] })
      .schedule(replicas(10, 'a', { cpu: '10m', spec: near(HOST, 'a') }))
    expect(outcome.sizes).toEqual([5])
    expect(outcome.failed).toHaveLength(5)
  })

  test('a group with affinity to itself in a zone ends in one zone', () => {
    const outcome = general.schedule(replicas(30, 'a', { cpu: '3', spec: near(ZONE, 'a') }))
    expect(outcome.failed).toEqual([])
    expect(Object.keys(outcome.perZone())).toHaveLength(1)
  })

  test('replicas that need a zone each get three zones in one decision (in Karpenter one each)', () => {
    const outcome = general.schedule(replicas(4, 'a', { spec: awayFrom(ZONE, 'a') }))
    expect(outcome.sizes).toEqual([1, 1, 1])
    expect(Object.keys(outcome.perZone())).toHaveLength(3)
    expect(outcome.plan.unschedulable[0]?.reasons[0]?.code).toBe('topology.anti-affinity')
  })

  test('a group with a running member cannot start in another domain (in Karpenter it can)', () => {
    const elsewhere = node('n', {
      zone: 'zone-1',
      cpu: '1',
      pods: [running('n', pod('a-x', { labels: { app: 'a' }, cpu: '1' }))],
    })
    const spec = { ...near(ZONE, 'a'), nodeSelector: { [ZONE]: 'zone-3' } }
    const outcome = general.nodes(elsewhere).schedule(pod('a-1', { spec }))
    expect(outcome.reasonOf('a-1')).toBe('topology.affinity')
    expect(outcome.sizes).toEqual([])
  })

  test('with fewer domains than minDomains, each domain takes up to maxSkew pods', () => {
    const pools = cluster().pool('general', { requirements: [isIn(ZONE, 'zone-1', 'zone-2')] })
    const outcome = pools.schedule(replicas(3, 'a', { spec: spreadOver(ZONE, 'a', { minDomains: 3 }) }))
    expect(outcome.perZone()).toEqual({ 'zone-1': 1, 'zone-2': 1 })
    expect(outcome.reasonOf(outcome.failed[0] ?? '')).toBe('topology.spread')
  })

  test('with minDomains domains, all pods are placed', () => {
    const outcome = general.schedule(replicas(11, 'a', { spec: spreadOver(ZONE, 'a', { minDomains: 3 }) }))
    expect(Object.values(outcome.perZone()).sort()).toEqual([3, 4, 4])
  })

  test('spread over hosts limits the pods per node', () => {
    expect(general.schedule(replicas(4, 'a', { cpu: '10m', spec: spreadOver(HOST, 'a') })).sizes).toEqual([1, 1, 1, 1])
    expect(
      general.schedule(replicas(4, 'a', { cpu: '10m', spec: spreadOver(HOST, 'a', { maxSkew: 4 }) })).sizes,
    ).toEqual([4])
  })

  test('a zone that only a pool at its limit reaches still counts', () => {
    const pools = cluster()
      .pool('general', { requirements: [isIn(ZONE, 'zone-1', 'zone-2')] })
      .pool('full', { requirements: [isIn(ZONE, 'zone-3')], limits: { cpu: '0' } })
    expect(pools.schedule(replicas(4, 'a', { spec: spreadOver(ZONE, 'a') })).perZone()).toEqual({
      'zone-1': 1,
      'zone-2': 1,
    })
  })

  test('a zone that the pool of the pod cannot reach does not count (in Karpenter it does)', () => {
    const pools = cluster()
      .pool('own', { requirements: [isIn(ZONE, 'zone-1', 'zone-2')], labels: { team: 'own' } })
      .pool('other', { requirements: [isIn(ZONE, 'zone-3')] })
    const spec = { ...spreadOver(ZONE, 'a'), nodeSelector: { team: 'own' } }
    expect(pools.schedule(replicas(6, 'a', { spec })).perZone()).toEqual({ 'zone-1': 3, 'zone-2': 3 })
  })

  test('a domain behind a taint counts unless the taints policy is Honor', () => {
    const pools = cluster()
      .pool('general', { requirements: [isIn(ZONE, 'zone-1')] })
      .pool('tainted', { requirements: [isIn(ZONE, 'zone-2')], taints: [{ key: 'x', effect: 'NoSchedule' }] })
    const spread = (nodeTaintsPolicy: 'Honor' | 'Ignore') =>
      replicas(3, 'a', { spec: spreadOver(ZONE, 'a', { nodeTaintsPolicy }) })
    expect(pools.schedule(spread('Ignore')).failed).toHaveLength(2)
    expect(pools.schedule(spread('Honor')).failed).toEqual([])
  })

  test('constraints that count different nodes have separate counts (Karpenter merges them)', () => {
    const inZones = (app: string, ...zones: readonly string[]) =>
      replicas(2, app, {
        labels: { app: 'web' },
        spec: { ...spreadOver(ZONE, 'web'), ...inAnyTerm([isIn(ZONE, ...zones)]) },
      })
    const outcome = general.schedule(inZones('left', 'zone-1', 'zone-2'), inZones('right', 'zone-3'))
    expect(outcome.failed).toEqual([])
  })

  test('preferred anti-affinity applies until it is relaxed, and does not block other pods', () => {
    const term = { topologyKey: HOST, labelSelector: { matchLabels: { app: 'a' } } }
    const podAntiAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] }
    const outcome = general.schedule(
      replicas(3, 'a', { cpu: '100m', spec: { affinity: { podAntiAffinity } } }),
      pod('b', { cpu: '10m' }),
    )
    expect(outcome.sizes).toEqual([2, 1, 1])
    expect(
      general
        .set({ preferencePolicy: 'Ignore' })
        .schedule(replicas(3, 'a', { spec: { affinity: { podAntiAffinity } } })).sizes,
    ).toEqual([3])
  })

  test('a pod that moves does not count on the node that it leaves', () => {
    const moved = running('n', pod('a-1', { spec: spreadOver(ZONE, 'a') }))
    const deleting = node('n', { markedForDeletion: true, pods: [moved] })
    const other = node('o', { zone: 'zone-2', cpu: '1', pods: [running('o', pod('a-2', { cpu: '1' }))] })
    expect(general.nodes(deleting, other).schedule(moved).perZone()).toEqual({ 'zone-1': 1 })
  })

  test('a constraint without a selector counts no pods', () => {
    const spec = {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' as const }],
    }
    expect(general.schedule(replicas(3, 'a', { spec })).sizes).toEqual([3])
    const everyone = spreadOver(ZONE, 'a', { labelSelector: {} })
    expect(Object.values(general.schedule(replicas(3, 'a', { spec: everyone })).perZone())).toEqual([1, 1, 1])
  })

  test('matchLabelKeys that the pod does not have are ignored, and others separate revisions', () => {
    const revision = (hash: string) =>
      replicas(2, `r${hash}`, {
        labels: { app: 'web', hash },
        spec: spreadOver(HOST, 'web', { matchLabelKeys: ['hash', 'absent'] }),
      })
    expect(general.schedule(revision('1'), revision('2')).sizes).toEqual([2, 2])
  })

  test('an empty namespaceSelector selects all namespaces; without a list and a selector, only the pod’s namespace', () => {
    const other: Pod = { ...pod('old'), metadata: { ...pod('old').metadata, namespace: 'elsewhere' } }
    const here = general.nodes(node('n', { zone: 'zone-1', cpu: '600m', pods: [running('n', other)] }))
    const term = { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'old' } } }
    const require = (scope: Pick<PodAffinityTerm, 'namespaces' | 'namespaceSelector'>) => ({
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, ...scope }] } },
    })
    expect(here.schedule(pod('a', { spec: require({ namespaceSelector: {} }) })).failed).toEqual([])
    expect(here.schedule(pod('a', { spec: require({}) })).failed).toEqual(['a'])
    // A term applies to the namespaces that it lists and to those that its selector matches.
    const others = { namespaceSelector: { matchLabels: { team: 'x' } } }
    expect(here.schedule(pod('a', { spec: require({ ...others, namespaces: ['elsewhere'] }) })).failed).toEqual([])
    expect(here.schedule(pod('a', { spec: require(others) })).failed).toEqual(['a'])
  })

  test('default constraints apply to pods without spread constraints', () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', namespace: 'default' },
      spec: { selector: { app: 'a' } },
    }
    const defaults = general
      .with({ services: [service] })
      .set({ defaultSpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' }] })
    expect(Object.values(defaults.schedule(replicas(3, 'a')).perZone())).toEqual([1, 1, 1])
    expect(defaults.schedule(replicas(3, 'a', { spec: spreadOver(HOST, 'a', { maxSkew: 9 }) })).sizes).toEqual([3])
    expect(defaults.schedule(replicas(3, 'b')).sizes).toEqual([3])
  })

  test('a value that a pool excludes is not a domain (in Karpenter it is)', () => {
    const pools = cluster()
      .pool('excluding', { requirements: [{ key: 'team', operator: 'NotIn', values: ['x'] }] })
      .pool('teams', { requirements: [isIn('team', 'y', 'z')] })
    expect(pools.schedule(replicas(4, 'a', { spec: spreadOver('team', 'a') })).failed).toEqual([])
  })

  test('anti-affinity works in both directions', () => {
    const hermit = pod('hermit', { cpu: '100m', spec: awayFrom(HOST, 'crowd') })
    expect(general.schedule(replicas(3, 'crowd'), hermit).claims).toEqual([
      ['crowd-0', 'crowd-1', 'crowd-2'],
      ['hermit'],
    ])
    const first = pod('hermit', { cpu: '3', spec: awayFrom(HOST, 'crowd') })
    expect(general.schedule(replicas(3, 'crowd'), first).claims).toEqual([
      ['crowd-0', 'crowd-1', 'crowd-2'],
      ['hermit'],
    ])
  })

  test('a node without a hostname label uses its name, and a claim without a node is in no domain yet', () => {
    const { [HOST]: _, ...nameless } = node('n').labels
    const crowded = { ...node('n', { pods: [running('n', pod('old', { labels: { app: 'a' } }))] }), labels: nameless }
    expect(
      cluster()
        .nodes(crowded, node('o'))
        .schedule(pod('a-1', { labels: { app: 'a' }, spec: awayFrom(HOST, 'a') })).placements,
    ).toEqual({ o: ['a-1'] })
    const pools = cluster().pool('general', { requirements: [isIn(ZONE, 'zone-1', 'zone-2')] })
    const coming = node('coming', { zone: 'zone-9', hasNode: false, initialized: false, cpu: '0' })
    expect(pools.nodes(coming).schedule(replicas(4, 'a', { spec: spreadOver(ZONE, 'a') })).failed).toEqual([])
    expect(
      pools.nodes({ ...coming, hasNode: true }).schedule(replicas(4, 'a', { spec: spreadOver(ZONE, 'a') })).failed,
    ).toHaveLength(2)
  })

  test('default constraints also use the owner’s selector, and contradictory selectors select no pods', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs', controller: true }
    const owned = replicas(3, 'a').map((each) => ({
      ...each,
      metadata: { ...each.metadata, ownerReferences: [owner] },
    }))
    const selecting = (app: string) => ({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'rs', namespace: 'default' },
      spec: { selector: { matchLabels: { app } } },
    })
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', namespace: 'default' },
      spec: { selector: { app: 'a' } },
    }
    const defaults = general.set({
      defaultSpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' }],
    })
    expect(
      Object.values(
        defaults
          .with({ podOwners: [selecting('a')] })
          .schedule(owned)
          .perZone(),
      ),
    ).toEqual([1, 1, 1])
    expect(defaults.with({ podOwners: [selecting('b')], services: [service] }).schedule(owned).sizes).toEqual([3])
    const job = { ...owner, apiVersion: 'batch/v1', kind: 'Job' }
    const ofJob = owned.map((each) => ({ ...each, metadata: { ...each.metadata, ownerReferences: [job] } }))
    expect(defaults.with({ podOwners: [selecting('a')] }).schedule(ofJob).sizes).toEqual([3])
    // Pods that differ only in their controller are in different groups.
    const [first] = ofJob.map((each) => ({ ...each, metadata: { ...each.metadata, name: 'of-job', uid: '0' } }))
    const both = defaults.with({ podOwners: [selecting('a')] }).schedule([...(first ? [first] : []), ...owned])
    expect(both.sizes).toHaveLength(3)
  })
})

test('the improvement pass does not place pods next to pods with anti-affinity to them', () => {
  const together = { affinity: { ...near(HOST, 'pair').affinity, ...awayFrom(HOST, 'loud').affinity } }
  const improving = general.set({ planBudget: 300_000 })
  const outcome = improving.schedule(
    replicas(3, 'pair', { cpu: '1100m', spec: together }),
    replicas(5, 'loud', { cpu: '200m' }),
    replicas(5, 'quiet', { cpu: '200m' }),
  )
  expect(outcome.failed).toEqual([])
  for (const names of outcome.claims) {
    if (names.some((name) => name.startsWith('pair')))
      expect(names.filter((name) => name.startsWith('loud'))).toEqual([])
  }
})
