import type { Pod } from '@kerf/apis'
import { type Blocker, blockerRemedy, blockerSentence } from '@kerf/engine'
import { podName } from '../plan/plan-document.ts'
import type { NodeFacts } from './node-facts.ts'

const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict'

/** An obstacle to the removal of a node. */
export interface Holder {
  /** The obstacle as text. All nodes that one change would free have the same text. */
  readonly what: string
  readonly remedy: string
  /** The pod, if a single pod is the obstacle. */
  readonly pod?: string
}

/** Returns the blocker as an obstacle. Its text does not contain the name of the pod, so that nodes with the same blocker are grouped. */
const holderOf = (blocker: Blocker): Holder => {
  const remedy = blockerRemedy(blocker) ?? 'no action required: this resolves by itself'
  switch (blocker.code) {
    case 'pod.do-not-disrupt':
      return {
        what: 'annotation karpenter.sh/do-not-disrupt of pods',
        pod: blocker.pod,
        remedy: 'remove the annotation, or give it a duration',
      }
    case 'pdb.blocks':
      return { what: `PodDisruptionBudget ${blocker.budget}, which allows no disruption`, remedy }
    case 'pdb.several':
      return { what: `several PodDisruptionBudgets: ${blocker.budgets.join(', ')}`, pod: blocker.pod, remedy }
    case 'node.nominated':
    case 'node.not-consolidatable':
      return { what: blockerSentence(blocker), remedy: 'no action required: this resolves by itself' }
    case 'node.do-not-disrupt':
      return { what: 'annotation karpenter.sh/do-not-disrupt of the nodes', remedy: 'remove the annotation' }
    default:
      return { what: blockerSentence(blocker), remedy }
  }
}

const isUnsafe = ({ metadata }: Pod): boolean => metadata.annotations?.[SAFE_TO_EVICT] === 'false'

/**
 * Returns a function that returns the obstacle to the removal of a node, with its remedy. `blockers` contains the results of the
 * controllers' checks, keyed by node name. For a node that neither Karpenter nor Kerf manages, it contains only blockers of the node's
 * pods.
 */
export const findHolders =
  (blockers: ReadonlyMap<string, Blocker>): ((node: NodeFacts) => Holder | undefined) =>
  ({ state, movable, keeper, group }) => {
    const blocker = blockers.get(state.nodeName ?? state.name)
    const unsafe = keeper === 'karpenter' ? undefined : movable.find(isUnsafe)
    if (unsafe !== undefined)
      return {
        what: `annotation ${SAFE_TO_EVICT}=false of pods`,
        pod: podName(unsafe),
        remedy: 'remove the annotation',
      }
    if (blocker !== undefined) return holderOf(blocker)
    switch (keeper) {
      case 'karpenter':
        return undefined
      case 'by hand':
        return {
          what: 'no autoscaler manages it, so nothing removes it',
          remedy: 'remove it, or let an autoscaler manage it',
        }
      case 'node group':
        return {
          what: `node group ${group}, from which Cluster Autoscaler removes nodes only below its utilization threshold`,
          remedy: 'scale the group down, or consolidate with Karpenter or Kerf',
        }
    }
  }
