import type { UsdPerHour } from '@kerf/apis'
import type { ResourceSku } from '../../api/compute-shapes.ts'
import { firstPrices } from '../../tables/first-prices.ts'
import { skuSamples } from '../sku-samples.ts'
import { ArmError, type ArmResponse } from './arm-response.ts'

/** The location with three zones in `sku-samples.jsonl`. */
export const LOCATION = 'southcentralus'

/** One size per family, so that an unavailable size does not affect others. */
const USUAL_SIZES: ReadonlySet<string> = new Set(
  ['D2_v5', 'D2as_v6', 'D16plds_v5', 'E4d_v5', 'F16s_v2', 'D128ds_v6'].map((name) => `Standard_${name}`),
)

const page = <T>(items: readonly T[], url: URL, size: number): ArmResponse => {
  const from = Number(url.searchParams.get('page') ?? 0)
  const next = new URL(url)
  next.searchParams.set('page', `${from + size}`)
  return {
    status: 200,
    body: { value: items.slice(from, from + size), ...(from + size < items.length ? { nextLink: next.href } : {}) },
  }
}

/** The AKSUbuntu images. AKS lists one for each kind of VM size. */
const NODE_IMAGES = [
  ...['2204gen2containerd', '2204containerd', '2204gen2arm64containerd'],
  ...['2404gen2containerd', '2404containerd', '2404gen2arm64containerd'],
]

const GALLERY_DAYS = ['2026-01-05', '2025-12-15', '2025-12-01']

/** The sizes, images and prices that Azure offers in a location, and the subscription's restrictions. */
export class FakeOffer {
  skus: readonly ResourceSku[] = skuSamples().filter(
    ({ name = '', locations = [] }) => USUAL_SIZES.has(name) && locations.includes(LOCATION),
  )
  /** The core quota by family, with the names of the usages API. Other families have no limit. */
  readonly quotas = new Map<string, number>()
  /** The image versions of each definition. A test may add a newer one. */
  imageVersions: readonly { readonly name: string; readonly publishedDate: string }[] = GALLERY_DAYS.map((day) => ({
    name: `${day.slice(0, 7).replace('-', '')}.${day.slice(8)}.0`,
    publishedDate: `${day}T00:00:00+00:00`,
  }))
  subnets: ReadonlySet<string> = new Set()
  /** The prefix of each subnet. */
  addressPrefix = '10.224.0.0/16'
  /** The spot price as a fraction of the on-demand price. */
  spotShare = 0.25

  /** Returns the subnet at a path. `configurationsIn` returns the configurations with an address in it. */
  subnet(path: string, configurationsIn: (subnet: string) => readonly string[]): ArmResponse {
    const id = [...this.subnets].find((each) => each.toLowerCase() === path.toLowerCase())
    if (id === undefined) throw new ArmError(404, 'NotFound', `Resource ${path} not found.`)
    return {
      status: 200,
      body: {
        ...{ id, name: id.split('/').at(-1) },
        properties: {
          ...{ provisioningState: 'Succeeded', addressPrefix: this.addressPrefix },
          ipConfigurations: configurationsIn(id).map((each) => ({ id: each })),
        },
      },
    }
  }

  skuPage(url: URL): ArmResponse {
    if (url.searchParams.get('$filter') !== `location eq '${LOCATION}'`)
      throw new ArmError(400, 'InvalidFilter', 'only the location can be filtered by')
    return page(this.skus, url, 5)
  }

  usagePage(url: URL, used: ReadonlyMap<string, number>): ArmResponse {
    const names = new Set([...this.quotas.keys(), ...used.keys()])
    const usages = [...names].map((value) => ({
      unit: 'Count',
      currentValue: used.get(value) ?? 0,
      limit: this.quotas.get(value) ?? 1_000_000,
      name: { value, localizedValue: value },
    }))
    return page(usages, url, 50)
  }

  imagePage(url: URL, gallery: string, definition: string): ArmResponse {
    const versions = this.imageVersions.map(({ name, publishedDate }) => ({
      name,
      location: LOCATION,
      type: 'Microsoft.Compute/Locations/CommunityGalleries/Images/Versions',
      identifier: { uniqueId: `/CommunityGalleries/${gallery}/Images/${definition}/Versions/${name}` },
      properties: { publishedDate, excludeFromLatest: false },
    }))
    return page(versions, url, 2)
  }

  nodeImagePage(url: URL): ArmResponse {
    const versions = NODE_IMAGES.flatMap((sku) =>
      this.imageVersions.map(({ name }) => ({
        ...{ fullName: `AKSUbuntu-${sku}-${name}`, os: 'AKSUbuntu', sku, version: name },
      })),
    )
    return page(versions, url, 3)
  }

  hasImage(version: string): boolean {
    return this.imageVersions.some(({ name }) => name === version)
  }

  /** Returns the answer of prices.azure.com, in the format of the tests of karpenter-provider-azure 352646f. */
  pricePage(url: URL): ArmResponse {
    const items = [...firstPrices(LOCATION).onDemand].flatMap(([armSkuName, price]) => [
      this.#priceItem(armSkuName, armSkuName, price),
      this.#priceItem(armSkuName, `${armSkuName} Spot`, Number((price * this.spotShare).toFixed(6))),
    ])
    const from = Number(url.searchParams.get('$skip') ?? 0)
    const next = new URL(url)
    next.searchParams.set('$skip', `${from + 1000}`)
    return {
      status: 200,
      body: {
        Items: items.slice(from, from + 1000),
        NextPageLink: from + 1000 < items.length ? next.href : null,
        Count: Math.min(1000, items.length - from),
      },
    }
  }

  #priceItem(armSkuName: string, skuName: string, retailPrice: UsdPerHour) {
    return {
      ...{ currencyCode: 'USD', retailPrice, unitPrice: retailPrice, armRegionName: LOCATION, type: 'Consumption' },
      ...{ armSkuName, skuName, meterName: skuName, productName: 'Virtual Machines', serviceFamily: 'Compute' },
    }
  }
}
