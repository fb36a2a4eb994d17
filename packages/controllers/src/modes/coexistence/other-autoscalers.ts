import {
  annotations,
  commonGroupLabels,
  matchesRequirements,
  type Node,
  type NodeGroupLabel,
  type Pod,
} from '@kerf/apis'
import type { ControllerSettings } from '../../deps.ts'
import { type NodeGroupName, nodeGroupName } from './node-group.ts'

/** If the annotation `kerf.sh/served-by` of a pod has this value, Cluster Autoscaler serves the pod and Kerf ignores it. */
const CLUSTER_AUTOSCALER = 'cluster-autoscaler'

/**
 * Recognizes the pods that other autoscalers serve, and the nodes of their groups
 * (`docs/spec/coexistence.md#scopes-in-the-controller`).
 */
export class OtherAutoscalers {
  readonly #selector: ControllerSettings['ignorePodsSelector']
  /**
   * With `FOREIGN_NODES=ignore`, Kerf does not plan the pods of disrupted nodes onto nodes of other autoscalers, and publishes no Events
   * about these nodes.
   */
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

  /** Stores the node groups from the latest status of a Cluster Autoscaler. Returns whether the groups have changed. */
  report(groups: readonly string[]): boolean {
    const isNews = groups.join() !== this.#reported.join()
    this.#reported = groups
    return isNews
  }

  /** Returns whether another autoscaler serves the pod, according to its annotation or the setting `IGNORE_PODS_SELECTOR`. */
  serves({ metadata }: Pod): boolean {
    if (metadata.annotations?.[annotations.servedBy] === CLUSTER_AUTOSCALER) return true
    return this.#selector.length > 0 && matchesRequirements(this.#selector, metadata.labels)
  }

  /** Returns the node group of another autoscaler that the node belongs to, or undefined if there is none. */
  groupOf(node: Node | undefined): NodeGroupName | undefined {
    return node === undefined ? undefined : nodeGroupName(node, this.#reported, this.#groupLabels)
  }

  /** Returns whether the node belongs to another autoscaler and `FOREIGN_NODES=ignore` is set. */
  ignores(node: Node | undefined): boolean {
    return this.ignoresNodes && this.groupOf(node) !== undefined
  }
}
