import { noVocabulary } from '@kerf/apis'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import type { SettingsOf } from '@kerf/runtime'
import { KwokProvider } from './kwok-provider.ts'
import { loadInstanceTypes } from './load-instance-types.ts'
import type { KwokRunSettings } from './run-settings.ts'

type Settings = SettingsOf<KwokRunSettings>

/**
 * Returns the source of the instance types: the source in Kerf's setting, otherwise the source in Karpenter's setting, otherwise this
 * provider.
 */
const settingsSource = ({ instanceTypes, instanceTypesFilePath }: Settings): string =>
  [instanceTypes, instanceTypesFilePath].find((source) => source !== '') ?? 'kwok'

/**
 * Creates the provider from the settings.
 *
 * @throws InstanceTypeFileError if an instance-type file cannot be used.
 */
export const createKwok = async (
  settings: Settings,
  context: ProviderContext,
  { instanceTypes, aliases }: Pick<ProviderSurroundings, 'instanceTypes' | 'aliases'>,
): Promise<RunningProvider> => {
  const { simulateKubelet, nodeReadyDelay, instanceTerminationDelay } = settings
  const source = settingsSource(settings)
  const provider = new KwokProvider(context, {
    instanceTypes: (await instanceTypes(source)) ?? (await loadInstanceTypes(source)),
    labels: { ...noVocabulary, aliases },
    settings: { simulateKubelet, nodeReadyDelay, instanceTerminationDelay },
  })
  return { provider }
}
