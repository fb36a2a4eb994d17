import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { resultsText } from '@kerf/provider-kit/terminal'
import { type Clock, type KubeClient, parseSettings, textOfThrown } from '@kerf/runtime'
import type { AlibabaApi } from '../../api/actions.ts'
import { type AlibabaSettings, alibabaSettings } from '../../settings/alibaba-settings.ts'
import { verifyAccount } from './verify-account.ts'

export interface VerifyOptions {
  readonly clusterId?: string
  readonly region?: string
  readonly output: 'table' | 'json'
}

/** The external dependencies of `kerf alibaba verify`. */
export interface VerifySurroundings {
  readonly clock: Clock
  connect(settings: AlibabaSettings): Promise<{ readonly api: AlibabaApi; readonly region: string }>
  /** The client of the cluster. Undefined if the user specifies no cluster and there is no default one. */
  readonly client: KubeClient | undefined
  readonly signal: AbortSignal
}

/**
 * Runs `kerf alibaba verify`: checks whether the account and the cluster have everything that Kerf needs. Changes nothing.
 * @returns the exit code: 0 if no check failed, 1 if the API refuses the credentials, 3 if another check failed
 * @throws UsageError for missing and invalid settings
 */
export const runVerify = async (
  options: VerifyOptions,
  { stdout, env }: Pick<VerbStreams, 'stdout' | 'env'>,
  surroundings: VerifySurroundings,
): Promise<0 | 1 | 3> => {
  const named = {
    ...(options.clusterId === undefined ? {} : { CLUSTER_ID: options.clusterId }),
    ...(options.region === undefined ? {} : { REGION_ID: options.region }),
  }
  const { settings } = parseSettings(alibabaSettings, { ...env, ...named })
  const { api, region } = await surroundings.connect(settings).catch((error: unknown) => {
    throw new UsageError(textOfThrown(error), { cause: error })
  })
  const findings = await verifyAccount(
    {
      ...{ api, region, clock: surroundings.clock, client: surroundings.client },
      ...{ clusterId: settings.clusterID, isManaged: settings.clusterType === 'ACKManaged' },
    },
    surroundings.signal,
  )
  stdout.write(`${resultsText(options.output, { region, clusterId: settings.clusterID }, findings)}\n`)
  // If the API refuses the credentials in the first check, the command skips all other checks. There are then only two findings.
  if (findings[0]?.outcome === 'failed' && findings.length === 2) return 1
  return findings.some(({ outcome }) => outcome === 'failed') ? 3 : 0
}
