import { type Pod, type PodAffinityTerm, parseQuantity } from '@kerf/apis'
import { awayFrom, inAnyTerm, near, running, spreadOver } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { CAPACITY_TYPE, cluster, HOST, instanceType, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

/** This file tests cases of `docs/spec/scheduling-edge-cases.md`. Their numbers are in `tests/integration/facts/numbered-cases.ts`. */

const general = cluster().pool('general')
const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

describe('pods that cannot be planned', () => {
  test('matchFields in any term makes the pod unschedulable', () => {
    const terms = [{ matchExpressions: [isIn(ZONE, 'zone-1')] }, { matchFields: [isIn('metadata.name', 'x')] }]
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } }
    const outcome = general.schedule(pod('a', { spec: { affinity } }), pod('b'))
    expect(outcome.failed).toEqual(['a'])
    expect(outcome.reasonOf('a')).toBe('pod.invalid')
  })

  test('both errors of a pod are reported', () => {
    const outcome = general.schedule(pod('a', { spec: { nodeSelector: { [HOST]: 'x', 'karpenter.sh/own': 'y' } } }))
    expect(outcome.plan.unschedulable[0]?.reasons).toHaveLength(2)
  })

  test('an impossible preference is relaxed', () => {
    const preference = { matchExpressions: [isIn('karpenter.sh/own', 'x')] }
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] } }
    expect(general.schedule(pod('a', { spec: { affinity } })).failed).toEqual([])
  })

  test.each(['karpenter.sh/registered', 'karpenter.sh/initialized', HOST])('%s must not be required', (key) => {
    expect(general.schedule(pod('a', { spec: { nodeSelector: { [key]: 'true' } } })).reasonOf('a')).toBe('pod.invalid')
  })

  test('pods with device claims are refused if device claims are ignored', () => {
    const outcome = general.schedule(pod('a', { spec: { resourceClaims: [{ name: 'gpu' }] } }), pod('b'))
    expect(outcome.failed).toEqual(['a'])
    expect(outcome.reasonOf('a')).toBe('pod.device-claim')
  })
})

describe('labels and node affinity', () => {
  test('an existing node without the label accepts NotIn and refuses In', () => {
    const { [ZONE]: _, ...unzoned } = node('n').labels
    const bare = cluster().nodes({ ...node('n'), labels: unzoned })
    const notIn = inAnyTerm([{ key: ZONE, operator: 'NotIn', values: ['zone-1'] }])
    expect(bare.schedule(pod('a', { spec: notIn })).placements).toEqual({ n: ['a'] })
    expect(bare.schedule(pod('a', { spec: { nodeSelector: { [ZONE]: 'zone-1' } } })).failed).toEqual(['a'])
  })

  test.each([
    ['In', ['x'], false],
    ['Exists', [], false],
    ['NotIn', ['x'], true],
    ['DoesNotExist', [], true],
  ] as const)('%s on a label that the pool does not know', (operator, values, isPlaced) => {
    const outcome = general.schedule(pod('a', { spec: inAnyTerm([{ key: 'example.com/own', operator, values }]) }))
    expect(outcome.failed.length === 0).toBe(isPlaced)
  })

  test.each([
    ['In', ['x'], true],
    ['In', ['y'], false],
    ['NotIn', ['x'], false],
    ['NotIn', ['y'], true],
    ['Exists', [], true],
    ['DoesNotExist', [], false],
  ] as const)('%s %s on a label that the pool sets to x', (operator, values, isPlaced) => {
    const own = cluster().pool('general', { labels: { 'example.com/own': 'x' } })
    const outcome = own.schedule(pod('a', { spec: inAnyTerm([{ key: 'example.com/own', operator, values }]) }))
    expect(outcome.failed.length === 0).toBe(isPlaced)
  })

  test('a deprecated label name and its new name are one label', () => {
    const spec = {
      nodeSelector: { 'beta.kubernetes.io/arch': 'amd64' },
      ...inAnyTerm([isIn('kubernetes.io/arch', 'arm64')]),
    }
    expect(general.schedule(pod('a', { spec })).failed).toEqual(['a'])
  })

  test('any alternative may match, and the nodeSelector always applies', () => {
    const spec = {
      nodeSelector: { [CAPACITY_TYPE]: 'on-demand' },
      ...inAnyTerm([isIn(ZONE, 'nowhere')], [isIn(ZONE, 'zone-2')]),
    }
    const [claim] = general.schedule(pod('a', { spec })).plan.claims
    expect(claim?.cheapest).toMatchObject({ zone: 'zone-2', capacityType: 'on-demand' })
  })

  test('a pool with several values of a custom label sets one of them as the label and keeps all as a requirement', () => {
    const own = cluster().pool('general', { requirements: [isIn('example.com/own', 'b', 'a')] })
    const [claim] = own.schedule(pod('a')).plan.claims
    expect(claim?.labels['example.com/own']).toBe('a')
    expect(claim?.requirements).toContainEqual({ key: 'example.com/own', operator: 'In', values: ['a', 'b'] })
  })

  test('pods with contradictory requirements get two nodes', () => {
    const own = cluster().pool('general', { requirements: [isIn('example.com/own', 'b', 'a')] })
    const wants = (value: string) => ({ spec: { nodeSelector: { 'example.com/own': value } } })
    expect(own.schedule(pod('a', wants('a')), pod('b', wants('b'))).sizes).toEqual([1, 1])
  })
})

