import type { Metrics } from './metrics.ts'

const nothing = (): void => {}
const family = { inc: nothing, set: nothing, remove: nothing, reset: nothing, observe: nothing }

/** Discards all values. Simulations use it, because metrics would take a tenth of their time. */
export const silentMetrics: Metrics = {
  counter: () => family,
  gauge: () => family,
  histogram: () => family,
  summary: () => family,
  onScrape: () => nothing,
  showAges: nothing,
  chunks: async function* () {},
  text: async () => '',
  series: async () => [],
}
