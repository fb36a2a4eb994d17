import { GoogleError } from './google-error.ts'
import { REGION } from './names.ts'

/** A part of an instance that is billed, such as CPU or RAM, with its on-demand and spot prices in USD. */
interface FakeComponent {
  readonly words: string
  readonly group: 'CPU' | 'RAM' | 'N1Standard' | 'GPU'
  readonly rates: readonly [onDemand: number, spot: number]
}

const vm = (
  words: string,
  core: readonly [number, number],
  ram: readonly [number, number],
): readonly FakeComponent[] => [
  { words: `${words} Core`, group: words.startsWith('N1') ? 'N1Standard' : 'CPU', rates: core },
  { words: `${words} Ram`, group: words.startsWith('N1') ? 'N1Standard' : 'RAM', rates: ram },
]

/** The catalog's prices for us-central1, with the wording of its descriptions (cloud.google.com/skus). */
const COMPONENTS: readonly FakeComponent[] = [
  ...vm('E2 Instance', [0.02181159, 0.01308695], [0.00292353, 0.00175412]),
  ...vm('N1 Predefined Instance', [0.031611, 0.01115], [0.004237, 0.001494]),
  ...vm('N2 Instance', [0.031611, 0.01499], [0.004237, 0.00201]),
  ...vm('N2D AMD Instance', [0.027502, 0.00796], [0.003686, 0.001067]),
  ...vm('C4 Instance', [0.03465, 0.02079], [0.003938, 0.002363]),
  ...vm('C4A Arm Instance', [0.03086, 0.01334], [0.00351, 0.001517]),
  ...vm('Compute optimized', [0.03398, 0.00803], [0.00455, 0.001076]),
  ...vm('M3 Memory-optimized Instance', [0.0348, 0.02015], [0.0051, 0.002953]),
  ...vm('G2 Instance', [0.024988, 0.014992], [0.002927, 0.001756]),
  { words: 'Nvidia L4 GPU', group: 'GPU', rates: [0.560004, 0.224] },
]

/** SKUs with similar descriptions but other prices. */
const OTHERS: readonly (readonly [description: string, usageType: string, family: string])[] = [
  ['N2 Custom Instance Core running in Americas', 'OnDemand', 'Compute'],
  ['N2 Custom Extended Instance Ram running in Americas', 'OnDemand', 'Compute'],
  ['N2 Sole Tenancy Instance Core running in Americas', 'OnDemand', 'Compute'],
  ['N2 Sole Tenancy Premium for N2 Sole Tenancy Instance Core running in Americas', 'OnDemand', 'Compute'],
  ['Commitment v1: N2 Cpu in Americas for 1 Year', 'Commit1Yr', 'Compute'],
  ['Reserved A2 Instance Core running in Americas', 'OnDemand', 'Compute'],
  ['A3Plus Instance Core running in Americas', 'OnDemand', 'Compute'],
  ['Licensing Fee for Windows Server 2022 Datacenter Edition (CPU cost)', 'OnDemand', 'License'],
  ['Memory Optimized Upgrade Premium for Memory-optimized Instance Core running in Americas', 'OnDemand', 'Compute'],
  ['SSD backed Local Storage', 'OnDemand', 'Storage'],
]

const UNITS = { CPU: 'h', RAM: 'GiBy.h', N1Standard: 'h', GPU: 'h' } as const
const MAXIMUM_PAGE = 5_000
const SERVICE = '6F81-5844-456A'
const PARAMETERS: ReadonlySet<string> = new Set(['currencyCode', 'startTime', 'endTime', 'pageSize', 'pageToken'])

/** Returns a price that is valid from `effectiveTime`. Prices have nine decimal places. */
const pricing = (usageUnit: string, price: number, effectiveTime: string): object => ({
  summary: '',
  effectiveTime,
  currencyConversionRate: 1,
  pricingExpression: {
    usageUnit,
    displayQuantity: 1,
    baseUnit: usageUnit === 'h' ? 's' : 'By.s',
    tieredRates: [
      {
        startUsageAmount: 0,
        unitPrice: {
          currencyCode: 'USD',
          units: `${Math.floor(price)}`,
          nanos: Math.round((price - Math.floor(price)) * 1e9),
        },
      },
    ],
  },
})