describe('order', () => {
  test('equal pods of the same second are ordered by UID, whatever their input order', () => {
    const tight = cluster().nodes(node('n', { cpu: '1' }))
    const pods = replicas(3, 'a', { cpu: '500m' })
    const first = tight.schedule(pods)
    expect(first.placements).toEqual({ n: ['a-0', 'a-1'] })
    expect(tight.schedule(pods.toReversed()).placements).toEqual(first.placements)
  })

  test('initialized nodes come first', () => {
    const two = cluster().nodes(node('a', { initialized: false }), node('b'))
    expect(two.schedule(pod('x')).placements).toEqual({ b: ['x'] })
  })

  test('pools of equal weight are tried in reverse alphabetical order', () => {
    const [claim] = cluster().pool('a').pool('b').schedule(pod('x')).plan.claims
    expect(claim?.nodePool).toBe('b')
  })

  test('a pool with any weight comes before a pool without weight', () => {
    const [claim] = cluster().pool('a', { weight: 1 }).pool('b').schedule(pod('x')).plan.claims
    expect(claim?.nodePool).toBe('a')
  })

  test('a pool of lower weight that fits is used before a preference is relaxed for a pool of higher weight', () => {
    const pools = cluster()
      .pool('heavy', { weight: 10, requirements: [isIn(ZONE, 'zone-1')] })
      .pool('light', { requirements: [isIn(ZONE, 'zone-2')] })
    const preference = { matchExpressions: [isIn(ZONE, 'zone-2')] }
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] } }
    expect(pools.schedule(pod('x', { spec: { affinity } })).plan.claims[0]?.nodePool).toBe('light')
  })

  test('preferences are relaxed one at a time, the one with the highest weight first', () => {
    const prefer = (weight: number, zone: string) => ({ weight, preference: { matchExpressions: [isIn(ZONE, zone)] } })
    const nodeAffinity = {
      preferredDuringSchedulingIgnoredDuringExecution: [prefer(1, 'zone-2'), prefer(5, 'nowhere')],
    }
    const outcome = general.schedule(pod('x', { spec: { affinity: { nodeAffinity } } }))
    expect(outcome.plan.claims[0]?.cheapest.zone).toBe('zone-2')
  })
})

describe('limits', () => {
  test('the limit on nodes is exact within a decision (Karpenter launches three)', () => {
    const limited = cluster()
      .pool('general', { limits: { nodes: '2' } })
      .nodes(node('n', { cpu: '0' }))
    const outcome = limited.schedule(replicas(3, 'a', { spec: awayFrom(HOST, 'a') }))
    expect(outcome.sizes).toEqual([1])
    expect(outcome.plan.unschedulable[0]?.reasons[0]?.code).toBe('nodepool.node-limit')
  })

  test('a limit that is already exceeded refuses pods', () => {
    const limited = cluster()
      .pool('general', { limits: { nodes: '1' } })
      .nodes(node('n', { cpu: '0' }), node('o', { cpu: '0' }))
    expect(limited.schedule(pod('a')).reasonOf('a')).toBe('nodepool.node-limit')
  })

  test('a limit on a resource that no instance type has does not apply', () => {
    const limited = cluster().pool('general', { limits: { 'example.com/gpu': '0', node: '0' } })
    expect(limited.schedule(pod('a')).failed).toEqual([])
  })

  test('nodes of a deleted pool are used, and count towards no limit', () => {
    const orphan = cluster()
      .pool('general', { limits: { cpu: '20' } })
      .nodes(node('n', { nodePool: 'gone' }))
    expect(orphan.schedule(pod('a')).placements).toEqual({ n: ['a'] })
  })
})

