import { readFileSync } from 'node:fs'
import { type NodePool, type Pod, parseQuantity, type Quantity } from '@kerf/apis'
import type { ClusterSnapshot, InstanceType, Offering, RequirementSpec } from '@kerf/engine'

/** Upstream's own scheduling benchmark, exactly (`spec/scheduling.md` 8). */

const CPUS = ['100m', '250m', '500m', '1000m', '1500m'] as const
const MEMORIES = ['100Mi', '256Mi', '512Mi', '1024Mi', '2048Mi', '4096Mi'] as const
const LABELS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const
const GIB = 1024n ** 3n
const NANO = 1_000_000_000n
const CREATED = '2026-01-01T00:00:00Z'

export const upstreamOptions = { wellKnownLabels: ['size', 'special', 'integer'] }

/**
 * The first 70,000 values that Go's `math/rand` draws with seed 42, each modulo 210 as two letters: enough to know it
 * modulo 5, 6 and 7.
 */
const stream = readFileSync(new URL('upstream-draws.txt', import.meta.url), 'utf8').replaceAll('\n', '')

class Draws {
  #next = 0

  below(limit: 5 | 6 | 7): number {
    const at = 2 * this.#next++
    const value = Number.parseInt(stream.slice(at, at + 2), 36)
    return value % limit
  }
}

const quantity = (amount: bigint): Quantity => (amount * NANO) as Quantity

const isIn = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })

const offering = (capacityType: string, zone: string, price: number): Offering => ({
  requirements: [isIn('karpenter.sh/capacity-type', capacityType), isIn('topology.kubernetes.io/zone', zone)],
  price,
  available: true,
})

/** `instanceTypes(count)` of 8.2. */
export const upstreamInstanceTypes = (count: number): readonly InstanceType[] =>
  Array.from({ length: count }, (_, i) => {
    const cpu = BigInt(i + 1)
    const memory = 2n * cpu * GIB
    const price = 0.1 * Number(cpu) + (0.1 * Number(memory)) / 1e9
    const isLarge = cpu > 4n && memory > 8n * GIB
    return {
      name: `fake-it-${i}`,
      requirements: [
        isIn('node.kubernetes.io/instance-type', `fake-it-${i}`),
        isIn('kubernetes.io/arch', 'amd64'),
        isIn('kubernetes.io/os', 'darwin', 'linux', 'windows'),
        isIn('topology.kubernetes.io/zone', 'test-zone-1', 'test-zone-2', 'test-zone-3'),
        isIn('karpenter.sh/capacity-type', 'on-demand', 'spot'),
        isIn('integer', String(cpu)),
        isIn('size', isLarge ? 'large' : 'small'),
        isLarge ? isIn('special', 'optional') : { key: 'special', operator: 'DoesNotExist' },
      ],
      offerings: [
        offering('spot', 'test-zone-1', price),
        offering('spot', 'test-zone-2', price),
        offering('on-demand', 'test-zone-1', price),
        offering('on-demand', 'test-zone-2', price),
        offering('on-demand', 'test-zone-3', price),
      ],
      capacity: { cpu: quantity(cpu), memory: quantity(memory), pods: quantity(10n * cpu) },
      overhead: { kubeReserved: { cpu: parseQuantity('100m'), memory: parseQuantity('10Mi') } },
    }
  })

export const benchmarkPool = (name: string, limits?: Readonly<Record<string, string>>): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: {
    template: {
      metadata: { labels: { 'testing/cluster': 'unspecified' } },
      spec: {
        nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
        requirements: [],
        expireAfter: '720h',
      },
    },
    ...(limits === undefined ? {} : { limits }),
  },
})

export const emptySnapshot: ClusterSnapshot = {
  pools: [],
  nodes: [],
  daemonPods: [],
  namespaces: [],
  persistentVolumeClaims: [],
  persistentVolumes: [],
  storageClasses: [],
  csiNodes: [],
}

export const upstreamSnapshot = (): ClusterSnapshot => ({
  ...emptySnapshot,
  pools: [
    {
      nodePool: benchmarkPool('benchmark', { cpu: '10000000', memory: '10000000Gi' }),
      instanceTypes: upstreamInstanceTypes(400),
    },
  ],
})

let podCount = 0

/** A pod of upstream's benchmark. */
const benchmarkPod = (
  podLabels: Readonly<Record<string, string>>,
  cpu: string,
  memory: string,
  wishes: Pick<Pod['spec'], 'affinity' | 'topologySpreadConstraints'> = {},
): Pod => {
  const number = String(podCount++).padStart(8, '0')
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pod-${number}`,
      namespace: 'default',
      uid: `${number}-0000-4000-8000-000000000000`,
      creationTimestamp: CREATED,
      labels: { 'testing/cluster': 'unspecified', ...podLabels },
    },
    spec: { containers: [{ name: 'app', resources: { requests: { cpu, memory } } }], ...wishes },
    status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  }
}

/** Five equal parts: plain, zone spread, host spread, zone affinity, host anti-affinity; the rest plain (8.3). */
export const diversePods = (count: number): readonly Pod[] => {
  const draws = new Draws()
  const label = () => LABELS[draws.below(7)] ?? ''
  const cpu = () => CPUS[draws.below(5)] ?? ''
  const memory = () => MEMORIES[draws.below(6)] ?? ''
  const fifth = Math.floor(count / 5)
  const pods: Pod[] = []
  const plain = (amount: number) => {
    for (let i = 0; i < amount; i++) pods.push(benchmarkPod({ 'my-label': label() }, cpu(), memory()))
  }
  const spread = (topologyKey: string) => {
    for (let i = 0; i < fifth; i++) {
      const own = label()
      const constraint = {
        maxSkew: 1,
        whenUnsatisfiable: 'DoNotSchedule' as const,
        topologyKey,
        labelSelector: { matchLabels: { 'my-label': label() } },
      }
      pods.push(benchmarkPod({ 'my-label': own }, cpu(), memory(), { topologySpreadConstraints: [constraint] }))
    }
  }
  plain(fifth)
  spread('topology.kubernetes.io/zone')
  spread('kubernetes.io/hostname')
  for (let i = 0; i < fifth; i++) {
    const matchLabels = { 'my-affininity': label() }
    const term = { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels } }
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
    pods.push(benchmarkPod(matchLabels, cpu(), memory(), { affinity }))
  }
  for (let i = 0; i < fifth; i++) {
    const matchLabels = { app: 'nginx' }
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels } }
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
    pods.push(benchmarkPod(matchLabels, cpu(), memory(), { affinity }))
  }
  plain(count - 5 * fifth)
  return pods
}

/** Equal pods with a preferred zone and two preferred anti-affinities, one of which can be had (8.3). */
export const preferringPods = (count: number): readonly Pod[] => {
  const podAffinityTerm = (topologyKey: string) => ({
    topologyKey,
    labelSelector: { matchLabels: { app: 'nginx' } },
  })
  const affinity: NonNullable<Pod['spec']['affinity']> = {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 1,
          preference: {
            matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['test-zone-1'] }],
          },
        },
      ],
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 10, podAffinityTerm: podAffinityTerm('topology.kubernetes.io/zone') },
        { weight: 1, podAffinityTerm: podAffinityTerm('kubernetes.io/hostname') },
      ],
    },
  }
  return Array.from({ length: count }, () => benchmarkPod({ app: 'nginx' }, '100m', '4096Mi', { affinity }))
}
