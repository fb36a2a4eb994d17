import { type ClusterPolicy, type ClusterPolicyStatus, formatTime, parseTime } from '@kerf/apis'
import type { DeclaredPrice } from '@kerf/provider-contract'

type StoredBook = NonNullable<ClusterPolicyStatus['priceBook']>

/** Converts the prices to the form of the policy's status. */
export const storedPrices = (prices: readonly DeclaredPrice[]): StoredBook['prices'] =>
  prices.map(({ instanceType, capacityType, zone = '', price, asOf }) => ({
    instanceType,
    capacityType,
    zone,
    usdPerHour: String(price),
    asOf: formatTime(asOf).slice(0, 10),
  }))

/** Returns the prices in the policy's status, which are the prices that Kerf read last. */
export const pricesInStatus = ({ status }: Pick<ClusterPolicy, 'status'>): readonly DeclaredPrice[] =>
  (status?.priceBook?.prices ?? []).flatMap(({ instanceType, capacityType, zone, usdPerHour, asOf }) => {
    const price = Number(usdPerHour)
    if (!Number.isFinite(price) || price <= 0) return []
    return [
      {
        instanceType,
        capacityType,
        ...(zone === '' ? {} : { zone }),
        price,
        asOf: parseTime(asOf) ?? 0,
      },
    ]
  })