describe('capacity', () => {
  test('an instance type whose overhead exceeds its capacity takes no pods', () => {
    const broken = instanceType('broken', 1, '5Mi', 0.001)
    expect(
      cluster()
        .pool('general', { types: [broken] })
        .schedule(pod('a', { memory: '0', cpu: '0' })).failed,
    ).toEqual(['a'])
  })

  test('a request of 0 for an unknown resource fits everywhere, a larger one nowhere', () => {
    expect(general.schedule(pod('a', { requests: { 'example.com/x': '0' } })).failed).toEqual([])
    const outcome = general.schedule(pod('a', { requests: { 'example.com/x': '1' } }))
    expect(outcome.reasonOf('a')).toBe('resources.exceeded')
  })

  test('no pod fits on an overcommitted node, whatever the resource', () => {
    const full = node('n', { pods: [running('n', pod('old', { memory: '20Gi' }))] })
    expect(
      cluster()
        .nodes(full)
        .schedule(pod('a', { cpu: '1m', memory: '0' })).failed,
    ).toEqual(['a'])
  })

  test('a pod without requests uses one unit of the resource pods', () => {
    const slots = instanceType('slots', 4, '8Gi', 0.1, '3')
    const outcome = cluster()
      .pool('general', { types: [slots] })
      .schedule(replicas(5, 'a', { cpu: '0', memory: '0' }))
    expect(outcome.sizes).toEqual([3, 2])
  })

  test('hugepages are subtracted from memory', () => {
    const huge = {
      ...instanceType('huge', 4, '4Gi'),
      capacity: {
        cpu: parseQuantity('4'),
        memory: parseQuantity('4Gi'),
        pods: parseQuantity('9'),
        'hugepages-1Gi': parseQuantity('2Gi'),
        'hugepages-2Mi': parseQuantity('1Gi'),
      },
    }
    const pools = cluster().pool('general', { types: [huge] })
    expect(pools.schedule(pod('a', { memory: '900Mi' })).failed).toEqual([])
    expect(pools.schedule(pod('a', { memory: '1025Mi' })).failed).toEqual(['a'])
    const all = { ...huge, capacity: { ...huge.capacity, 'hugepages-2Mi': parseQuantity('6Gi') } }
    const none = cluster().pool('general', { types: [all] })
    expect(none.schedule(pod('a', { memory: '1Mi' })).failed).toEqual(['a'])
    expect(none.schedule(pod('a', { memory: '0' })).failed).toEqual([])
  })

  test('amounts below one milli are compared exactly', () => {
    const tight = cluster().nodes(node('n', { cpu: '1' }))
    expect(tight.schedule(replicas(2, 'a', { cpu: '500000001n', memory: '100m' })).placements).toEqual({ n: ['a-0'] })
    expect(tight.schedule(replicas(2, 'a', { cpu: '500000u' })).placements).toEqual({ n: ['a-0', 'a-1'] })
  })
})

describe('taints', () => {
  const soft = { key: 'soft', effect: 'PreferNoSchedule' as const }

  test('a pool without a PreferNoSchedule taint comes before one with it', () => {
    const pools = cluster()
      .pool('z-soft', { weight: 5, taints: [soft] })
      .pool('plain')
    expect(pools.schedule(pod('a')).plan.claims[0]?.nodePool).toBe('plain')
    expect(
      cluster()
        .pool('soft', { taints: [soft] })
        .schedule(pod('a')).failed,
    ).toEqual([])
  })

  test('a PreferNoSchedule taint that only existing nodes have is not tolerated', () => {
    expect(
      cluster()
        .nodes(node('n', { taints: [soft] }))
        .schedule(pod('a')).failed,
    ).toEqual(['a'])
  })

  test.each([
    ['Gt', '5', true],
    ['Gt', '3', false],
    ['Lt', '3', true],
    ['Gt', 'x', false],
  ] as const)('toleration %s %s of the value 4', (operator, value, isTolerated) => {
    const tainted = cluster().pool('general', { taints: [{ key: 'level', value: '4', effect: 'NoSchedule' }] })
    const flip = operator === 'Gt' ? 'Lt' : 'Gt'
    const tolerations = [{ key: 'level', operator: flip, value }] as const
    expect(tainted.schedule(pod('a', { spec: { tolerations } })).failed.length === 0).toBe(isTolerated)
  })

  test('the reason names the taint that is not tolerated', () => {
    const tainted = cluster().pool('general', { taints: [{ key: 'team', value: 'x', effect: 'NoExecute' }] })
    const outcome = tainted.schedule(pod('a'))
    expect(outcome.plan.unschedulable[0]?.reasons).toEqual([
      {
        code: 'taint.not-tolerated',
        subject: 'nodepool/general',
        detail: { taint: 'team=x:NoExecute', offered: 20, left: 20 },
      },
    ])
  })
})

