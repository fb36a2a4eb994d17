import type { RegionOffer } from '@kerf/provider-contract'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { isAccountFile, readAccountFile } from './account-file.ts'
import { offlineClassTypes } from './offline-class-types.ts'
import { offlineInstanceTypes } from './offline-instance-types.ts'
import { accountMarket, type OfflineMarket, offlineMarket } from './offline-market.ts'

const marketOffer = (market: OfflineMarket): RegionOffer => ({
  region: market.region,
  pricesOf: market.pricesOf,
  priceNote: market.priceNote,
  types: () => offlineInstanceTypes(undefined, market),
  // The caller passes only EC2NodeClasses.
  forNodeClass: (nodeClass) => offlineClassTypes(nodeClass as EC2NodeClass, market),
})

/**
 * Returns the instance types and prices of a region, from the tables that come with Kerf.
 *
 * @throws Error for a region that does not come with Kerf
 */
export const regionOffer = (region: string): RegionOffer => marketOffer(offlineMarket(region))

/**
 * Returns the instance types and prices from a file of `kerf aws instance-types`. Returns undefined for any other document.
 *
 * @throws Error that describes what is wrong with the document
 */
export const accountOffer = (document: unknown): RegionOffer | undefined =>
  isAccountFile(document) ? marketOffer(accountMarket(readAccountFile(document))) : undefined
