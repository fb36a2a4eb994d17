import type { KubeObject, PodSpec } from '@kerf/apis'
import type { Chance } from './chance.ts'
import { STORAGE_CLASS } from './extras.ts'
import { TEAM_LABEL } from './pools.ts'

const template = (name: string, spec: PodSpec, annotations: Readonly<Record<string, string>>) => ({
  metadata: { labels: { app: name }, annotations },
  spec,
})

/** Places that a volume, which stays in its zone, could come to contradict are not asked for together with volumes. */
const constraints = (chance: Chance, name: string): Partial<PodSpec> => {
  const labelSelector = { matchLabels: { app: name } }
  switch (chance.between(0, 5)) {
    case 0:
      return {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
        ],
      }
    case 1:
      return {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector },
        ],
      }
    case 2:
      return {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: 'kubernetes.io/hostname' }],
          },
        },
      }
    default:
      return {}
  }
}

const podSpec = (chance: Chance, name: string, pools: readonly string[]): PodSpec => {
  const requests = { cpu: chance.of(['250m', '500m', '900m', '1500m']), memory: chance.of(['256Mi', '1Gi', '3Gi']) }
  const team = pools.includes('team-a') && chance.happens(0.3)
  return {
    containers: [{ name: 'main', image: 'app', resources: { requests } }],
    terminationGracePeriodSeconds: chance.of([5, 30]),
    ...constraints(chance, name),
    ...(team
      ? { nodeSelector: { [TEAM_LABEL]: 'a' }, tolerations: [{ key: TEAM_LABEL, operator: 'Exists' as const }] }
      : {}),
    ...(chance.happens(0.2) ? { priorityClassName: chance.of(['high', 'low']) } : {}),
  }
}

const annotationsOf = (chance: Chance): Readonly<Record<string, string>> => ({
  ...(chance.happens(0.2)
    ? { 'sandbox.kerf.sh/stop-after': chance.happens(0.2) ? 'never' : String(chance.between(2, 25)) }
    : {}),
  ...(chance.happens(0.15) ? { 'karpenter.sh/do-not-disrupt': 'true' } : {}),
})

const scaled = (
  kind: 'Deployment' | 'StatefulSet',
  chance: Chance,
  name: string,
  pools: readonly string[],
): KubeObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'default' },
  ...{
    spec: {
      replicas: chance.between(1, 6),
      selector: { matchLabels: { app: name } },
      ...(kind === 'StatefulSet' ? { serviceName: name, podManagementPolicy: 'Parallel' } : {}),
      ...withVolumes(kind === 'StatefulSet' && chance.happens(0.5), podSpec(chance, name, pools), (spec) =>
        template(name, spec, annotationsOf(chance)),
      ),
    },
  },
})

const withVolumes = (wanted: boolean, spec: PodSpec, make: (spec: PodSpec) => object): object => {
  if (!wanted) return { template: make(spec) }
  const { topologySpreadConstraints: _, ...rest } = spec
  const claim = {
    metadata: { name: 'data' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: STORAGE_CLASS,
      resources: { requests: { storage: '1Gi' } },
    },
  }
  return { volumeClaimTemplates: [claim], template: make(rest) }
}

const job = (chance: Chance, name: string, pools: readonly string[]): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'default' },
  ...{
    spec: {
      parallelism: chance.between(1, 4),
      completions: chance.between(1, 4),
      backoffLimit: 50,
      template: template(
        name,
        { ...podSpec(chance, name, pools), restartPolicy: 'Never' },
        {
          'sandbox.kerf.sh/run-for': String(chance.between(10, 90)),
          ...(chance.happens(0.5) ? { 'karpenter.sh/do-not-disrupt': 'true' } : {}),
        },
      ),
    },
  },
})

const budget = (chance: Chance, name: string): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace: 'default' },
  ...{ spec: { selector: { matchLabels: { app: name } }, maxUnavailable: chance.of([0, 1, 1, '50%']) } },
})

export const priorityClasses: readonly KubeObject[] = [
  ['high', 1000],
  ['low', -10],
].map(([name, value]) => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: String(name) },
  ...{ value, preemptionPolicy: 'Never' },
}))

export interface DrawnWorkload {
  readonly name: string
  readonly kind: 'Deployment' | 'StatefulSet' | 'Job'
  readonly object: KubeObject
  readonly budget?: KubeObject
}

export const drawWorkload = (chance: Chance, name: string, pools: readonly string[]): DrawnWorkload => {
  const kind = chance.of(['Deployment', 'Deployment', 'StatefulSet', 'Job'])
  if (kind === 'Job') return { name, kind, object: job(chance, name, pools) }
  const object = scaled(kind, chance, name, pools)
  return chance.happens(0.6) ? { name, kind, object, budget: budget(chance, name) } : { name, kind, object }
}
