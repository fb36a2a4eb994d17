import { kinds } from '@kerf/apis'
import { isConflict, isNotFound, type KubeClient } from '@kerf/runtime'
import { formatPriceTable, type PriceTable, parsePriceTable } from './price-table.ts'

/** The ConfigMap that keeps the prices AWS last gave, for the next start. */
export const PRICE_CONFIG_MAP = 'karpenter-aws-prices'

const keyOf = (region: string): string => `${region}.json`

/** Prices over restarts: a ConfigMap in the namespace of the controller. */
export class PriceMemory {
  readonly #client: KubeClient
  readonly #namespace: string
  readonly #region: string

  constructor(client: KubeClient, of: { readonly namespace: string; readonly region: string }) {
    this.#client = client
    this.#namespace = of.namespace
    this.#region = of.region
  }

  /** The prices of the region that were kept; nothing for none or unreadable ones. */
  async load(signal: AbortSignal): Promise<PriceTable | undefined> {
    try {
      const map = await this.#client.get(kinds.ConfigMap, this.#ref, { signal })
      const text = map.data?.[keyOf(this.#region)]
      return text === undefined ? undefined : parsePriceTable(text)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  /** Saves the prices. Those of other regions are kept. */
  async save(table: PriceTable, signal: AbortSignal): Promise<void> {
    const data = { [keyOf(this.#region)]: formatPriceTable(table) }
    try {
      await this.#client.patch(kinds.ConfigMap, this.#ref, { type: 'merge', body: { data } }, { signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
      try {
        const metadata = { name: PRICE_CONFIG_MAP, namespace: this.#namespace }
        await this.#client.create(kinds.ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, { signal })
      } catch (second) {
        // Another replica made it meanwhile: its prices are as good.
        if (!isConflict(second)) throw second
      }
    }
  }

  get #ref() {
    return { name: PRICE_CONFIG_MAP, namespace: this.#namespace }
  }
}
