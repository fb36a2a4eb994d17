import {
  controllerOwner,
  type LabelSelector,
  type LabelSelectorRequirement,
  type Pod,
  type TopologySpreadConstraint,
} from '@kerf/apis'
import { podNamespace } from '../pods/pod-name.ts'
import { LabelQuery } from '../requirements/label-query.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'

type Labels = Readonly<Record<string, string>>

const isLabelSelector = (selector: LabelSelector | Labels): selector is LabelSelector =>
  'matchLabels' in selector || 'matchExpressions' in selector

/**
 * The cluster's default spread constraints, for pods that have none themselves. Their selectors come from the pod's Services and controller
 * (`docs/spec/scheduling.md#default-spread-constraints`).
 */
export class DefaultSpread {
  readonly #constraints: NonNullable<ScheduleOptions['defaultSpreadConstraints']>
  readonly #snapshot: ClusterSnapshot
  readonly #selectors = new Map<string, LabelSelector | undefined>()

  constructor(snapshot: ClusterSnapshot, constraints: ScheduleOptions['defaultSpreadConstraints']) {
    this.#snapshot = snapshot
    this.#constraints = constraints ?? []
  }

  /** Returns a key. Pods of one form with equal keys get the same constraints. The key is empty if the pod gets no constraints. */
  keyOf(pod: Pod): string {
    if (this.#constraints.length === 0 || (pod.spec.topologySpreadConstraints?.length ?? 0) > 0) return ''
    const { kind, name } = controllerOwner(pod) ?? {}
    return JSON.stringify([podNamespace(pod), kind, name, pod.metadata.labels])
  }

  constraintsOf(pod: Pod): readonly TopologySpreadConstraint[] {
    const own = pod.spec.topologySpreadConstraints ?? []
    if (own.length > 0 || this.#constraints.length === 0) return own
    const key = this.keyOf(pod)
    if (!this.#selectors.has(key)) this.#selectors.set(key, this.#selectorOf(pod))
    const labelSelector = this.#selectors.get(key)
    return labelSelector === undefined ? [] : this.#constraints.map((constraint) => ({ ...constraint, labelSelector }))
  }

  #selectorOf(pod: Pod): LabelSelector | undefined {
    const namespace = podNamespace(pod)
    let matchLabels: Record<string, string> = {}
    for (const service of this.#snapshot.services ?? []) {
      const { selector } = service.spec
      if (selector === undefined || (service.metadata.namespace ?? 'default') !== namespace) continue
      if (LabelQuery.of({ matchLabels: selector }).matches(pod.metadata.labels ?? {}))
        matchLabels = { ...matchLabels, ...selector }
    }
    let matchExpressions: LabelSelectorRequirement[] = []
    const controller = controllerOwner(pod)
    const owner = this.#snapshot.podOwners?.find(
      ({ kind, metadata }) =>
        kind === controller?.kind &&
        metadata.name === controller.name &&
        (metadata.namespace ?? 'default') === namespace,
    )
    const selector = owner?.spec.selector
    if (selector !== undefined && controller?.kind === 'ReplicationController') {
      if (!isLabelSelector(selector)) matchLabels = { ...matchLabels, ...selector }
    } else if (selector !== undefined && isLabelSelector(selector)) {
      if (controller?.kind === 'ReplicaSet' || controller?.kind === 'StatefulSet') {
        matchExpressions = [
          ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
            key,
            operator: 'In' as const,
            values: [value],
          })),
          ...(selector.matchExpressions ?? []),
        ]
      }
    }
    if (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0) return undefined
    return { matchLabels, matchExpressions }
  }
}
