import { type KubeObject, labels, type Milliseconds, type Node } from '@kerf/apis'
import { node } from '@kerf/testing'
import type { CloudNames } from './cloud-draws.ts'
import type { Randomness } from './randomness.ts'
import type { Action, SimulatedRun } from './simulated-run.ts'

/** The label of an instance group in kOps. Cluster Autoscaler scales such groups. */
const GROUP_LABEL = 'kops.k8s.io/instancegroup'

/** Reports whether the object is a node that belongs to another autoscaler. */
export const isForeignNode = (object: KubeObject): object is Node =>
  object.kind === 'Node' && object.metadata.labels?.[GROUP_LABEL] !== undefined

/** Reports whether another autoscaler's nodes are added during the run. */
export const hasForeignNodes = ({ steps }: SimulatedRun): boolean =>
  steps.some((step) => 'action' in step && step.action.kind === 'apply' && isForeignNode(step.action.object))

/** Draws nodes of another autoscaler that have capacity for many pods. They are added after Kerf has launched its first nodes. */
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
