import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { OciApi } from '../api/oci-api.ts'
import type { OciSubnet } from '../api/oci-shapes.ts'
import type { ResolvedSubnet } from '../node-class/resolved-class.ts'

const MINUTE: Milliseconds = 60_000
const HOUR: Milliseconds = 60 * MINUTE
/** The number of addresses that Oracle Cloud reserves in each subnet. */
const KEPT = 3

const blockSize = (cidr: string): number => 2 ** (32 - Number(cidr.split('/')[1] ?? '32'))

/** Tracks the number of free addresses in the subnets of launches. */
export class SubnetAddresses {
  readonly #api: Pick<OciApi, 'subnet' | 'subnetUtilization'>
  readonly #subnets: ReadCache<OciSubnet>
  readonly #free: ReadCache<number>
  readonly #taken: TtlCache<string, number>
  readonly #full: TtlCache<string, true>

  constructor(api: Pick<OciApi, 'subnet' | 'subnetUtilization'>, clock: Clock) {
    this.#api = api
    this.#subnets = new ReadCache(clock, { ttl: HOUR })
    this.#free = new ReadCache(clock, { ttl: MINUTE })
    this.#taken = new TtlCache(clock, { ttl: MINUTE })
    this.#full = new TtlCache(clock, { ttl: MINUTE })
  }

  /** Returns the subnet with the most free addresses in an availability domain. Makes no API call if the class has only one subnet. */
  async choose(
    subnets: readonly ResolvedSubnet[],
    availabilityDomain: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const open = subnets.filter(({ id }) => !this.#full.has(id))
    if (subnets.length === 1) return open[0]?.id
    let best: { readonly id: string; readonly free: number } | undefined
    for (const { id } of open) {
      const subnet = await this.#subnets.read(id, (inner) => this.#api.subnet(id, inner), signal)
      if ((subnet.availabilityDomain ?? availabilityDomain) !== availabilityDomain) continue
      const free = (await this.#read(subnet, signal)) - (this.#taken.get(id) ?? 0)
      if (free > 0 && free > (best?.free ?? 0)) best = { id, free }
    }
    return best?.id
  }

  /** Subtracts the address of a new instance, because the last read of the subnet does not include it. */
  take(subnetId: string): void {
    this.#taken.set(subnetId, (this.#taken.get(subnetId) ?? 0) + 1)
  }

  /** Marks a subnet without free addresses. */
  markFull(subnetId: string): void {
    this.#full.set(subnetId, true)
  }

  #read({ id, cidrBlocks }: OciSubnet, signal: AbortSignal): Promise<number> {
    const ask = async (inner: AbortSignal): Promise<number> => {
      const used = await this.#api.subnetUtilization(id, inner)
      this.#taken.delete(id)
      return cidrBlocks.reduce((sum, cidr) => {
        const { utilization = 0 } = used.find((each) => each.cidr === cidr) ?? {}
        return sum + Math.floor(blockSize(cidr) * (1 - utilization / 100)) - KEPT
      }, 0)
    }
    return this.#free.read(id, ask, signal)
  }
}
