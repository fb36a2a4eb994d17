import type { Milliseconds } from '@kerf/apis'
import { TokenBucket } from '@kerf/provider-kit/testing'
import type { Clock } from '@kerf/runtime'
import { ArmError } from './arm-response.ts'
import { SUBSCRIPTION } from './names.ts'
import type { Route } from './operations.ts'

/** The limits for each subscription and region (learn.microsoft.com, "Understand how Azure Resource Manager throttles requests"). */
const LIMITS = {
  read: { capacity: 250, refill: 25 },
  write: { capacity: 200, refill: 10 },
  delete: { capacity: 200, refill: 10 },
  /** Resource Graph allows 15 queries in 5 seconds (learn.microsoft.com, "Guidance for throttled requests in Azure Resource Graph"). */
  graph: { capacity: 15, refill: 3 },
} as const
type LimitName = keyof typeof LIMITS

const routeLimit = ({ name, operation: { method } }: Route): LimitName => {
  if (name === 'Resources') return 'graph'
  return method === 'GET' ? 'read' : method === 'DELETE' ? 'delete' : 'write'
}

/** Enforces the limits of Resource Manager, and refuses requests above them. */
export class RequestLimits {
  readonly #buckets: Readonly<Record<LimitName, TokenBucket>>

  constructor(clock: Clock) {
    this.#buckets = {
      read: new TokenBucket(clock, LIMITS.read),
      write: new TokenBucket(clock, LIMITS.write),
      delete: new TokenBucket(clock, LIMITS.delete),
      graph: new TokenBucket(clock, LIMITS.graph),
    }
  }

  /** Counts a request. @throws ArmError for a request above its limit. */
  admit(route: Route): void {
    const limit = routeLimit(route)
    if (this.#buckets[limit].take(1)) return
    throw new ArmError(
      429,
      limit === 'graph' ? 'RateLimiting' : 'SubscriptionRequestsThrottled',
      `Number of requests for subscription '${SUBSCRIPTION}' exceeded the limit; please try again after '5' seconds.`,
      { 'retry-after': '5' },
    )
  }

  /** Refuses requests of this kind for this many milliseconds. */
  drain(limit: LimitName, span: Milliseconds): void {
    this.#buckets[limit].drain(span)
  }
}
