import { annotations, matchesRequirements, type Node, type Pod } from '@kerf/apis'
import type { ControllerSettings } from '../deps.ts'
import { groupOf, type NodeGroupName } from './node-group.ts'

/** The value of `kerf.sh/served-by` that leaves a pod to Cluster Autoscaler. */
const CLUSTER_AUTOSCALER = 'cluster-autoscaler'

/**
 * What belongs to other autoscalers of the cluster (`docs/spec/coexistence.md#scopes-in-the-controller`): pods that they
 * serve, and nodes of their groups.
 */
export class OtherAutoscalers {
  readonly #selector: ControllerSettings['ignorePodsSelector']
  /** Whether nodes of others are no free room for what Kerf disrupts, and get no events. */
  readonly ignoresNodes: boolean
  #reported: readonly string[] = []

  constructor({ foreignNodes, ignorePodsSelector }: Pick<ControllerSettings, 'foreignNodes' | 'ignorePodsSelector'>) {
    this.#selector = ignorePodsSelector
    this.ignoresNodes = foreignNodes === 'ignore'
  }

  /** The node groups of a Cluster Autoscaler as it reported them last. Answers whether that is news. */
  report(groups: readonly string[]): boolean {
    const isNews = groups.join() !== this.#reported.join()
    this.#reported = groups
    return isNews
  }

  /** Whether Kerf launches nothing for the pod, by its annotation or by the setting `IGNORE_PODS_SELECTOR`. */
  serves({ metadata }: Pod): boolean {
    if (metadata.annotations?.[annotations.servedBy] === CLUSTER_AUTOSCALER) return true
    return this.#selector.length > 0 && matchesRequirements(this.#selector, metadata.labels)
  }

  /** The group of another autoscaler that the node belongs to. */
  groupOf(node: Node | undefined): NodeGroupName | undefined {
    return node === undefined ? undefined : groupOf(node, this.#reported)
  }

  /** Whether the node is another's and the setting `FOREIGN_NODES=ignore` holds. */
  ignores(node: Node | undefined): boolean {
    return this.ignoresNodes && this.groupOf(node) !== undefined
  }
}