/**
 * The list of SKUs of the Cloud Billing Catalog (reference page of `services.skus.list`, and the discovery document `cloudbilling.v1`).
 * Errors have the format of google.aip.dev/193 without `errors[]`.
 */
export class FakeBilling {
  /** Whether the Cloud Billing API is disabled in the project. It is disabled in new projects. */
  isDisabled = false
  /** Multiplies all prices. */
  factor = 1
  /** The maximum page size. */
  pageSize = MAXIMUM_PAGE

  /** Returns true if the path is a list of SKUs. */
  answers(path: string): boolean {
    return /^\/v1\/services\/[^/]+\/skus$/.test(path)
  }

  list(path: string, query: URLSearchParams): object {
    if (this.isDisabled)
      throw new GoogleError(
        403,
        'PERMISSION_DENIED',
        'Cloud Billing API has not been used in project demo before or it is disabled.',
        [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'SERVICE_DISABLED', domain: 'googleapis.com' }],
      )
    if (!path.includes(SERVICE)) throw new GoogleError(404, 'NOT_FOUND', 'Requested entity was not found.')
    const unknown = [...query.keys()].find((key) => !PARAMETERS.has(key))
    if (unknown !== undefined)
      throw new GoogleError(400, 'INVALID_ARGUMENT', `Invalid JSON payload received. Unknown name "${unknown}"`)
    const asked = Number(query.get('pageSize') ?? MAXIMUM_PAGE)
    if (!Number.isInteger(asked) || asked < 0 || asked > MAXIMUM_PAGE)
      throw new GoogleError(400, 'INVALID_ARGUMENT', `The page size ${query.get('pageSize')} is invalid.`)
    const token = query.get('pageToken') ?? 'from-0'
    if (!/^from-\d+$/.test(token)) throw new GoogleError(400, 'INVALID_ARGUMENT', `Invalid page token: ${token}`)
    const start = Number(token.slice('from-'.length))
    const size = Math.min(asked === 0 ? MAXIMUM_PAGE : asked, this.pageSize)
    const all = this.#skus()
    const end = start + size
    return { skus: all.slice(start, end), nextPageToken: end < all.length ? `from-${end}` : '' }
  }

  #skus(): readonly object[] {
    const made: object[] = []
    const add = (
      description: string,
      category: { readonly usageType: string; readonly resourceFamily?: string; readonly resourceGroup?: string },
      prices: readonly object[],
      region = REGION,
    ): void => {
      const skuId = `0000-0000-${(made.length + 1).toString(16).toUpperCase().padStart(4, '0')}`
      made.push({
        ...{ name: `services/${SERVICE}/skus/${skuId}`, skuId, description, serviceRegions: [region] },
        category: {
          ...{ serviceDisplayName: 'Compute Engine', resourceFamily: 'Compute', resourceGroup: 'CPU', ...category },
        },
        pricingInfo: prices,
        serviceProviderName: 'Google',
        geoTaxonomy: { type: 'REGIONAL', regions: [region] },
      })
    }
    const old = (unit: string): object => pricing(unit, 9, '2025-01-01T00:00:00Z')
    for (const { words, group, rates } of COMPONENTS)
      for (const [index, rate] of rates.entries()) {
        const isSpot = index === 1
        const unit = words.endsWith(' Ram') ? 'GiBy.h' : UNITS[group]
        const prefix = isSpot && group !== 'GPU' ? 'Spot Preemptible ' : ''
        const place = isSpot && group === 'GPU' ? 'attached to Spot Preemptible VMs running in' : 'running in'
        const category = { usageType: isSpot ? 'Preemptible' : 'OnDemand', resourceGroup: group }
        const current = pricing(unit, rate * this.factor, '2026-11-01T00:00:00Z')
        add(`${prefix}${words} ${place} Americas`, category, [old(unit), current])
        add(`${prefix}${words} ${place} Belgium`, category, [old(unit)], 'europe-west1')
      }
    for (const [description, usageType, resourceFamily] of OTHERS)
      add(description, { usageType, resourceFamily }, [pricing('h', 99, '2026-11-01T00:00:00Z')])
    return made
  }
}
