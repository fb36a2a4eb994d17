import {
  CLUSTER_POLICY,
  type ClusterPolicy,
  type ClusterPolicyStatus,
  formatTime,
  isEqualJson,
  karpenterKinds,
  type Milliseconds,
  ProblemError,
  policyKinds,
} from '@kerf/apis'
import type { Offering } from '@kerf/engine'
import {
  type CloudProvider,
  type DeclaredPrice,
  type DeclaredPrices,
  declaredPrices,
  NotKnownYetError,
  type PriceDiscount,
  pricedProvider,
} from '@kerf/provider-contract'
import { type Controller, done, type Informer, type Outcome, retryAfter } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { isManagedPool } from '../../nodeclaim/ownership.ts'
import { readOnlySource } from '../../read-only-source.ts'
import { readDiscounts } from '../../state/commitments/discounts.ts'
import { commitmentSpecs } from '../../state/commitments/prepaid-terms.ts'
import { ifReadable } from '../../state/isolation/if-readable.ts'
import { readTextSource, type TextSourceDeps } from '../read-text-source.ts'
import { type PriceBookSpec, parsePriceDocument, priceBookOrigin, priceBookSource } from './price-document.ts'
import { PriceBookGauges } from './price-metrics.ts'
import { pricesInStatus, storedPrices } from './stored-prices.ts'

const EVERY: Milliseconds = 60_000
/** The maximum number of instance types in a message. */
const SHOWN = 5

type StoredBook = NonNullable<ClusterPolicyStatus['priceBook']>

/** Returns whether prices were read from the source that the policy names, at any exchange rate. */
const isOfSource = ({ source }: StoredBook, spec: PriceBookSpec): boolean =>
  source === priceBookOrigin(spec) || source.startsWith(`${priceBookOrigin(spec)}, `)

type PriceBookDeps = Pick<Deps, 'informers' | 'provider' | 'clock' | 'metrics'> & TextSourceDeps

/**
 * The price book of the ClusterPolicy (`docs/spec/policies.md#price-book`). Reads the declared prices from their source every minute. If
 * the source cannot be read, the prices of the last successful read remain in effect, unless the policy names another source. The policy's
 * status keeps them across restarts.
 */
export class PriceBook {
  readonly #deps: PriceBookDeps
  readonly #policies: Informer<ClusterPolicy>
  readonly #prices: DeclaredPrices
  readonly #gauges: PriceBookGauges
  #changed: () => void = () => {}
  #discounts: readonly PriceDiscount[] = []
  /** The prices in effect, in the form of the status. Undefined if no prices are in effect. */
  #book: StoredBook | undefined
  /** Why the last read failed. */
  #problem: string | undefined
  /** Whether it is known which declared prices are in effect, if any. Until then, Kerf does not plan. */
  #isDecided = false
  #unknownTypes: readonly string[] = []

  constructor(deps: PriceBookDeps) {
    this.#deps = deps
    this.#policies = deps.informers.optional(policyKinds.ClusterPolicy)
    this.#prices = declaredPrices(deps.informers)
    this.#gauges = new PriceBookGauges(deps.metrics)
    this.#policies.onChange(() => this.#follow())
  }

