import { formatAddress } from './address.ts'
import { PoolFullError } from './address-errors.ts'
import { type AddressPool, freeAddress, type GuestAddresses, hostIn } from './address-pool.ts'

/**
 * Returns the addresses of a new guest: the lowest of each pool that is free.
 *
 * @param used the addresses that somebody has, without prefixes
 * @param reserved the addresses of launches that have begun
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
