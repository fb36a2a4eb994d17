import type { Milliseconds } from '@kerf/apis'
import { type Controller, defineMetrics, type Metrics, type Outcome, retryAfter } from '@kerf/runtime'
import type { AwsParts } from '../aws-parts.ts'
import { awsFailureOf } from '../failures/aws-failure.ts'

const EVERY = 12 * 3_600_000

export const priceMetrics = defineMetrics({
  source: {
    name: 'karpenter_aws_price_source',
    type: 'gauge',
    help: 'Instance types whose price of this kind comes from the source (aws, last-seen, file or estimate).',
    labels: ['kind', 'source'],
  },
  age: {
    name: 'karpenter_aws_price_age_seconds',
    type: 'gauge',
    help: 'The age of the prices in use; absent where it is not known.',
    labels: ['kind'],
  },
})

/** Metrics that say where the prices in use come from, and how old they are. */
const reportSources = ({ context: { clock }, prices }: AwsParts, metrics: Metrics): void => {
  const registered = priceMetrics.register(metrics)
  const source = registered.source
  const age = registered.age
  metrics.onScrape(() => {
    source.reset()
    age.reset()
    for (const [kind, standing] of Object.entries(prices.standing)) {
      const name = kind === 'onDemand' ? 'on-demand' : 'spot'
      source.set(standing.types, { kind: name, source: standing.source })
      if (standing.readAt !== undefined) age.set(Math.max(clock.now() - standing.readAt, 0) / 1000, { kind: name })
    }
  })
}

/**
 * Reads the prices, and saves what AWS returned for the next start (`docs/spec/aws.md#prices`). When a read fails, the
 * known prices stay in use.
 */
export class PricingRefresh {
  readonly #parts: AwsParts
  /** Whether the saved prices of an earlier run were read, or there is nowhere to read them from. */
  #isLoaded: boolean

  constructor(parts: AwsParts) {
    this.#parts = parts
    this.#isLoaded = parts.priceMemory === undefined
    reportSources(parts, parts.options.metrics)
  }

  controller(): Controller {
    return {
      name: 'providers.pricing',
      sources: [],
      concurrency: 1,
      singleton: true,
      backoff: { base: 5_000, max: 60_000 },
      reconcile: (_key, signal) => this.#refresh(signal),
    }
  }

  async #refresh(signal: AbortSignal): Promise<Outcome> {
    const { prices, priceMemory, options } = this.#parts
    if (!this.#isLoaded) {
      await this.#attempt('the prices that were last seen', async () => {
        const table = await priceMemory?.load(signal)
        if (table !== undefined) prices.remember(table)
        this.#isLoaded = true
      })
    }
    const canRead = prices.canReadOnDemand(options.settings.isolatedVpc)
    // Prices that the start or the previous attempt has just read are not requested again.
    const isDue = (kind: 'onDemand' | 'spot'): boolean => prices.age(kind) >= EVERY
    const failures = await Promise.all([
      canRead && isDue('onDemand') ? this.#attempt('on-demand prices', () => prices.readOnDemand(signal)) : undefined,
      isDue('spot') ? this.#attempt('spot prices', () => prices.readSpot(signal)) : undefined,
    ])
    signal.throwIfAborted()
    const table = prices.worthKeeping
    const failed = failures.filter((error) => error !== undefined)
    if (table !== undefined && failed.length < failures.length)
      await this.#attempt('what was kept, to keep the prices', async () => priceMemory?.save(table, signal))
    const [first] = failed
    if (first !== undefined) throw first
    const oldest: Milliseconds = Math.max(prices.age('spot'), canRead ? prices.age('onDemand') : 0)
    return retryAfter(Math.max(EVERY - oldest, 0))
  }

  /** Runs `read`. Logs and returns its failure. */
  async #attempt(what: string, read: () => Promise<void>): Promise<unknown> {
    const { context, prices } = this.#parts
    try {
      await read()
      return undefined
    } catch (error) {
      const { code, message } = awsFailureOf(error)
      context.log.warn(`cannot read ${what}; those that are known stay in use`, {
        code,
        error: message,
        standing: prices.standing,
      })
      return error
    }
  }
}