  get #spec(): PriceBookSpec | undefined {
    const policy = this.#policies.get(CLUSTER_POLICY)
    return policy?.metadata.deletionTimestamp === undefined ? policy?.spec.priceBook : undefined
  }

  /** The prices in effect, for the status of the policy. Undefined if there are none. */
  get status(): StoredBook | undefined {
    return this.#book
  }

  /** A sentence that describes why the source could not be read and what to do. Undefined if it was read. */
  get problem(): string | undefined {
    if (this.#problem === undefined) return undefined
    const count = this.#book?.prices.length ?? 0
    const inForce =
      count === 0
        ? 'No declared price is in force.'
        : `The ${count} prices read at ${this.#book?.readAt ?? ''} stay in force.`
    return `spec.priceBook: ${this.#problem} ${inForce}`
  }

  /** A sentence about declared prices that have no effect. Undefined if there are none. */
  get remark(): string | undefined {
    const names = this.#unknownTypes
    if (names.length === 0) return undefined
    const rest = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
    return `spec.priceBook: no NodePool offers the instance types ${names.slice(0, SHOWN).join(', ')}${rest}. Correct their names, or remove their prices.`
  }

  /**
   * Returns the provider with the declared prices applied. Its calls throw NotKnownYetError until it is known which prices are in effect.
   */
  within(provider: CloudProvider): CloudProvider {
    return pricedProvider(provider, (types) => {
      if (!this.#isDecided && this.#spec !== undefined)
        throw new NotKnownYetError('the price book of the ClusterPolicy is not read yet')
      return this.#prices.apply(types)
    })
  }

  /** Returns the offering with its declared price, if it has one. */
  priced(instanceType: string, offering: Offering): Offering {
    return this.#prices.offering(instanceType, offering)
  }

  /** Calls the listener after each change of a price. */
  onChange(listener: () => void): void {
    this.#changed = listener
  }

  /** Returns the controller `policy.prices`. */
  controller(): Controller {
    return {
      name: 'policy.prices',
      // The CRD of policies may be missing, so the controller must not wait for it.
      sources: [readOnlySource(this.#deps.informers, karpenterKinds.NodePool)],
      subscribe: (enqueue) =>
        this.#policies.onChange(({ before, after }) => {
          const isStatus = before?.metadata.uid === after?.metadata.uid && isEqualJson(before?.spec, after?.spec)
          if (!isStatus) enqueue((after ?? before)?.metadata.name ?? '')
        }),
      concurrency: 1,
      reconcile: (name, signal) => this.#reconcile(name, signal),
    }
  }

  /**
   * Until the first read, the prices in the policy's status are in effect. If the policy has no price book, no declared prices are in
   * effect. Discounts apply at once.
   */
  #follow(): void {
    const policy = this.#policies.get(CLUSTER_POLICY)
    const discounts = readDiscounts(commitmentSpecs(policy))
    if (!isEqualJson(discounts, this.#discounts)) {
      this.#discounts = discounts
      this.#prices.replaceDiscounts(discounts)
      this.#changed()
    }
    if (this.#spec === undefined) this.#clear()
    else if (!this.#isDecided && policy?.status?.priceBook !== undefined) {
      this.#isDecided = true
      this.#book = policy.status.priceBook
      this.#use(pricesInStatus(policy), this.#book.source)
    }
  }

  #clear(): void {
    this.#isDecided = false
    this.#problem = undefined
    this.#unknownTypes = []
    this.#gauges.failing(undefined)
    if (this.#book === undefined) return
    this.#book = undefined
    this.#use([], '')
  }

  #use(prices: readonly DeclaredPrice[], source: string): void {
    this.#prices.replace(prices)
    this.#gauges.show(prices, source)
    this.#changed()
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    const spec = this.#spec
    if (name !== CLUSTER_POLICY || spec === undefined) return done()
    const { clock } = this.#deps
    try {
      const prices = this.#parse(await readTextSource(this.#deps, { section: 'spec.priceBook', ...spec }, signal), spec)
      this.#problem = undefined
      const next = { source: priceBookSource(spec), readAt: formatTime(clock.now()), prices: storedPrices(prices) }
      const before = this.#book
      if (before?.source !== next.source || !isEqualJson(before.prices, next.prices)) {
        this.#book = next
        this.#use(prices, next.source)
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ProblemError)) throw error
      this.#problem = error.message
      if (this.#book !== undefined && !isOfSource(this.#book, spec)) {
        this.#book = undefined
        this.#use([], '')
      }
    }
    this.#isDecided = true
    this.#gauges.failing(this.#problem !== undefined)
    await this.#findUnknownTypes(signal)
    return retryAfter(EVERY)
  }

  #parse(text: string, spec: PriceBookSpec): readonly DeclaredPrice[] {
    try {
      return parsePriceDocument(text, spec, this.#deps.clock.now())
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      throw new ProblemError(`${priceBookOrigin(spec)}: ${error.message}.`, { cause: error })
    }
  }

  /** Finds declared instance types that no NodePool offers. Finds none if the instance types of any NodePool cannot be read. */
  async #findUnknownTypes(signal: AbortSignal): Promise<void> {
    const { informers, provider } = this.#deps
    const declared = new Set(this.#book?.prices.map(({ instanceType }) => instanceType))
    const pools = [...informers.of(karpenterKinds.NodePool).values()].filter(
      (pool) => ifReadable(() => isManagedPool(provider, pool)) === true,
    )
    for (const pool of pools) {
      try {
        for (const { name } of await provider.instanceTypes(pool, signal)) declared.delete(name)
      } catch {
        signal.throwIfAborted()
        declared.clear()
      }
    }
    this.#unknownTypes = pools.length === 0 ? [] : [...declared].sort()
  }
}
