import type { Milliseconds } from '@kerf/apis'
import type { Clock, KubeClient } from '@kerf/runtime'

/** How long the version is cached. A control plane may be upgraded while Kerf runs. */
export const VERSION_AGE: Milliseconds = 3_600_000

/** Reads the version of the cluster, for example v1.33.1, at most once an hour. */
export class ClusterVersion {
  readonly #client: KubeClient
  readonly #clock: Clock
  #known: { readonly version: string; readonly until: Milliseconds } | undefined

  constructor({ client, clock }: { readonly client: KubeClient; readonly clock: Clock }) {
    this.#client = client
    this.#clock = clock
  }

  /**
   * Returns the version, or undefined if the server reports none.
   *
   * @throws errors of the API server
   */
  async read(signal: AbortSignal): Promise<string | undefined> {
    const now = this.#clock.monotonic()
    if (this.#known !== undefined && now < this.#known.until) return this.#known.version
    const answer = await this.#client.raw('/version', { signal })
    const version =
      typeof answer === 'object' && answer !== null
        ? (answer as { readonly gitVersion?: unknown }).gitVersion
        : undefined
    if (typeof version !== 'string') return undefined
    this.#known = { version, until: now + VERSION_AGE }
    return version
  }
}
