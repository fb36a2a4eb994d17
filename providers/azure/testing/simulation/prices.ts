import type { NodeClaim, UsdPerHour } from '@kerf/apis'
import type { FakeAzure } from '@kerf/provider-azure/testing'

interface PricePage {
  readonly Items: readonly { readonly armSkuName: string; readonly skuName: string; readonly retailPrice: UsdPerHour }[]
  readonly NextPageLink: string | null
}

/** Returns the price by size and capacity type, from the public retail price API. */
export const createPriceLookup = ({ offer }: FakeAzure): ((claim: NodeClaim) => UsdPerHour | undefined) => {
  const prices = new Map<string, UsdPerHour>()
  for (let next: string | null = 'https://prices.azure.com/api/retail/prices'; next !== null; ) {
    const page = offer.pricePage(new URL(next)).body as PricePage
    for (const { armSkuName, skuName, retailPrice } of page.Items)
      prices.set(`${armSkuName} ${skuName.endsWith(' Spot') ? 'spot' : 'on-demand'}`, retailPrice)
    next = page.NextPageLink
  }
  return ({ metadata: { labels = {} } }) =>
    prices.get(`${labels['node.kubernetes.io/instance-type']} ${labels['karpenter.sh/capacity-type']}`)
}
