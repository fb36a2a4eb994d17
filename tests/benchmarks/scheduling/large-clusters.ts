import { coreVocabulary, type Pod, parseResources } from '@kerf/apis'
import type { InstanceType, NodeState } from '@kerf/engine'
import { SeededRandom } from '@kerf/runtime'
import { cluster, inList, instanceType, nodePool, offering, pod } from './building-blocks.ts'
import type { Workload } from './workload.ts'

const ZONE = 'topology.kubernetes.io/zone'
const HOSTNAME = 'kubernetes.io/hostname'
const ZONES = ['zone-a', 'zone-b', 'zone-c']

/**
 * Returns `count` instance types in families with different memory per CPU. Prices differ by a few percent between zones, and spot costs
 * about a third.
 */
const catalogue = (count: number, maxCpu: number, seed: number): readonly InstanceType[] => {
  const random = new SeededRandom(seed)
  const sizes = [2, 4, 8, 16, 32, 48, 64, 96].filter((cpu) => cpu <= maxCpu)
  return Array.from({ length: count }, (_, index) => {
    const cpu = sizes[index % sizes.length] ?? 2
    const ratio = [2, 4, 8][Math.floor(index / sizes.length) % 3] ?? 4
    const generation = Math.floor(index / (sizes.length * 3))
    const base = (cpu * 0.032 + cpu * ratio * 0.0035) * (1 + 0.01 * generation)
    return instanceType({
      name: `f${generation}r${ratio}.${cpu}x`,
      cpu,
      memoryGi: cpu * ratio,
      pods: Math.min(250, 16 * cpu),
      zones: ZONES,
      offerings: ZONES.flatMap((zone) => [
        offering('on-demand', zone, Number(base.toFixed(6))),
        offering('spot', zone, Number((base * (0.3 + 0.1 * random.next())).toFixed(6))),
      ]),
    })
  })
}

const between = (random: SeededRandom, low: number, high: number): number =>
  low + Math.floor(random.next() * (high - low + 1))

const runningPod = (index: number, app: string, node: string): Pod => {
  const base = pod(index, { app }, { cpu: '350m', memory: '1Gi' })
  return {
    ...base,
    spec: { ...base.spec, nodeName: node },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  }
}

const runningNode = (index: number, podsPerNode: number, apps: number): NodeState => {
  const name = `node-${String(index).padStart(5, '0')}`
  const zone = ZONES[index % ZONES.length] ?? ''
  const nodePoolName = `pool-${zone}`
  return {
    name,
    nodeName: name,
    hostName: name,
    labels: {
      [HOSTNAME]: name,
      [ZONE]: zone,
      'karpenter.sh/nodepool': nodePoolName,
      'karpenter.sh/capacity-type': 'on-demand',
      'node.kubernetes.io/instance-type': 'f0r4.16x',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
    },
    taints: [],
    capacity: parseResources({ cpu: '16', memory: '64Gi', pods: '110', nodes: '1' }),
    allocatable: parseResources({ cpu: '15900m', memory: '62Gi', pods: '110' }),
    initialized: true,
    managed: true,
    hasNode: true,
    nodePool: nodePoolName,
    nodeClaim: `claim-${index}`,
    providerID: `bench://${name}`,
    markedForDeletion: false,
    pods: Array.from({ length: podsPerNode }, (_, each) =>
      runningPod(1_000_000 + index * podsPerNode + each, `app-${(index * podsPerNode + each) % apps}`, name),
    ),
  }
}

/**
 * (b) 40,000 running pods, and free capacity for a third of 33,000 pending pods. The pending pods have a preferred spread over hosts and
 * zones. There are three zonal NodePools.
 */
const spreadOnRunning: Workload = {
  name: 'b-spread-33000',
  about: '33,000 pending beside 40,000 running, preferred host and zone spread, three zonal pools',
  secondsAllowed: 1.5,
  make: () => {
    const types = catalogue(300, 64, 7)
    const apps = 200
    const spread = (app: string): Pod['spec']['topologySpreadConstraints'] =>
      [HOSTNAME, ZONE].map((topologyKey) => ({
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { app } },
      }))
    return {
      snapshot: cluster(
        ZONES.map((zone) => ({
          nodePool: nodePool(`pool-${zone}`, { requirements: [inList(ZONE, zone)] }),
          instanceTypes: types,
        })),
        Array.from({ length: 1_000 }, (_, index) => runningNode(index, 40, apps)),
      ),
      pods: Array.from({ length: 33_000 }, (_, index) => {
        const app = `app-${index % apps}`
        return pod(index, { app }, { cpu: '200m', memory: '512Mi' }, { topologySpreadConstraints: spread(app) ?? [] })
      }),
      options: { vocabulary: coreVocabulary },
    }
  },
}

