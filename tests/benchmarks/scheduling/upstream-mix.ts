import { coreVocabulary, type Pod } from '@kerf/apis'
import type { InstanceType, ScheduleOptions } from '@kerf/engine'
import { absent, cluster, inList, instanceType, nodePool, offering, pod } from './building-blocks.ts'
import { Draws } from './draws.ts'
import type { Workload } from './workload.ts'

const CPU = ['100m', '250m', '500m', '1000m', '1500m']
const MEMORY = ['100Mi', '256Mi', '512Mi', '1024Mi', '2048Mi', '4096Mi']
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const CLUSTER_LABEL = { 'testing/cluster': 'unspecified' }
const ZONE = 'topology.kubernetes.io/zone'
const HOSTNAME = 'kubernetes.io/hostname'
const vocabulary = coreVocabulary.withWellKnown(['size', 'special', 'integer'])

/**
 * Returns upstream's fake catalogue. Type i has i+1 CPUs, twice as many GiB of memory, and five offerings
 * (`docs/spec/scheduling-benchmark.md#instance-types`).
 */
const fakeTypes = (count: number): readonly InstanceType[] =>
  Array.from({ length: count }, (_, index) => {
    const cpu = index + 1
    const memoryGi = 2 * cpu
    const price = 0.1 * cpu + (0.1 * memoryGi * 2 ** 30) / 1e9
    const large = cpu > 4 && memoryGi > 8
    return instanceType({
      name: `fake-it-${index}`,
      cpu,
      memoryGi,
      pods: 10 * cpu,
      zones: ['test-zone-1', 'test-zone-2', 'test-zone-3'],
      operatingSystems: ['darwin', 'linux', 'windows'],
      offerings: [
        offering('spot', 'test-zone-1', price),
        offering('spot', 'test-zone-2', price),
        offering('on-demand', 'test-zone-1', price),
        offering('on-demand', 'test-zone-2', price),
        offering('on-demand', 'test-zone-3', price),
      ],
      extra: [
        inList('integer', String(cpu)),
        inList('size', large ? 'large' : 'small'),
        large ? inList('special', 'optional') : absent('special'),
      ],
    })
  })

const benchmarkCluster = () =>
  cluster([
    {
      nodePool: nodePool('benchmark', { labels: CLUSTER_LABEL, limits: { cpu: '10000000', memory: '10000000Gi' } }),
      instanceTypes: fakeTypes(400),
    },
  ])

const pick = (draws: Draws, values: readonly string[]): string => values[draws.intn(values.length)] ?? ''

/**
 * Returns the mix of pods of upstream's `SchedulingN`: a fifth each for five kinds of pods, and generic pods for the remainder, in
 * upstream's order.
 */
export const diversePods = (count: number): readonly Pod[] => {
  const draws = new Draws()
  const each = Math.floor(count / 5)
  const pods: Pod[] = []
  const add = (labels: Readonly<Record<string, string>>, spec: Partial<Pod['spec']> = {}): void => {
    const cpu = pick(draws, CPU)
    const memory = pick(draws, MEMORY)
    pods.push(pod(pods.length, { ...labels, ...CLUSTER_LABEL }, { cpu, memory }, spec))
  }
  const generic = (): void => add({ 'my-label': pick(draws, LETTERS) })
  const spread = (topologyKey: string): void => {
    const own = pick(draws, LETTERS)
    const selected = pick(draws, LETTERS)
    add(
      { 'my-label': own },
      {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            whenUnsatisfiable: 'DoNotSchedule',
            topologyKey,
            labelSelector: { matchLabels: { 'my-label': selected } },
          },
        ],
      },
    )
  }
  const affinity = (): void => {
    const value = pick(draws, LETTERS)
    add(
      { 'my-affininity': value },
      {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: ZONE, labelSelector: { matchLabels: { 'my-affininity': value } } },
            ],
          },
        },
      },
    )
  }
  const antiAffinity = (): void =>
    add(
      { app: 'nginx' },
      {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              { topologyKey: HOSTNAME, labelSelector: { matchLabels: { app: 'nginx' } } },
            ],
          },
        },
      },
    )
  for (const make of [generic, () => spread(ZONE), () => spread(HOSTNAME), affinity, antiAffinity]) {
    for (let index = 0; index < each; index += 1) make()
  }
  while (pods.length < count) generic()
  return pods
}

/** Returns `count` identical pods with one satisfiable and one unsatisfiable preferred anti-affinity, and a preferred zone. */
export const preferencePods = (count: number): readonly Pod[] => {
  const draws = new Draws()
  const requests = { cpu: pick(draws, CPU), memory: pick(draws, MEMORY) }
  const term = (topologyKey: string) => ({ topologyKey, labelSelector: { matchLabels: { app: 'nginx' } } })
  const affinity: Pod['spec']['affinity'] = {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [{ key: ZONE, operator: 'In', values: ['test-zone-1'] }] } },
      ],
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 10, podAffinityTerm: term(ZONE) },
        { weight: 1, podAffinityTerm: term(HOSTNAME) },
      ],
    },
  }
  return Array.from({ length: count }, (_, index) =>
    pod(index, { app: 'nginx', ...CLUSTER_LABEL }, requests, { affinity }),
  )
}

const options = (extra: Partial<ScheduleOptions> = {}): ScheduleOptions => ({ vocabulary, ...extra })

const RECORDED: readonly (readonly [pods: number, podsPerSecond: number, seconds: number, nodes: number])[] = [
  [1, 408, 0.0025, 1],
  [50, 409, 0.1223, 10],
  [100, 476, 0.2101, 20],
  [500, 415, 1.21, 100],
  [1_000, 384, 2.6, 200],
  [2_000, 366, 5.46, 400],
  [5_000, 324, 15.43, 1_000],
  [10_000, 307, 32.57, 2_000],
  [20_000, 216, 92.54, 4_000],
]

/** (a) Upstream's benchmark: its workloads in upstream's sizes, including the pods with preferences. */
export const upstreamMix: readonly Workload[] = [
  ...RECORDED.map(
    ([pods, podsPerSecond, seconds, nodes]): Workload => ({
      name: `a-mix-${pods}`,
      about: `upstream's mix, ${pods} pods, 400 types`,
      upstream: { podsPerSecond, seconds, nodes },
      make: () => ({ snapshot: benchmarkCluster(), pods: diversePods(pods), options: options() }),
    }),
  ),
  {
    name: 'a-respect-4000',
    about: 'preferred anti-affinity, preferences respected',
    upstream: { podsPerSecond: 70, seconds: 56.96, nodes: 4_000 },
    make: () => ({
      snapshot: benchmarkCluster(),
      pods: preferencePods(4_000),
      options: options({ preferencePolicy: 'Respect' }),
    }),
  },
  {
    name: 'a-ignore-4000',
    about: 'the same pods, preferences ignored',
    upstream: { podsPerSecond: 3_319, seconds: 1.21, nodes: 21 },
    make: () => ({
      snapshot: benchmarkCluster(),
      pods: preferencePods(4_000),
      options: options({ preferencePolicy: 'Ignore' }),
    }),
  },
]
