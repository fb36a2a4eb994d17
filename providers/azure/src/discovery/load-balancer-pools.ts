import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { NetworkApi } from '../api/azure-api.ts'

const KEPT_FOR: Milliseconds = 2 * 3_600_000
/** The load balancers of AKS. */
const BALANCERS: ReadonlySet<string> = new Set(['kubernetes', 'kubernetes-internal'])
/** IPv6 pools, which Kerf ignores. */
const LEFT_OUT: ReadonlySet<string> = new Set(['aksoutboundbackendpool-ipv6', 'kubernetes-ipv6'])

/** Finds the backend pools of the cluster's load balancers that nodes join (`providers/azure/docs/spec/azure.md#create-a-vm`). */
export class LoadBalancerPools {
  readonly #network: Pick<NetworkApi, 'loadBalancers'>
  readonly #clock: Clock
  #answers: ReadCache<readonly string[]>

  constructor(network: Pick<NetworkApi, 'loadBalancers'>, clock: Clock) {
    this.#network = network
    this.#clock = clock
    this.#answers = new ReadCache(clock, { ttl: KEPT_FOR })
  }

  /** Returns the IDs of the backend pools. */
  read(signal: AbortSignal): Promise<readonly string[]> {
    return this.#answers.read('pools', (inner) => this.#read(inner), signal)
  }

  /** Clears the cache after a backend pool was deleted. */
  forget(): void {
    this.#answers = new ReadCache(this.#clock, { ttl: KEPT_FOR })
  }

  async #read(signal: AbortSignal): Promise<readonly string[]> {
    const balancers = await this.#network.loadBalancers(signal)
    return balancers
      .filter(({ name = '' }) => BALANCERS.has(name.toLowerCase()))
      .flatMap(({ properties }) => properties?.backendAddressPools ?? [])
      .filter(({ name = '', properties }) => {
        // Backend pools that consist of IP addresses accept no network interfaces.
        const addresses = properties?.loadBalancerBackendAddresses ?? []
        const isOfAddresses = addresses.some((each) => (each.properties?.ipAddress ?? '') !== '')
        return !LEFT_OUT.has(name.toLowerCase()) && !isOfAddresses
      })
      .flatMap(({ id }) => id ?? [])
  }
}
