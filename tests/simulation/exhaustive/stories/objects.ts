import type { KubeObject, Milliseconds, PodSpec } from '@kerf/apis'
import type { Action, Fault, SimulatedRun, Step } from '../../runs/simulated-run.ts'

const NAMESPACE = 'default'

/** The resource requests of the pods of a Deployment. */
export interface PodTemplate {
  readonly cpu: string
  readonly replicas: number
  readonly spec?: Partial<PodSpec>
}

/** Returns a Deployment in the namespace `default`. */
export const deployment = (name: string, { cpu, replicas, spec }: PodTemplate): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: NAMESPACE },
  ...{
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [{ name: 'main', image: 'app', resources: { requests: { cpu, memory: '256Mi' } } }],
          terminationGracePeriodSeconds: 5,
          ...spec,
        },
      },
    },
  },
})

/** Returns an anti-affinity that keeps the application's pods on separate nodes. */
export const oneANode = (name: string): Partial<PodSpec> => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: name } }, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  },
})

export const podDisruptionBudget = (name: string, maxUnavailable: number): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace: NAMESPACE },
  ...{ spec: { selector: { matchLabels: { app: name } }, maxUnavailable } },
})

/** An action or fault of a story, and its time. */
export type Turn = readonly [at: Milliseconds, what: Action | { readonly fault: Fault }]

/**
 * Returns a run with simulated instances and one Kerf process. By default, the cluster recovers from faults ten seconds after the last
 * step.
 */
export const storyRun = (
  seed: number,
  run: Pick<SimulatedRun, 'pools'> & Partial<SimulatedRun>,
  turns: readonly Turn[],
): SimulatedRun => {
  const steps = turns.map(
    ([at, what], index): Step =>
      'fault' in what ? { id: `f${index}`, at, fault: what.fault } : { id: `e${index}`, at, action: what },
  )
  const last = Math.max(...turns.map(([at]) => at))
  return { seed, cloud: 'simulated', replicas: 1, objects: [], steps, recoveredAt: last + 10_000, ...run }
}

export const apply = (object: KubeObject): Action => ({ kind: 'apply', object })
