import { InvariantError } from '@kerf/apis'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import { runtimeErrors, type Settings } from '@kerf/runtime'
import { connectGcp } from './api/connect-gcp.ts'
import { type GcpSettings, settingProblems } from './settings/gcp-settings.ts'

/**
 * Creates the provider from the settings and the environment.
 *
 * @throws KerfError `InvalidSetting` for missing settings, and for files that cannot be read.
 */
export const createGcp = async (
  settings: Settings & GcpSettings,
  { clock, random }: ProviderContext,
  { env, version, gate }: Pick<ProviderSurroundings, 'metrics' | 'env' | 'version' | 'gate'>,
): Promise<RunningProvider> => {
  const problems = settingProblems(settings)
  if (problems.length > 0) throw runtimeErrors.InvalidSetting({ problems })
  connectGcp(settings, { clock, random, env, version, gate })
  throw new InvariantError('the provider is not complete yet')
}
