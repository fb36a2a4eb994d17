import { type KubeObject, kinds, type Pod, type ResourceKind } from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'
import { isOfOthers } from './others-pods.ts'

/** How long a decision may rely on an older state of an owner: a watch may lag by 30 s. */
const KNOWN_AFTER = 30_000

export interface Replicated extends KubeObject {
  readonly spec?: {
    readonly replicas?: number
    readonly parallelism?: number
    readonly completions?: number
    readonly template?: Pod
  }
  readonly status?: { readonly succeeded?: number }
}

/** Returns the number of active pods that the owner should have. */
export const wantedBy = ({ kind, spec, status }: Replicated): number => {
  if (kind !== 'Job') return spec?.replicas ?? 1
  const { parallelism = 1, completions } = spec ?? {}
  const succeeded = status?.succeeded ?? 0
  // A Job without completions creates no pod after its first success.
  if (completions === undefined) return succeeded > 0 ? 0 : parallelism
  return Math.min(parallelism, completions - succeeded)
}

/**
 * Records the number of pods that were missing from the cluster's workloads (the pods' owners) over time. Kerf may plan for these pods
 * before they exist. Pods that another autoscaler serves do not count.
 */
export class MissingPods {
  readonly #environment: Environment
  /** The number of missing pods over time, with one entry per change. */
  readonly #history: { readonly at: number; readonly missing: number }[] = [{ at: 0, missing: 0 }]

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Records the current state. Must be called whenever an object has changed. Does nothing in a run that plans only for pods that exist. */
  note(): void {
    if (this.#environment.run.expectedPods === undefined) return
    const owned = new Map<string, number>()
    for (const { metadata, status } of this.#environment.pods()) {
      if (metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed'].includes(status?.phase ?? '')) continue
      const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid
      if (owner !== undefined) owned.set(owner, (owned.get(owner) ?? 0) + 1)
    }
    const owners = [kinds.ReplicaSet, kinds.StatefulSet, kinds.Job].flatMap((kind) =>
      this.#environment.list(kind as ResourceKind<Replicated>),
    )
    const own = owners.filter(({ spec }) => spec?.template === undefined || !isOfOthers(spec.template))
    const missing = own.reduce(
      (sum, owner) => sum + Math.max(0, wantedBy(owner) - (owned.get(owner.metadata.uid ?? '') ?? 0)),
      0,
    )
    if (this.#history.at(-1)?.missing !== missing)
      this.#history.push({ at: this.#environment.clock.monotonic(), missing })
  }

  /** Returns the maximum number of simultaneously missing pods since `since`, or shortly before. */
  mostSince(since: number): number {
    const from = since - KNOWN_AFTER
    const first = this.#history.findLastIndex(({ at }) => at <= from)
    return Math.max(0, ...this.#history.slice(Math.max(0, first)).map(({ missing }) => missing))
  }
}
