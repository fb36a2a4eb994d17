import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { resultsText } from '@kerf/provider-kit/terminal'
import { type Clock, type KubeClient, parseSettings, textOfThrown } from '@kerf/runtime'
import type { OciApi } from '../../api/oci-api.ts'
import type { PartPrices } from '../../prices/price-list.ts'
import { compartments, typeSettings } from '../../settings/oci-options.ts'
import { type OciSettings, ociSettings } from '../../settings/oci-settings.ts'
import { verifyTenancy } from './verify-tenancy.ts'

export interface VerifyOptions {
  readonly compartmentId?: string
  readonly region?: string
  readonly output: 'table' | 'json'
}

/** The connection to Oracle Cloud, and to its price list. */
export interface VerifyConnection {
  readonly api: OciApi
  readonly region: string
  readonly readPrices: ((signal: AbortSignal) => Promise<PartPrices>) | undefined
}

/** The external dependencies of `kerf oci verify`. */
export interface VerifySurroundings {
  readonly clock: Clock
  connect(settings: OciSettings): Promise<VerifyConnection>
  /** The client of the cluster. Undefined if the user specifies no cluster and there is no default one. */
  readonly client: KubeClient | undefined
  readonly signal: AbortSignal
}

/**
 * Runs `kerf oci verify`: checks whether the tenancy and the cluster have everything that Kerf needs. Changes nothing.
 * @returns the exit code: 0 if no check failed, 1 if Oracle Cloud refuses the first call, 3 if another check failed
 * @throws UsageError for missing and invalid settings
 */
export const runVerify = async (
  options: VerifyOptions,
  { stdout, env }: Pick<VerbStreams, 'stdout' | 'env'>,
  { clock, client, signal, connect }: VerifySurroundings,
): Promise<0 | 1 | 3> => {
  const named = {
    ...(options.compartmentId === undefined ? {} : { CLUSTER_COMPARTMENT_ID: options.compartmentId }),
    ...(options.region === undefined ? {} : { OCI_REGION: options.region }),
  }
  const { settings } = parseSettings(ociSettings, { ...env, ...named })
  const connection = await (async () => {
    try {
      return { ...(await connect(settings)), compartments: compartments(settings) }
    } catch (error) {
      throw new UsageError(textOfThrown(error), { cause: error })
    }
  })()
  const { defaultIpCount } = typeSettings(settings)
  const { tagNamespace } = settings
  const findings = await verifyTenancy({ ...connection, clock, client, tagNamespace, defaultIpCount }, signal)
  stdout.write(`${resultsText(options.output, { region: connection.region }, findings)}\n`)
  if (findings[0]?.outcome === 'failed') return 1
  return findings.some(({ outcome }) => outcome === 'failed') ? 3 : 0
}
