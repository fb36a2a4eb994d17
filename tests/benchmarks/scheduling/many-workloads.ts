import { coreVocabulary, type Pod } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { SeededRandom } from '@kerf/runtime'
import { offlineInstanceTypes } from '../../../packages/cli/src/providers.ts'
import { cluster, inList, nodePool, pod } from './building-blocks.ts'
import type { Question, Workload } from './workload.ts'

const ZONE = 'topology.kubernetes.io/zone'
const HOSTNAME = 'kubernetes.io/hostname'
const ARCH = 'kubernetes.io/arch'
const CAPACITY_TYPE = 'karpenter.sh/capacity-type'

type Spec = Partial<Pod['spec']>

const spread = (
  app: string,
  topologyKey: string,
  whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway',
): Pod['spec']['topologySpreadConstraints'] => [
  { maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector: { matchLabels: { app } } },
]

const apart = (app: string): NonNullable<Spec['affinity']> => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: HOSTNAME, labelSelector: { matchLabels: { app } } },
    ],
  },
})

/** Returns a Deployment's scheduling constraints, as in a company's cluster: most Deployments have none, and the others have one. */
const demandOf = (app: string, random: SeededRandom): Spec => {
  const draw = random.next()
  if (draw < 0.15) return { topologySpreadConstraints: spread(app, ZONE, 'DoNotSchedule') ?? [] }
  if (draw < 0.25) return { topologySpreadConstraints: spread(app, HOSTNAME, 'ScheduleAnyway') ?? [] }
  if (draw < 0.35) return { affinity: apart(app) }
  if (draw < 0.42) return { nodeSelector: { [ARCH]: 'arm64' } }
  if (draw < 0.52) return { nodeSelector: { [ARCH]: 'amd64' } }
  if (draw < 0.57) return { nodeSelector: { [CAPACITY_TYPE]: 'on-demand' } }
  return {}
}

/** Returns requests as people write them: mostly round numbers, with much CPU or much memory. */
const requestsOf = (random: SeededRandom): { readonly cpu: string; readonly memory: string } => {
  const cpu = Math.round(2 ** (4.5 + 6.5 * random.next())) // Between 23m and 2,048m.
  const memory = Math.round(cpu * 2 ** (0.5 + 3 * random.next()))
  const step = random.next() < 0.7 ? 50 : 1
  return {
    cpu: `${Math.max(step, Math.round(cpu / step) * step)}m`,
    memory: `${Math.max(32, Math.round(memory / 32) * 32)}Mi`,
  }
}

const question = (count: number, types: readonly InstanceType[]): Question => {
  const random = new SeededRandom(31)
  const pods: Pod[] = []
  for (let number = 0; pods.length < count; number++) {
    const app = `app-${number}`
    const spec = demandOf(app, random)
    const requests = requestsOf(random)
    const replicas = Math.min(count - pods.length, 1 + Math.floor(2 ** (5 * random.next())))
    for (let each = 0; each < replicas; each++) pods.push(pod(pods.length, { app }, requests, spec))
  }
  const pool = nodePool('general', {
    requirements: [
      inList(CAPACITY_TYPE, 'on-demand', 'spot'),
      inList(ARCH, 'amd64', 'arm64'),
      inList('kubernetes.io/os', 'linux'),
    ],
  })
  return {
    snapshot: cluster([{ nodePool: pool, instanceTypes: types }]),
    pods,
    options: { vocabulary: coreVocabulary },
  }
}

/** (f) A company's cluster: Deployments of one to 32 pods with different constraints, on the instance types of EC2. */
export const manyWorkloads: readonly Workload[] = [2_000, 20_000].map((count) => ({
  name: `f-ec2-${count}`,
  about: `${count} pods of Deployments of 1 to 32 pods, on the types of EC2`,
  make: async () => question(count, (await offlineInstanceTypes('aws')) ?? []),
}))
