import { kinds, type Lease, type Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'
import { ApiError } from '../kube-client/api-error.ts'
import type { KubeClient } from '../kube-client/kube-client.ts'
import type { Logger } from '../logging/logger.ts'
import { defineMetrics } from '../metrics/metric-table.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { CONTROLLER_LEASES, isControllerLease, servesTogether } from './controller-lease.ts'
import { leaseHolder, sameRecord } from './lease-record.ts'

export const otherLeaseMetrics = defineMetrics({
  others: {
    name: 'kerf_other_controller_leases',
    type: 'gauge',
    help: 'Leases of other active Karpenter controllers: each launches nodes for the same pods. NaN while Leases cannot be listed.',
  },
})

export interface OtherLeasesOptions {
  readonly client: Pick<KubeClient, 'list'>
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** The Lease of this process; absent without leader election. */
  readonly own?: { readonly namespace: string; readonly name: string }
  /** The provider that this process works with. */
  readonly provider: string
}

/** The time between the two checks of a new Lease. Holders renew every two seconds, so every live holder renews within this time. */
const SECOND_LOOK: Milliseconds = 5_000
const EVERY: Milliseconds = 60_000
const AGAIN_AFTER: Milliseconds = 600_000

const leaseKey = ({ metadata }: Lease): string => `${metadata.namespace}/${metadata.name}`

/**
 * Warns if other controllers manage the same NodePools (`docs/spec/process.md#other-controllers`). It looks in all namespaces for Leases of
 * Karpenter or Kerf that are being renewed. It does not compare clocks. A Lease is live if it changes between two checks.
 */
export class OtherLeases {
  readonly #options: OtherLeasesOptions
  readonly #gauge
  #before: ReadonlyMap<string, Lease> = new Map()
  /** The time at which this process last warned about each Lease. */
  readonly #said = new Map<string, Milliseconds>()
  #isBlind = false
  #isFirst = true

  constructor(options: OtherLeasesOptions) {
    this.#options = options
    this.#gauge = otherLeaseMetrics.register(options.metrics).others
  }

  /** Looks for other Leases until `stop` is aborted. Does not throw, because it only warns. */
  async run(stop: AbortSignal): Promise<void> {
    const { clock } = this.#options
    while (!stop.aborted) {
      const isNew = await this.#look(stop)
      await sleep(clock, isNew ? SECOND_LOOK : EVERY, stop).catch(() => {})
    }
  }

  /**
   * Checks once for other Leases. Returns whether to check again soon. This is the case after the first check, and after a new Lease has
   * appeared.
   */
  async #look(signal: AbortSignal): Promise<boolean> {
    const { client, logger } = this.#options
    let leases: readonly Lease[]
    try {
      leases = (await client.list(kinds.Lease, { fieldSelector: CONTROLLER_LEASES, signal })).items
    } catch (error) {
      if (signal.aborted) return false
      this.#gauge.set(Number.NaN)
      if (this.#isBlind) return false
      this.#isBlind = true
      const remedy =
        error instanceof ApiError && error.code === 403
          ? ': grant the verb list on leases.coordination.k8s.io in all namespaces'
          : ''
      logger.info(
        `cannot tell whether another controller serves these NodePools, because Leases cannot be listed${remedy}`,
        {
          error,
        },
      )
      return false
    }
    this.#isBlind = false
    const isFirst = this.#isFirst
    this.#isFirst = false
    const others = leases.filter((lease) => this.#isOther(lease))
    const alive = others.filter((lease) => {
      const before = this.#before.get(leaseKey(lease))
      return before !== undefined && !sameRecord(before, lease)
    })
    const isNew = others.some((lease) => !this.#before.has(leaseKey(lease)))
    this.#before = new Map(others.map((lease) => [leaseKey(lease), lease]))
    this.#report(alive)
    return isFirst || isNew
  }

  #isOther(lease: Lease): boolean {
    const { own, provider } = this.#options
    if (lease.metadata.namespace === own?.namespace && lease.metadata.name === own?.name) return false
    return isControllerLease(lease) && servesTogether(lease, provider)
  }

  #report(alive: readonly Lease[]): void {
    const { clock, logger } = this.#options
    this.#gauge.set(alive.length)
    const now = clock.monotonic()
    const names = new Set(alive.map(leaseKey))
    for (const name of [...this.#said.keys()]) {
      if (names.has(name)) continue
      this.#said.delete(name)
      logger.info(`the Lease ${name} of another controller is no longer renewed`, { lease: name })
    }
    for (const lease of alive) {
      const name = leaseKey(lease)
      const saidAt = this.#said.get(name)
      if (saidAt !== undefined && now - saidAt < AGAIN_AFTER) continue
      this.#said.set(name, now)
      logger.warn(
        `another controller is active in this cluster: ${leaseHolder(lease)} holds the Lease ${name}. Unless it serves node classes of another cloud, each of the two launches nodes for the same pods. Stop one of them, or give both the same Lease (--leader-election-namespace, --leader-election-name)`,
        { lease: name, holder: leaseHolder(lease) },
      )
    }
  }
}