describe('daemons', () => {
  const daemon = (spec: Partial<Pod['spec']>, cpu = '1'): Pod => ({ ...pod('daemon', { cpu, memory: '0', spec }) })
  const sized = [instanceType('c-1', 1, '4Gi'), instanceType('c-2', 2, '4Gi'), instanceType('c-3', 3, '4Gi')]

  test('every alternative of a daemon is tried for every type (Karpenter drops alternatives)', () => {
    const only = (name: string) => [isIn('node.kubernetes.io/instance-type', name)]
    const clusterOf = cluster()
      .pool('general', { types: sized })
      .with({ daemonPods: [daemon(inAnyTerm(only('c-2'), only('c-1')))] })
    const [claim] = clusterOf.schedule(pod('a', { cpu: '950m' })).plan.claims
    expect(claim?.instanceTypes).toEqual(['c-3'])
  })

  test('each type has the overhead of its own daemons, and the claim requests the smallest', () => {
    const big = daemon(inAnyTerm([isIn('node.kubernetes.io/instance-type', 'c-3')]), '500m')
    const [claim] = cluster()
      .pool('general', { types: sized })
      .with({ daemonPods: [big] })
      .schedule(pod('a', { cpu: '1500m' })).plan.claims
    expect(claim?.instanceTypes).toEqual(['c-2', 'c-3'])
    expect(claim?.requests['cpu']).toBe(parseQuantity('1500m'))
  })

  test('a pod with a host port avoids instance types whose daemon uses the port', () => {
    const port = { ports: [{ containerPort: 80, hostPort: 8080 }] }
    const only = inAnyTerm([isIn('node.kubernetes.io/instance-type', 'c-3')])
    const holder = pod('daemon', { cpu: '0', memory: '0', spec: only, container: port })
    const pools = cluster()
      .pool('general', { types: sized })
      .with({ daemonPods: [holder] })
    expect(pools.schedule(pod('a', { container: port })).plan.claims[0]?.instanceTypes).toEqual(['c-1', 'c-2'])
    const everywhere = pod('daemon', { cpu: '0', memory: '0', container: port })
    expect(pools.with({ daemonPods: [everywhere] }).schedule(pod('a', { container: port })).failed).toEqual(['a'])
  })

  test('no capacity is reserved for a daemon that already runs', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'daemon', uid: 'd' }
    const here = running('n', pod('daemon-x', { cpu: '1', memory: '0' }))
    const owned: Pod = { ...here, metadata: { ...here.metadata, ownerReferences: [owner] } }
    const two = (pods: readonly Pod[]) =>
      cluster()
        .nodes(node('n', { cpu: '2', pods }))
        .with({ daemonPods: [daemon({})] })
    expect(two([owned]).schedule(pod('a', { cpu: '1' })).placements).toEqual({ n: ['a'] })
    // A running daemon pod can request more than its DaemonSet. Its own requests then reduce the free capacity of the node.
    const larger = running('n', pod('daemon-x', { cpu: '1500m', memory: '0' }))
    const older: Pod = { ...larger, metadata: { ...larger.metadata, ownerReferences: [owner] } }
    expect(two([older]).schedule(pod('a', { cpu: '1' })).failed).toEqual(['a'])
    expect(two([]).schedule(pod('a', { cpu: '1500m' })).failed).toEqual(['a'])
  })
})

describe('host ports', () => {
  const binding = (hostIP: string, protocol: 'TCP' | 'UDP' = 'TCP') => ({
    container: { ports: [{ containerPort: 80, hostPort: 80, hostIP, protocol }] },
  })

  test.each([
    ['10.0.0.1', '10.0.0.2', 'TCP', 1],
    ['10.0.0.1', '0.0.0.0', 'TCP', 2],
    ['10.0.0.1', '::', 'TCP', 2],
    ['10.0.0.1', '10.0.0.1', 'UDP', 1],
  ] as const)('%s and %s (%s)', (left, right, protocol, nodes) => {
    const outcome = general.schedule(pod('a', binding(left)), pod('b', binding(right, protocol)))
    expect(outcome.sizes).toHaveLength(nodes)
  })
})

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

test('a node affinity term without expressions matches any node, as in Karpenter', () => {
  expect(general.schedule(pod('a', { spec: inAnyTerm([]) })).failed).toEqual([])
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
