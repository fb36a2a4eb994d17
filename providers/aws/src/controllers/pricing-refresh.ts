import { type Controller, retryAfter } from '@kerf/runtime'
import type { AwsParts } from '../aws-parts.ts'
import { awsFailureOf } from '../failures/aws-failure.ts'

const EVERY = 12 * 3_600_000

/**
 * Reads prices, and keeps what AWS said for the next start (`docs/spec/aws.md#prices`). Whatever fails, the prices that
 * are known stay in use; metrics say where they come from and how old they are.
 */
export const pricingRefresh = ({ context, prices, priceMemory, options }: AwsParts): Controller => {
  const { log, clock } = context
  const source = options.metrics.gauge({
    name: 'karpenter_aws_price_source',
    help: 'Instance types whose price of this kind comes from the source (aws, last-seen, file or estimate).',
    labels: ['kind', 'source'],
  })
  const age = options.metrics.gauge({
    name: 'karpenter_aws_price_age_seconds',
    help: 'How long ago AWS gave the prices in use; absent where nobody dates them.',
    labels: ['kind'],
  })
  options.metrics.onScrape(() => {
    source.reset()
    age.reset()
    for (const [kind, standing] of Object.entries(prices.standing)) {
      const name = kind === 'onDemand' ? 'on-demand' : 'spot'
      source.set(standing.types, { kind: name, source: standing.source })
      if (standing.readAt !== undefined) age.set(Math.max(clock.now() - standing.readAt, 0) / 1000, { kind: name })
    }
  })
  let isRemembered = priceMemory === undefined

  const attempt = async (what: string, read: () => Promise<void>): Promise<unknown> => {
    try {
      await read()
      return undefined
    } catch (error) {
      const { code, message } = awsFailureOf(error)
      log.warn(`cannot read ${what}; those that are known stay in use`, {
        code,
        error: message,
        standing: prices.standing,
      })
      return error
    }
  }

  return {
    name: 'providers.pricing',
    sources: [],
    concurrency: 1,
    singleton: true,
    backoff: { base: 5_000, max: 60_000 },
    reconcile: async (_key, signal) => {
      if (!isRemembered) {
        await attempt('the prices that were last seen', async () => {
          const table = await priceMemory?.load(signal)
          if (table !== undefined) prices.remember(table)
          isRemembered = true
        })
      }
      const canRead = prices.canReadOnDemand(options.settings.isolatedVpc)
      // What the start, or the attempt before this one, has just read is not asked for again.
      const isDue = (kind: 'onDemand' | 'spot'): boolean => prices.age(kind) >= EVERY
      const failures = await Promise.all([
        canRead && isDue('onDemand') ? attempt('on-demand prices', () => prices.readOnDemand(signal)) : undefined,
        isDue('spot') ? attempt('spot prices', () => prices.readSpot(signal)) : undefined,
      ])
      signal.throwIfAborted()
      const table = prices.worthKeeping
      const failed = failures.filter((error) => error !== undefined)
      if (table !== undefined && failed.length < failures.length)
        await attempt('what was kept, to keep the prices', async () => priceMemory?.save(table, signal))
      const [first] = failed
      if (first !== undefined) throw first
      const oldest = Math.max(prices.age('spot'), canRead ? prices.age('onDemand') : 0)
      return retryAfter(Math.max(EVERY - oldest, 0))
    },
  }
}
