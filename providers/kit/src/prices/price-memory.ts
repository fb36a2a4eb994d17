import { kinds, ownValue } from '@kerf/apis'
import { isAlreadyExists, isNotFound, type KubeClient } from '@kerf/runtime'
import { formatPriceTable, type PriceTable, parsePriceTable } from './price-table.ts'

/**
 * Stores prices in one key of a ConfigMap, so that they survive restarts. Other keys contain other prices, for example those of another
 * region.
 */
export class PriceMemory {
  readonly #client: KubeClient
  readonly #ref: { readonly namespace: string; readonly name: string }
  readonly #key: string

  constructor(client: KubeClient, of: { readonly namespace: string; readonly name: string; readonly key: string }) {
    this.#client = client
    this.#ref = { namespace: of.namespace, name: of.name }
    this.#key = of.key
  }

  /**
   * Returns the saved prices, or undefined if there are none.
   *
   * @throws Error if the saved prices cannot be read.
   */
  async load(signal: AbortSignal): Promise<PriceTable | undefined> {
    try {
      const map = await this.#client.get(kinds.ConfigMap, this.#ref, { signal })
      const text = ownValue(map.data, this.#key)
      return text === undefined ? undefined : parsePriceTable(text)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  /** Saves the prices. Does not change other keys of the ConfigMap. */
  async save(table: PriceTable, signal: AbortSignal): Promise<void> {
    const data = { [this.#key]: formatPriceTable(table) }
    try {
      await this.#client.patch(kinds.ConfigMap, this.#ref, { type: 'merge', body: { data } }, { signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
      try {
        const metadata = this.#ref
        await this.#client.create(kinds.ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, { signal })
      } catch (second) {
        // Another replica has just created the ConfigMap, and its prices are equally current.
        if (!isAlreadyExists(second)) throw second
      }
    }
  }
}
