import { annotations, CLUSTER_POLICY, type ResourceList } from '@kerf/apis'

const POLICY = `ClusterPolicy ${CLUSTER_POLICY}`

/** A single change that is enough for a pod to be placed. */
export interface Remedy {
  readonly kind:
    | 'drop'
    | 'tolerate'
    | 'lower-request'
    | 'raise-limit'
    | 'raise-ceiling'
    | 'raise-skew'
    | 'wake'
    | 'open-access'
  readonly text: string
  /**
   * Set for `raise-limit`: the NodePool, and limits that let the plan place the pod. The limits are high enough for all pods of the batch
   * that the NodePool can take.
   */
  readonly raise?: { readonly nodePool: string; readonly limits: ResourceList }
}

/** The order of remedies. Changes that keep the pod's node constraints come first. Lowering a request comes last. */
export const remedyOrder: readonly Remedy['kind'][] = [
  'tolerate',
  'raise-limit',
  'raise-ceiling',
  'wake',
  'open-access',
  'raise-skew',
  'drop',
  'lower-request',
]

/** The texts of remedies. The text of a constraint to drop is the constraint itself. */
export const remedyTexts = {
  tolerate: (taint: string): string => `tolerate the taint ${taint}`,
  lowerRequest: (resource: string, available: string): string => `lower the request of ${resource} to ${available}`,
  raiseLimit: (nodePool: string): string => `raise the limits of NodePool ${nodePool}`,
  raiseCeiling: (field: string, amount: string): string => `raise ${field} of ${POLICY} to ${amount}`,
  raiseCeilings: (amounts: string): string => `raise several ceilings of ${POLICY}: ${amounts}`,
  removeCeiling: (fields: string): string => `remove ${fields} from ${POLICY}`,
  wake: (nodePool: string, until: string): string =>
    `wake NodePool ${nodePool}, which sleeps until ${until}, with its annotation ${annotations.awakeUntil}`,
  labelNamespace: (namespace: string, labels: string, nodePool: string): string =>
    `label namespace ${namespace} to match ${labels}, which NodePool ${nodePool} requires`,
  setScheduler: (schedulerName: string, nodePool: string): string =>
    `set spec.schedulerName to ${schedulerName}, which NodePool ${nodePool} requires`,
  raiseSkew: (topologyKey: string, least: number): string =>
    `raise maxSkew of the spread over ${topologyKey} to ${least}`,
} as const

/** Returns the remedy as an instruction. */
export const remedySentence = ({ kind, text }: Remedy): string => (kind === 'drop' ? `drop the ${text}` : text)
