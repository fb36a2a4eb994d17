import {
  isEqualJson,
  karpenterKinds,
  kinds,
  type Milliseconds,
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
import { type PoolSleep, type SleepingPools, sleepingPools, sleepTexts } from './pool-sleep.ts'

const NO_SLEEP: SleepingPools = { pools: new Map(), nextChange: Number.POSITIVE_INFINITY }

/** The NodePoolPolicies of the cluster, and their effect on decisions (`docs/spec/policies.md#nodepoolpolicy`). */
export class PoolPolicies {
  readonly #policies: Informer<NodePoolPolicy>
  readonly #pools: Informer<NodePool>
  readonly #namespaces: Informer<Namespace>
  readonly #state: { markUnconsolidated(): void }
  /** Undefined after a change that may affect it. */
  #attached: AttachedPolicies | undefined
  #access: ReadonlyMap<string, PoolAccess> | undefined
  #sleep: (SleepingPools & { readonly since: Milliseconds }) | undefined
  /** The names of the NodePools that were asleep at the latest computation of `sleep`. */
  #asleep = ''

  constructor({ informers }: Pick<Deps, 'informers'>, state: { markUnconsolidated(): void }) {
    this.#state = state
    this.#policies = informers.optional(policyKinds.NodePoolPolicy)
    this.#pools = informers.of(karpenterKinds.NodePool)
    this.#namespaces = informers.of(kinds.Namespace)
    this.#policies.onChange(({ before, after }) => {
      const isSame = before?.metadata.uid === after?.metadata.uid
      if (isSame && before?.metadata.generation === after?.metadata.generation) return
      this.#forget()
      // A changed policy may make a consolidation possible.
      state.markUnconsolidated()
    })
    this.#pools.onChange(({ before, after }) => {
      // A write to a NodePool's status is also a change. It creates a new object with equal labels, so labels are compared by content.
      const attachesSame =
        before !== undefined &&
        after !== undefined &&
        isEqualJson(before.metadata.labels, after.metadata.labels) &&
        before.spec.replicas === after.spec.replicas
      if (!attachesSame) this.#forget()
      this.#sleep = undefined
    })
  }

  #forget(): void {
    this.#attached = undefined
    this.#access = undefined
    this.#sleep = undefined
  }

  /** Whether it is known which policies exist. Until then, Kerf must not launch anything. */
  get isKnown(): boolean {
    return this.#policies.hasSynced || this.#policies.isRefused
  }

  /** The policies that apply to each NodePool. */
  get attached(): AttachedPolicies {
    this.#attached ??= attachPolicies(this.#policies.values(), this.#policies.size === 0 ? [] : this.#pools.values())
    return this.#attached
  }

  /** The NodePools with restricted access. Undefined if there are none. */
  get access(): ReadonlyMap<string, PoolAccess> | undefined {
    if (this.#policies.size === 0) return undefined
    this.#access ??= poolAccess(this.attached)
    return this.#access.size === 0 ? undefined : this.#access
  }

  /**
   * Returns the NodePools with sleep hours, and whether they are asleep. When a NodePool falls asleep or wakes, consolidation searches
   * again.
   */
  sleep(now: Milliseconds): SleepingPools {
    if (this.#policies.size === 0 && this.#asleep === '') return NO_SLEEP
    const known = this.#sleep
    if (known !== undefined && known.since <= now && now < known.nextChange) return known
    const found = sleepingPools(this.attached, (name) => this.#pools.get(name), now)
    this.#sleep = { ...found, since: now }
    const asleep = [...found.pools].flatMap(([name, { state }]) => (state === 'asleep' ? [name] : [])).join()
    if (asleep !== this.#asleep) this.#state.markUnconsolidated()
    this.#asleep = asleep
    return found
  }

  /** Returns the wake-up time of each sleeping NodePool as text. */
  sleepTexts(now: Milliseconds): ReadonlyMap<string, string> {
    return sleepTexts(this.sleep(now), now)
  }

  /** Returns whether the NodePool is asleep. */
  isAsleep(pool: string | undefined, now: Milliseconds): boolean {
    const found: PoolSleep | undefined = pool === undefined ? undefined : this.sleep(now).pools.get(pool)
    return found?.state === 'asleep'
  }

  /** Returns the reason why the pod must not use the nodes of a NodePool, or undefined if it may use them. */
  accessRefusal(pod: Pod, pool: string | undefined): AccessRefusal | undefined {
    const access = pool === undefined ? undefined : this.access?.get(pool)
    if (access === undefined) return undefined
    return accessRefusal(access, pod, (name) => {
      const namespace = this.#namespaces.get(name)
      return namespace === undefined ? undefined : { labels: namespace.metadata.labels }
    })
  }
}
