import { formatAddress } from './address.ts'
import { PoolFullError } from './address-errors.ts'
import { type AddressPool, freeAddress, type GuestAddresses, hostIn } from './address-pool.ts'

/**
 * Returns the addresses for a new guest: the lowest free address of each pool.
 *
 * @param used the addresses in use, without prefixes
 * @param reserved the addresses reserved by launches in progress
 * @throws PoolFullError
 */
export const chooseAddresses = (
  pools: readonly AddressPool[],
  used: ReadonlySet<string>,
  reserved: readonly string[],
): GuestAddresses => {
  const chosen = new Map<number, string>()
  for (const pool of pools) {
    const taken = new Set([...reserved, ...chosen.values()].flatMap((each) => hostIn(each) ?? []))
    const address = freeAddress(pool, (each) => used.has(each) || taken.has(each) || pool.gateway === each)
    const { prefix, ...start } = pool.network
    if (address === undefined) throw new PoolFullError(`no address of ${formatAddress(start)}/${prefix} is free`)
    chosen.set(pool.index, `${address}/${prefix}`)
  }
  return chosen
}
