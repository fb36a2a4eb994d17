import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { NetworkApi } from '../api/azure-api.ts'

const KEPT_FOR: Milliseconds = 2 * 3_600_000
/** Those of AKS. */
const BALANCERS: ReadonlySet<string> = new Set(['kubernetes', 'kubernetes-internal'])
/** Of IPv6. */
const LEFT_OUT: ReadonlySet<string> = new Set(['aksoutboundbackendpool-ipv6', 'kubernetes-ipv6'])

/** The pools of the cluster's load balancers that nodes are in (`docs/spec/azure.md#create-a-vm`). */
export class LoadBalancerPools {
  readonly #network: Pick<NetworkApi, 'loadBalancers'>
  readonly #clock: Clock
  #answers: ReadCache<readonly string[]>

  constructor(network: Pick<NetworkApi, 'loadBalancers'>, clock: Clock) {
    this.#network = network
    this.#clock = clock
    this.#answers = new ReadCache(clock, { ttl: KEPT_FOR })
  }

  /** Their IDs. */
  read(signal: AbortSignal): Promise<readonly string[]> {
    return this.#answers.read('pools', (inner) => this.#read(inner), signal)
  }

  /** One of them is gone: the next who asks is told anew. */
  forget(): void {
    this.#answers = new ReadCache(this.#clock, { ttl: KEPT_FOR })
  }

  async #read(signal: AbortSignal): Promise<readonly string[]> {
    const balancers = await this.#network.loadBalancers(signal)
    return balancers
      .filter(({ name = '' }) => BALANCERS.has(name.toLowerCase()))
      .flatMap(({ properties }) => properties?.backendAddressPools ?? [])
      .filter(({ name = '', properties }) => {
        // Pools of addresses take no interfaces.
        const addresses = properties?.loadBalancerBackendAddresses ?? []
        const isOfAddresses = addresses.some((each) => (each.properties?.ipAddress ?? '') !== '')
        return !LEFT_OUT.has(name.toLowerCase()) && !isOfAddresses
      })
      .flatMap(({ id }) => id ?? [])
  }
}
