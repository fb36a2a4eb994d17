import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import type { KubeClient } from '../kube-client/kube-client.ts'
import { TokenBucket } from '../limits/token-bucket.ts'
import { TtlCache } from '../limits/ttl-cache.ts'
import type { Logger } from '../logging/logger.ts'
import type { Refusal } from './refusal.ts'
import { accessReviews, type ReviewedUser, tokenReviews } from './review-kinds.ts'

const MINUTE: Milliseconds = 60_000
/** How long results are cached. The times are those of controller-runtime's filter (`pkg/metrics/filters`). */
const KEPT = { user: MINUTE, allowed: 5 * MINUTE, denied: MINUTE / 2 } as const
const MOST_KEPT = 1_000
const REVIEW_TIMEOUT: Milliseconds = 10_000
/** The rate of reviews for unknown tokens, so that a client that guesses tokens causes little load on the API server. */
const REVIEW_RATE = { qps: 5, burst: 50 }

const UNAUTHORIZED: Refusal = { status: 401, text: 'Unauthorized', headers: { 'www-authenticate': 'Bearer' } }

/** Returns the token of `Authorization: Bearer …`, or `undefined` if the header has another form. */
const bearerOf = (headers: IncomingHttpHeaders): string | undefined =>
  /^bearer +([^\s]+)$/i.exec(headers.authorization?.trim() ?? '')?.[1]

export interface MetricsAuthorizationOptions {
  readonly client: Pick<KubeClient, 'create'>
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Decides whether a scrape is allowed. Like controller-runtime's `WithAuthenticationAndAuthorization`, it asks the API server who the
 * token's user is (TokenReview), and whether that user may `get` the path (SubjectAccessReview). Refusals are 401 for an invalid token, 403
 * for a missing permission, and 500 if the API server is unreachable. It caches results for some time, and stores tokens as hashes.
 */
export class MetricsAuthorization {
  readonly #options: MetricsAuthorizationOptions
  readonly #users: TtlCache<string, ReviewedUser>
  readonly #verdicts: TtlCache<string, boolean>
  readonly #bucket: TokenBucket

  constructor(options: MetricsAuthorizationOptions) {
    const { clock } = options
    this.#options = options
    this.#users = new TtlCache(clock, { ttl: KEPT.user, maxSize: MOST_KEPT })
    this.#verdicts = new TtlCache(clock, { ttl: KEPT.allowed, maxSize: MOST_KEPT })
    this.#bucket = new TokenBucket(clock, REVIEW_RATE)
  }

  /** Returns a refusal, or `undefined` if the request is allowed. Does not throw. */
  async refusal(path: string, method: string, headers: IncomingHttpHeaders): Promise<Refusal | undefined> {
    const token = bearerOf(headers)
    if (token === undefined) return UNAUTHORIZED
    const hash = createHash('sha256').update(token).digest('base64')
    const verb = method.toLowerCase()
    try {
      const user = this.#users.get(hash) ?? (await this.#userOf(token, hash))
      if (user === undefined) return UNAUTHORIZED
      if ('status' in user) return user
      const key = `${hash} ${verb} ${path}`
      const allowed = this.#verdicts.get(key) ?? (await this.#isAllowed(user, verb, path, key))
      if (allowed) return undefined
      return {
        status: 403,
        text: `user ${user.username} may not ${verb} ${path}; grant it by nonResourceURLs of a ClusterRole`,
      }
    } catch (error) {
      this.#options.logger.error('the API server could not authenticate the scraper', { path, error })
      return { status: 500, text: 'the API server could not authorize the request; see the log of the controller' }
    }
  }

  async #userOf(token: string, hash: string): Promise<ReviewedUser | Refusal | undefined> {
    // At this rate the next token is available within a second, which is the smallest value of the Retry-After header.
    if (!this.#bucket.tryTake()) return { status: 429, text: 'too many tokens', headers: { 'retry-after': '1' } }
    const { status } = await this.#options.client.create(
      tokenReviews,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', metadata: {}, spec: { token } },
      { signal: AbortSignal.timeout(REVIEW_TIMEOUT) },
    )
    const user = status?.authenticated === true ? (status.user ?? {}) : undefined
    if (user !== undefined) this.#users.set(hash, user)
    return user
  }

  async #isAllowed(user: ReviewedUser, verb: string, path: string, key: string): Promise<boolean> {
    const { username, uid, groups, extra } = user
    const spec = { user: username, uid, groups, extra, nonResourceAttributes: { path, verb } }
    const { status } = await this.#options.client.create(
      accessReviews,
      { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', metadata: {}, spec },
      { signal: AbortSignal.timeout(REVIEW_TIMEOUT) },
    )
    const allowed = status?.allowed === true
    this.#verdicts.set(key, allowed, allowed ? KEPT.allowed : KEPT.denied)
    return allowed
  }
}
