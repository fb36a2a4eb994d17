import type { ResourceList } from '@kerf/apis'

/** A single change that is enough for a pod to be placed. */
export interface Remedy {
  readonly kind: 'drop' | 'tolerate' | 'lower-request' | 'raise-limit' | 'raise-skew'
  readonly text: string
  /**
   * Set for `raise-limit`: the NodePool, and limits that let the plan place the pod. The limits are high enough for all pods of the batch
   * that the NodePool can take.
   */
  readonly raise?: { readonly nodePool: string; readonly limits: ResourceList }
}

/** The order of remedies. Changes that keep the pod's node constraints come first. Lowering a request comes last. */
export const remedyOrder: readonly Remedy['kind'][] = ['tolerate', 'raise-limit', 'raise-skew', 'drop', 'lower-request']

/** The texts of remedies. The text of a constraint to drop is the constraint itself. */
export const remedyTexts = {
  tolerate: (taint: string): string => `tolerate the taint ${taint}`,
  lowerRequest: (resource: string, available: string): string => `lower the request of ${resource} to ${available}`,
  raiseLimit: (nodePool: string): string => `raise the limits of NodePool ${nodePool}`,
  raiseSkew: (topologyKey: string, least: number): string =>
    `raise maxSkew of the spread over ${topologyKey} to ${least}`,
} as const

/** Returns the remedy as an instruction. */
export const remedySentence = ({ kind, text }: Remedy): string => (kind === 'drop' ? `drop the ${text}` : text)
