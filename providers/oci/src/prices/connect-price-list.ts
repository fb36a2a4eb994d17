import { Connections, HttpClient, networkFrom, sendOver } from '@kerf/provider-kit'
import type { Clock, Random } from '@kerf/runtime'
import type { OciSettings } from '../settings/oci-settings.ts'
import { type PartPrices, readPriceList } from './price-list.ts'

const LIMITS = { requestTimeout: 60_000, connectionTimeout: 10_000, maxSockets: 2 }

/** The external dependencies of the price list. */
export interface PriceListDeps {
  readonly clock: Clock
  readonly random: Random
  readonly env: Readonly<Record<string, string | undefined>>
  /** Kerf's version. */
  readonly version: string
}

/** Returns a function that reads Oracle's price list, or undefined if the settings select Kerf's built-in prices. */
export const connectPriceList = (
  { useLocalPriceList, priceEndpoint }: Pick<OciSettings, 'useLocalPriceList' | 'priceEndpoint'>,
  { clock, random, env, version }: PriceListDeps,
): ((signal: AbortSignal) => Promise<PartPrices>) | undefined => {
  if (useLocalPriceList) return undefined
  const send = sendOver(new Connections(networkFrom(env, ''), LIMITS), { userAgent: `kerf/${version}` })
  const http = new HttpClient({ send, clock, random })
  return (signal) => readPriceList(http, priceEndpoint, signal)
}
