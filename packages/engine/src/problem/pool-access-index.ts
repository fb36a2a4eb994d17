import type { Pod } from '@kerf/apis'
import { podNamespace } from '../pods/pod-name.ts'
import { accessRefusal, type NamespaceLabels } from '../pods/pool-access.ts'
import type { ClusterSnapshot } from '../snapshot.ts'

/** Returns a function that finds the labels of a namespace of the snapshot. */
export const namespaceLabels = ({ namespaces }: Pick<ClusterSnapshot, 'namespaces'>): NamespaceLabels => {
  const byName = new Map(namespaces.map(({ metadata }) => [metadata.name, { labels: metadata.labels }]))
  return (name) => byName.get(name)
}

/** Determines which restricted NodePools each pod may use (`docs/spec/policies.md#access`). */
export class PoolAccessIndex {
  readonly #access: NonNullable<ClusterSnapshot['access']>
  readonly #namespaceLabels: NamespaceLabels
  /** The result by scheduler name, then by namespace. */
  readonly #known = new Map<string, Map<string, string>>()

  private constructor(access: NonNullable<ClusterSnapshot['access']>, labels: NamespaceLabels) {
    this.#access = access
    this.#namespaceLabels = labels
  }

  /** Returns `undefined` if every pod may use every NodePool. */
  static of(snapshot: ClusterSnapshot): PoolAccessIndex | undefined {
    const { access } = snapshot
    return access === undefined || access.size === 0
      ? undefined
      : new PoolAccessIndex(access, namespaceLabels(snapshot))
  }

  /** The names of the NodePools with restricted access. */
  get restricted(): ReadonlySet<string> {
    return new Set(this.#access.keys())
  }

  /** Returns the names of the restricted NodePools that the pod may use, separated by commas. */
  usableBy(pod: Pod): string {
    const scheduler = pod.spec.schedulerName ?? ''
    let byNamespace = this.#known.get(scheduler)
    if (byNamespace === undefined) {
      byNamespace = new Map()
      this.#known.set(scheduler, byNamespace)
    }
    const namespace = podNamespace(pod)
    let usable = byNamespace.get(namespace)
    if (usable === undefined) {
      usable = [...this.#access]
        .filter(([, access]) => accessRefusal(access, pod, this.#namespaceLabels) === undefined)
        .map(([name]) => name)
        .sort()
        .join()
      byNamespace.set(namespace, usable)
    }
    return usable
  }
}
