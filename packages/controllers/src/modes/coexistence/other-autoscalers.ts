import {
  annotations,
  commonGroupLabels,
  matchesRequirements,
  type Node,
  type NodeGroupLabel,
  type Pod,
} from '@kerf/apis'
import type { ControllerSettings } from '../../deps.ts'
import { groupOf, type NodeGroupName } from './node-group.ts'

/** The value of `kerf.sh/served-by` that leaves a pod to Cluster Autoscaler. */
const CLUSTER_AUTOSCALER = 'cluster-autoscaler'

/**
 * Recognizes what belongs to other autoscalers (`docs/spec/coexistence.md#scopes-in-the-controller`): the pods that they
 * serve, and the nodes of their groups.
 */
export class OtherAutoscalers {
  readonly #selector: ControllerSettings['ignorePodsSelector']
  /** Whether nodes of other autoscalers do not count as capacity for pods of disrupted nodes, and get no events. */
  readonly ignoresNodes: boolean
  readonly #groupLabels: readonly NodeGroupLabel[]
  #reported: readonly string[] = []

  constructor({
    settings: { foreignNodes, ignorePodsSelector },
    nodeGroupLabels = commonGroupLabels,
  }: {
    readonly settings: Pick<ControllerSettings, 'foreignNodes' | 'ignorePodsSelector'>
    readonly nodeGroupLabels?: readonly NodeGroupLabel[]
  }) {
    this.#groupLabels = nodeGroupLabels
    this.#selector = ignorePodsSelector
    this.ignoresNodes = foreignNodes === 'ignore'
  }

  /** Stores the node groups in the latest report of a Cluster Autoscaler. Returns whether they have changed. */
  report(groups: readonly string[]): boolean {
    const isNews = groups.join() !== this.#reported.join()
    this.#reported = groups
    return isNews
  }

  /** Returns whether another autoscaler serves the pod, by its annotation or by the setting `IGNORE_PODS_SELECTOR`. */
  serves({ metadata }: Pod): boolean {
    if (metadata.annotations?.[annotations.servedBy] === CLUSTER_AUTOSCALER) return true
    return this.#selector.length > 0 && matchesRequirements(this.#selector, metadata.labels)
  }

  /** Returns the group of another autoscaler that the node belongs to. */
  groupOf(node: Node | undefined): NodeGroupName | undefined {
    return node === undefined ? undefined : groupOf(node, this.#reported, this.#groupLabels)
  }

  /** Returns whether the node belongs to another autoscaler and `FOREIGN_NODES=ignore` is set. */
  ignores(node: Node | undefined): boolean {
    return this.ignoresNodes && this.groupOf(node) !== undefined
  }
}
