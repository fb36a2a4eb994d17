import { providerErrors } from '@kerf/provider-contract'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock, KubeClient } from '@kerf/runtime'

const KEPT_FOR = 15 * 60_000

/** Returns the three numbers in a Kubernetes version. */
const versionNumbers = (version: string): readonly number[] | undefined =>
  /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1, 4).map(Number)

/** Compares two versions for `Array.sort`. Undefined if one of them cannot be parsed. */
export const compareKubernetesVersions = (a: string, b: string): number | undefined => {
  const [own, other] = [versionNumbers(a), versionNumbers(b)]
  if (own === undefined || other === undefined) return undefined
  const first = own.findIndex((number, index) => number !== other[index])
  return first < 0 ? 0 : (own[first] ?? 0) - (other[first] ?? 0)
}

/**
 * The version of the control plane, which Kerf reads every fifteen minutes (`providers/azure/docs/spec/azure.md#nodeclass-controllers`).
 */
export class KubernetesVersion {
  readonly #client: KubeClient
  readonly #answers: ReadCache<string>

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client
    this.#answers = new ReadCache(clock, { ttl: KEPT_FOR })
  }

  /**
   * Returns the version, such as `1.34.2`.
   *
   * @throws the error of the API server; Error for a version that cannot be parsed.
   */
  read(signal: AbortSignal): Promise<string> {
    return this.#answers.read(
      'version',
      async (inner) => {
        const answer = await this.#client.raw('/version', { signal: inner })
        const field: unknown =
          typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'gitVersion') : undefined
        if (typeof field !== 'string' || versionNumbers(field) === undefined)
          throw providerErrors.KubernetesVersionUnknown({
            problem: `the API server did not return the Kubernetes version: ${JSON.stringify(field)}`,
          })
        return field.replace(/^v/, '')
      },
      signal,
    )
  }
}
