import type { BillingCatalog } from '../../api/billing-catalog.ts'
import { CatalogPrices } from '../../prices/catalog-prices.ts'
import { knownTypes } from '../../tables/known-types.ts'
import { type ProjectFinding, passed, refused, type Subject, skipped, warned } from './finding.ts'

/**
 * Checks whether Kerf can read the current prices (`providers/gcp/docs/spec/gcp.md#prices`). Otherwise Kerf uses its built-in prices, so a
 * failed call is only a warning.
 */
export const pricesFinding = async (
  billing: BillingCatalog,
  { region, isOn }: { readonly region: string; readonly isOn: boolean },
  signal: AbortSignal,
): Promise<ProjectFinding> => {
  const subject: Subject = { check: 'the current prices can be read', object: `region ${region}` }
  if (!isOn) return skipped(subject, 'GCP_CURRENT_PRICES is false')
  try {
    const prices = new CatalogPrices(await billing.rates(region, signal))
    const [onDemand, spot] = (['on-demand', 'spot'] as const).map(
      (capacityType) =>
        [...knownTypes.values()].filter((facts) => prices.price(facts, capacityType) !== undefined).length,
    )
    return onDemand === 0
      ? warned(subject, 'none; Kerf uses those of its table', 'put prices into the file that GCP_PRICE_FILE names')
      : passed(subject, `${onDemand} instance types on demand, ${spot} as spot`)
  } catch (error) {
    signal.throwIfAborted()
    const finding = refused(subject, error, 'put prices into the file that GCP_PRICE_FILE names')
    return { ...finding, outcome: 'warning', seen: `${finding.seen}; Kerf uses the prices of its table` }
  }
}
