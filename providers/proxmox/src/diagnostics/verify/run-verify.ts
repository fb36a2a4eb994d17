import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { resultsText } from '@kerf/provider-kit/terminal'
import { type KubeClient, parseSettings, textOfThrown } from '@kerf/runtime'
import type { ProxmoxApi } from '../../api/proxmox-api.ts'
import type { OptionalCapability } from '../../privileges/needed-privileges.ts'
import { type ProxmoxSettings, proxmoxSettings } from '../../settings/proxmox-settings.ts'
import { verifyClusters } from './verify-clusters.ts'

export interface VerifyOptions {
  readonly output: 'table' | 'json'
  readonly without?: readonly OptionalCapability[]
}

/** The external dependencies of `kerf proxmox verify`. */
export interface VerifySurroundings {
  connect(settings: ProxmoxSettings): Promise<ReadonlyMap<string, ProxmoxApi>>
  /** The client of the Kubernetes cluster. Undefined if the user specifies no cluster and there is no default one. */
  readonly client: KubeClient | undefined
  readonly signal: AbortSignal
}

/**
 * Runs `kerf proxmox verify`: checks whether each Proxmox cluster has everything that Kerf needs. Changes nothing.
 * @returns the exit code: 0 if no check failed, otherwise 3
 * @throws UsageError for missing and invalid settings
 */
export const runVerify = async (
  { output, without = [] }: VerifyOptions,
  { stdout, env }: Pick<VerbStreams, 'stdout' | 'env'>,
  { client, signal, connect }: VerifySurroundings,
): Promise<0 | 3> => {
  const { settings } = parseSettings(proxmoxSettings, env)
  const apis = await connect(settings).catch((error: unknown) => {
    throw new UsageError(textOfThrown(error), { cause: error })
  })
  const findings = await verifyClusters({ apis, client, without, firstId: settings.proxmoxVmid }, signal)
  stdout.write(`${resultsText(output, { regions: [...apis.keys()] }, findings)}\n`)
  return findings.some(({ outcome }) => outcome === 'failed') ? 3 : 0
}
