import { type KubeObject, labels, type Milliseconds, type Node } from '@kerf/apis'
import { node } from '@kerf/testing'
import type { CloudNames } from './cloud-draws.ts'
import type { Randomness } from './randomness.ts'
import type { Action, SimulatedRun } from './simulated-run.ts'

/** The label of an instance group of kOps, which Cluster Autoscaler scales. */
const GROUP_LABEL = 'kops.k8s.io/instancegroup'

/** Reports whether the object is a node of another autoscaler's group. */
export const isForeignNode = (object: KubeObject): object is Node =>
  object.kind === 'Node' && object.metadata.labels?.[GROUP_LABEL] !== undefined

/** Reports whether the run adds nodes of another autoscaler. */
export const hasForeignNodes = ({ steps }: SimulatedRun): boolean =>
  steps.some((step) => 'action' in step && step.action.kind === 'apply' && isForeignNode(step.action.object))

/** Adds nodes of another autoscaler with capacity for many pods, after Kerf already has nodes. */
export const drawForeignNodes = (
  randomness: Randomness,
  { zones }: CloudNames,
  life: Milliseconds,
): readonly { readonly at: Milliseconds; readonly action: Action }[] => {
  if (!randomness.happens(0.15)) return []
  return Array.from({ length: randomness.between(1, 2) }, (_, index) => {
    const name = `theirs-${index}`
    const object = node(name, {
      providerID: `theirs:///${zones[0]}/${name}`,
      labels: {
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        [labels.zone]: zones[0],
        [GROUP_LABEL]: 'theirs',
      },
      capacity: { cpu: '32', memory: '128Gi', pods: '110' },
    })
    return { at: randomness.between(60_000, life - 60_000), action: { kind: 'apply', object } as const }
  })
}
