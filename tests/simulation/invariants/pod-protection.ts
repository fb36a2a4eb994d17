import { annotations, kinds, matchesLabelSelector, type Pod, taints } from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'

/** The maximum time until Kerf notices a change. */
const KNOWN_AFTER = 60_000

const isActive = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase === 'Running'

/** Determines which pods Kerf must not disrupt. Uses only state that is old enough for Kerf to have read it. */
export class PodProtection {
  readonly #environment: Environment
  /** The times at which pods became active, and at which PodDisruptionBudgets stopped allowing evictions. */
  readonly #since = new Map<string, number>()
  #tainted: ReadonlySet<string> = new Set()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Records the current state. Must be called whenever an object has changed. */
  note(): void {
    const now = this.#environment.clock.monotonic()
    const present = new Set<string>()
    for (const { metadata, spec } of this.#environment.list(kinds.PodDisruptionBudget))
      if (spec.maxUnavailable === 0) present.add(`pdb ${metadata.name}`)
    for (const pod of this.#environment.pods()) if (isActive(pod)) present.add(`pod ${pod.metadata.uid}`)
    for (const key of this.#since.keys()) if (!present.has(key)) this.#since.delete(key)
    for (const key of present) if (!this.#since.has(key)) this.#since.set(key, now)
    this.#tainted = new Set(
      this.#environment
        .nodes()
        .flatMap(({ metadata, spec }) =>
          spec.taints?.some(({ key }) => key === taints.disrupted.key) ? [metadata.name] : [],
        ),
    )
  }

  /** Reports whether the node had the disruption taint when the state was last recorded. */
  wasTainted(nodeName: string): boolean {
    return this.#tainted.has(nodeName)
  }

  /** Reports whether the pod has been running for so long that Kerf must know about it. */
  isKnown(pod: Pod): boolean {
    return this.#hasHeldLong(`pod ${pod.metadata.uid}`)
  }

  /** Reports whether the pod's annotation forbids its disruption. */
  isProtected(pod: Pod): boolean {
    return pod.metadata.annotations?.[annotations.doNotDisrupt] === 'true' && isActive(pod)
  }

  /** Reports whether a PodDisruptionBudget has prevented the eviction of the pod for so long that Kerf must know about it. */
  isGuarded(pod: Pod): boolean {
    return (
      isActive(pod) &&
      this.#environment
        .list(kinds.PodDisruptionBudget)
        .some(
          ({ metadata, spec }) =>
            spec.maxUnavailable === 0 &&
            this.#hasHeldLong(`pdb ${metadata.name}`) &&
            matchesLabelSelector(spec.selector, pod.metadata.labels),
        )
    )
  }

  #hasHeldLong(key: string): boolean {
    return this.#environment.clock.monotonic() - (this.#since.get(key) ?? Number.POSITIVE_INFINITY) > KNOWN_AFTER
  }
}
