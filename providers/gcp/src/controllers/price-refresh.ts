import type { Milliseconds } from '@kerf/apis'
import { type Controller, type Logger, retryAfter, textOfThrown } from '@kerf/runtime'
import { callCause } from '../failures/call-cause.ts'
import type { GcpPrices } from '../prices/gcp-prices.ts'

const HOUR: Milliseconds = 3_600_000
const EVERY: Milliseconds = 12 * HOUR

/** Reads the prices regularly. If a read fails, Kerf keeps using the known prices, and tries again an hour later. */
export const priceRefresh = (prices: Pick<GcpPrices, 'read' | 'sources'>, log: Logger): Controller => ({
  ...{ name: 'providers.pricing', sources: [], concurrency: 1, singleton: true, readsOnly: true },
  reconcile: async (_key, signal) => {
    try {
      await prices.read(signal)
      return retryAfter(EVERY)
    } catch (error) {
      signal.throwIfAborted()
      const message = callCause(error)?.message ?? textOfThrown(error)
      log.warn('cannot read the prices of the Cloud Billing Catalog; continuing with the known ones', {
        error: message,
        sources: prices.sources,
      })
      return retryAfter(HOUR)
    }
  },
})
