import type { VerbStreams } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { resultsText } from '@kerf/provider-kit/terminal'
import { type Clock, type KubeClient, parseSettings } from '@kerf/runtime'
import type { GcpConnection } from '../../api/connect-gcp.ts'
import { type GcpSettings, gcpSettings, settingProblems } from '../../settings/gcp-settings.ts'
import { verifyProject } from './verify-project.ts'

export interface VerifyOptions {
  readonly project?: string
  readonly clusterName?: string
  readonly location?: string
  readonly output: 'table' | 'json'
}

/** The external dependencies of `kerf gcp verify`. */
export interface VerifyDeps {
  readonly clock: Clock
  connect(settings: GcpSettings): Pick<GcpConnection, 'api' | 'iam' | 'billing'>
  /** The client of the cluster. Undefined if the user specifies no cluster and there is no default one. */
  readonly client: KubeClient | undefined
  readonly signal: AbortSignal
}

const given = (variable: string, value: string | undefined): Readonly<Record<string, string>> =>
  value === undefined ? {} : { [variable]: value }

/**
 * Runs `kerf gcp verify`: checks whether the project and the cluster have everything that Kerf needs. Changes nothing.
 *
 * @returns the exit code: 0 if no check failed, 1 if Google Cloud refuses the credentials, 3 if another check failed
 * @throws UsageError for missing and invalid settings
 */
export const runVerify = async (
  { project, clusterName, location, output }: VerifyOptions,
  { stdout, env }: Pick<VerbStreams, 'stdout' | 'env'>,
  { clock, connect, client, signal }: VerifyDeps,
): Promise<0 | 1 | 3> => {
  const flags = {
    ...given('PROJECT_ID', project),
    ...given('CLUSTER_NAME', clusterName),
    ...given('CLUSTER_LOCATION', location),
  }
  const { settings } = parseSettings(gcpSettings, { ...env, ...flags })
  const problems = settingProblems(settings)
  if (problems.length > 0) throw new UsageError(problems.join('; '))
  const findings = await verifyProject({ ...connect(settings), settings, client, clock }, signal)
  stdout.write(`${resultsText(output, { project: settings.projectID, cluster: settings.clusterName }, findings)}\n`)
  // If Google Cloud refuses the credentials in the first check, the command skips all other checks. There are then only two findings.
  if (findings.length === 2) return 1
  return findings.some(({ outcome }) => outcome === 'failed') ? 3 : 0
}
