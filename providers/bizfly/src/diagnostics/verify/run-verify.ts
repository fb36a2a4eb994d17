import { InvariantError } from '@kerf/apis'
import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { resultsText } from '@kerf/provider-kit/terminal'
import { type Clock, type KubeClient, parseSettings, textOfThrown } from '@kerf/runtime'
import type { BizflyApi } from '../../api/bizfly-api.ts'
import { type BizflySettings, bizflySettings } from '../../bizfly-settings.ts'
import { WorkerImages } from '../../images/worker-images.ts'
import { FlavorList } from '../../instance-types/flavor-list.ts'
import { verifyAccount } from './verify-account.ts'

export interface VerifyOptions {
  readonly output: 'table' | 'json'
}

/** The external dependencies of `kerf bizfly verify`. */
export interface VerifySurroundings {
  readonly clock: Clock
  connect(settings: BizflySettings): { readonly api: BizflyApi }
  /** The client of the cluster. Undefined if the user specifies no cluster and there is no default one. */
  readonly client: KubeClient | undefined
  readonly signal: AbortSignal
}

const noCluster = { raw: () => Promise.reject(new InvariantError('no cluster was specified')) }

/**
 * Runs `kerf bizfly verify`: checks whether the account and the cluster have everything that Kerf needs. Changes nothing.
 * @returns the exit code: 0 if no check failed, 1 if the first call fails, 3 if another check failed
 * @throws UsageError for missing and invalid settings
 */
export const runVerify = async (
  { output }: VerifyOptions,
  { stdout, env }: Pick<VerbStreams, 'stdout' | 'env'>,
  { clock, client, signal, connect }: VerifySurroundings,
): Promise<0 | 1 | 3> => {
  const { settings } = parseSettings(bizflySettings, env)
  const { api } = ((): { readonly api: BizflyApi } => {
    try {
      return connect(settings)
    } catch (error) {
      throw new UsageError(textOfThrown(error), { cause: error })
    }
  })()
  const { bizflyCloudRegion: region, bkeClusterID: clusterId } = settings
  const findings = await verifyAccount(
    {
      ...{ api, region, clusterId, client, flavors: new FlavorList(api, clock) },
      images: new WorkerImages({ api, clock, client: client ?? noCluster }),
    },
    signal,
  )
  stdout.write(`${resultsText(output, { region, clusterId }, findings)}\n`)
  if (findings[0]?.outcome === 'failed') return 1
  return findings.some(({ outcome }) => outcome === 'failed') ? 3 : 0
}
