import { type Pod, parseQuantity } from '@kerf/apis'
import { awayFrom, inAnyTerm, running } from '@kerf/testing'
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

test('a node affinity term without expressions matches any node, as in Karpenter', () => {
  expect(general.schedule(pod('a', { spec: inAnyTerm([]) })).failed).toEqual([])
})
