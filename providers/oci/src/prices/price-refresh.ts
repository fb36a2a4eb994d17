import type { Milliseconds } from '@kerf/apis'
import { type Controller, type Logger, retryAfter, textOfThrown } from '@kerf/runtime'
import type { ShapePrices } from './shape-prices.ts'

const HOUR: Milliseconds = 3_600_000

/** Reads the prices regularly. If a read fails, Kerf keeps using the known prices, and tries again an hour later. */
export const priceRefresh = (
  prices: Pick<ShapePrices, 'read' | 'sources'>,
  log: Logger,
  every: Milliseconds,
): Controller => ({
  ...{ name: 'providers.pricing', sources: [], concurrency: 1, singleton: true, readsOnly: true },
  reconcile: async (_key, signal) => {
    try {
      await prices.read(signal)
      return retryAfter(every)
    } catch (error) {
      signal.throwIfAborted()
      const { sources } = prices
      log.warn('cannot read the prices of Oracle; continuing with the known ones', {
        error: textOfThrown(error),
        sources,
      })
      return retryAfter(HOUR)
    }
  },
})
