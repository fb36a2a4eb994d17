import {
  karpenterKinds,
  kinds,
  type Namespace,
  type NodePool,
  type NodePoolPolicy,
  type Pod,
  policyKinds,
} from '@kerf/apis'
import { type AccessRefusal, accessRefusal, type PoolAccess } from '@kerf/engine'
import type { Informer } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { type AttachedPolicies, attachPolicies } from './attached-policies.ts'
import { poolAccess } from './pool-access.ts'

/** The NodePoolPolicies of the cluster, and what they mean for decisions (`docs/spec/policies.md#nodepoolpolicy`). */
export class PoolPolicies {
  readonly #policies: Informer<NodePoolPolicy>
  readonly #pools: Informer<NodePool>
  readonly #namespaces: Informer<Namespace>
  /** Undefined after a change that may lead to another result. */
  #attached: AttachedPolicies | undefined
  #access: ReadonlyMap<string, PoolAccess> | undefined

  constructor({ informers }: Pick<Deps, 'informers'>, state: { markUnconsolidated(): void }) {
    this.#policies = informers.optional(policyKinds.NodePoolPolicy)
    this.#pools = informers.of(karpenterKinds.NodePool)
    this.#namespaces = informers.of(kinds.Namespace)
    this.#policies.onChange(({ before, after }) => {
      const isSame = before?.metadata.uid === after?.metadata.uid
      if (isSame && before?.metadata.generation === after?.metadata.generation) return
      this.#forget()
      // A changed policy can make a move possible.
      state.markUnconsolidated()
    })
    this.#pools.onChange(({ before, after }) => {
      if (before?.metadata.labels !== after?.metadata.labels || before === undefined || after === undefined)
        this.#forget()
    })
  }

  #forget(): void {
    this.#attached = undefined
    this.#access = undefined
  }

  /** Whether it is known which policies exist. Until then nothing may be launched. */
  get isKnown(): boolean {
    return this.#policies.hasSynced || this.#policies.isRefused
  }

  /** What the policies apply to. */
  get attached(): AttachedPolicies {
    this.#attached ??= attachPolicies(this.#policies.values(), this.#policies.size === 0 ? [] : this.#pools.values())
    return this.#attached
  }

  /** The NodePools that only some pods may use; undefined if there are none. */
  get access(): ReadonlyMap<string, PoolAccess> | undefined {
    if (this.#policies.size === 0) return undefined
    this.#access ??= poolAccess(this.attached)
    return this.#access.size === 0 ? undefined : this.#access
  }

  /** Returns why the pod may not use the nodes of a NodePool, or undefined if it may. */
  accessRefusal(pod: Pod, pool: string | undefined): AccessRefusal | undefined {
    const access = pool === undefined ? undefined : this.access?.get(pool)
    if (access === undefined) return undefined
    return accessRefusal(access, pod, (name) => {
      const namespace = this.#namespaces.get(name)
      return namespace === undefined ? undefined : { labels: namespace.metadata.labels }
    })
  }
}
