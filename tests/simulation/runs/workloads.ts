import type { KubeObject, PodSpec } from '@kerf/apis'
import { STORAGE_CLASS } from './extras.ts'
import { TEAM_LABEL } from './pools.ts'
import type { Randomness } from './randomness.ts'

const template = (name: string, spec: PodSpec, annotations: Readonly<Record<string, string>>) => ({
  metadata: { labels: { app: name }, annotations },
  spec,
})

/** Draws scheduling constraints. Pods with volumes get no spread over zones, because a volume stays in its zone. */
const constraints = (randomness: Randomness, name: string): Partial<PodSpec> => {
  const labelSelector = { matchLabels: { app: name } }
  switch (randomness.between(0, 5)) {
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

const podSpec = (randomness: Randomness, name: string, pools: readonly string[]): PodSpec => {
  const requests = {
    cpu: randomness.of(['250m', '500m', '900m', '1500m']),
    memory: randomness.of(['256Mi', '1Gi', '3Gi']),
  }
  const team = pools.includes('team-a') && randomness.happens(0.3)
  return {
    containers: [{ name: 'main', image: 'app', resources: { requests } }],
    terminationGracePeriodSeconds: randomness.of([5, 30]),
    ...constraints(randomness, name),
    ...(team
      ? { nodeSelector: { [TEAM_LABEL]: 'a' }, tolerations: [{ key: TEAM_LABEL, operator: 'Exists' as const }] }
      : {}),
    ...(randomness.happens(0.2) ? { priorityClassName: randomness.of(['high', 'low']) } : {}),
  }
}

const annotationsOf = (randomness: Randomness): Readonly<Record<string, string>> => ({
  ...(randomness.happens(0.2)
    ? { 'sandbox.kerf.sh/stop-after': randomness.happens(0.2) ? 'never' : String(randomness.between(2, 25)) }
    : {}),
  ...(randomness.happens(0.15) ? { 'karpenter.sh/do-not-disrupt': 'true' } : {}),
})

const scaled = (
  kind: 'Deployment' | 'StatefulSet',
  randomness: Randomness,
  name: string,
  pools: readonly string[],
): KubeObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'default' },
  ...{
    spec: {
      replicas: randomness.between(1, 6),
      selector: { matchLabels: { app: name } },
      ...(kind === 'StatefulSet' ? { serviceName: name, podManagementPolicy: 'Parallel' } : {}),
      ...withVolumes(kind === 'StatefulSet' && randomness.happens(0.5), podSpec(randomness, name, pools), (spec) =>
        template(name, spec, annotationsOf(randomness)),
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

const job = (randomness: Randomness, name: string, pools: readonly string[]): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'default' },
  ...{
    spec: {
      parallelism: randomness.between(1, 4),
      completions: randomness.between(1, 4),
      backoffLimit: 50,
      template: template(
        name,
        { ...podSpec(randomness, name, pools), restartPolicy: 'Never' },
        {
          'sandbox.kerf.sh/run-for': String(randomness.between(10, 90)),
          ...(randomness.happens(0.5) ? { 'karpenter.sh/do-not-disrupt': 'true' } : {}),
        },
      ),
    },
  },
})

const budget = (randomness: Randomness, name: string): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace: 'default' },
  ...{ spec: { selector: { matchLabels: { app: name } }, maxUnavailable: randomness.of([0, 1, 1, '50%']) } },
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

export const drawWorkload = (randomness: Randomness, name: string, pools: readonly string[]): DrawnWorkload => {
  const kind = randomness.of(['Deployment', 'Deployment', 'StatefulSet', 'Job'])
  if (kind === 'Job') return { name, kind, object: job(randomness, name, pools) }
  const object = scaled(kind, randomness, name, pools)
  return randomness.happens(0.6) ? { name, kind, object, budget: budget(randomness, name) } : { name, kind, object }
}
