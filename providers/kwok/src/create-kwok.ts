import { noVocabulary } from '@kerf/apis'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import type { SettingsOf } from '@kerf/runtime'
import { KwokProvider } from './kwok-provider.ts'
import { loadInstanceTypes } from './load-instance-types.ts'
import type { KwokRunSettings } from './run-settings.ts'

type Settings = SettingsOf<KwokRunSettings>

/** Returns the source of the instance types: Kerf's setting, else Karpenter's, else this provider's own types. */
const sourceOf = ({ instanceTypes, instanceTypesFilePath }: Settings): string =>
  [instanceTypes, instanceTypesFilePath].find((source) => source !== '') ?? 'kwok'

/** Creates the provider from the settings. @throws InstanceTypeFileError for an unusable instance-type file. */
export const createKwok = async (
  settings: Settings,
  context: ProviderContext,
  { instanceTypes, aliases }: Pick<ProviderSurroundings, 'instanceTypes' | 'aliases'>,
): Promise<RunningProvider> => {
  const { simulateKubelet, nodeReadyDelay, instanceTerminationDelay } = settings
  const source = sourceOf(settings)
  const provider = new KwokProvider(context, {
    instanceTypes: (await instanceTypes(source)) ?? (await loadInstanceTypes(source)),
    labels: { ...noVocabulary, aliases },
    settings: { simulateKubelet, nodeReadyDelay, instanceTerminationDelay },
  })
  return { provider }
}