/** (c) 100,000 pods of 200 Deployments on 1,000 instance types. A tenth of the Deployments spread over zones. */
const manyDeployments: Workload = {
  name: 'c-deployments-100000',
  about: '100,000 pods of 200 Deployments on 1,000 types',
  secondsAllowed: 1.5,
  make: () => {
    const random = new SeededRandom(11)
    const shapes = Array.from({ length: 200 }, () => ({
      cpu: `${between(random, 1, 40) * 50}m`,
      memory: `${between(random, 1, 64) * 64}Mi`,
    }))
    return {
      snapshot: cluster([{ nodePool: nodePool('general'), instanceTypes: catalogue(1_000, 96, 13) }]),
      pods: Array.from({ length: 100_000 }, (_, index) => {
        const deployment = index % 200
        const app = `app-${deployment}`
        const spec: Partial<Pod['spec']> =
          deployment % 10 === 0
            ? {
                topologySpreadConstraints: [
                  {
                    maxSkew: 1,
                    topologyKey: ZONE,
                    whenUnsatisfiable: 'DoNotSchedule',
                    labelSelector: { matchLabels: { app } },
                  },
                ],
              }
            : {}
        return pod(index, { app }, shapes[deployment] ?? { cpu: '100m', memory: '64Mi' }, spec)
      }),
      options: { vocabulary: coreVocabulary },
    }
  },
}

/** (d) The worst case for equivalence classes: 10,000 pods with different requests. */
const allDifferent: Workload = {
  name: 'd-different-10000',
  about: '10,000 pods, each its own class',
  secondsAllowed: 3,
  make: () => {
    const random = new SeededRandom(17)
    const seen = new Set<string>()
    const requests = (): { cpu: string; memory: string } => {
      for (;;) {
        const cpu = `${between(random, 50, 4_000)}m`
        const memory = `${between(random, 64, 8_192)}Mi`
        if (seen.has(`${cpu} ${memory}`)) continue
        seen.add(`${cpu} ${memory}`)
        return { cpu, memory }
      }
    }
    return {
      snapshot: cluster([{ nodePool: nodePool('general'), instanceTypes: catalogue(400, 64, 19) }]),
      pods: Array.from({ length: 10_000 }, (_, index) => {
        const app = `app-${index}`
        const kind = index % 10
        const spec: Partial<Pod['spec']> =
          kind === 0
            ? { nodeSelector: { [ZONE]: ZONES[index % 3] ?? '' } }
            : kind === 1
              ? {
                  topologySpreadConstraints: [
                    {
                      maxSkew: 1,
                      topologyKey: ZONE,
                      whenUnsatisfiable: 'DoNotSchedule',
                      labelSelector: { matchLabels: { app } },
                    },
                  ],
                }
              : {}
        return pod(index, { app }, requests(), spec)
      }),
      options: { vocabulary: coreVocabulary },
    }
  },
}

/** (e) Plain pods on nodes with at most 8 CPUs, which need more than 800 NodeClaims. */
const smallNodes: Workload = {
  name: 'e-small-nodes-10000',
  about: '10,000 plain pods on nodes of at most 8 CPUs',
  secondsAllowed: 0.3,
  make: () => {
    const random = new SeededRandom(23)
    const choices = Array.from({ length: 60 }, () => ({
      cpu: `${between(random, 2, 30) * 50}m`,
      memory: `${between(random, 2, 40) * 64}Mi`,
    }))
    return {
      snapshot: cluster([{ nodePool: nodePool('small'), instanceTypes: catalogue(60, 8, 29) }]),
      pods: Array.from({ length: 10_000 }, (_, index) =>
        pod(index, { app: `app-${index % 60}` }, choices[between(random, 0, 59)] ?? { cpu: '100m', memory: '64Mi' }),
      ),
      options: { vocabulary: coreVocabulary },
    }
  },
}

export const largeClusters: readonly Workload[] = [spreadOnRunning, manyDeployments, allDifferent, smallNodes]
