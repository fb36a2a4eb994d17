import { noVocabulary } from '@kerf/apis'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import type { SettingsOf } from '@kerf/runtime'
import { KwokProvider } from './kwok-provider.ts'
import { loadInstanceTypes } from './load-instance-types.ts'
import type { KwokRunSettings } from './run-settings.ts'

type Settings = SettingsOf<KwokRunSettings>

/** The newest setting that says anything counts. */
const sourceOf = ({ instanceTypes, instanceTypesFilePath, catalogue }: Settings): string =>
  instanceTypes !== '' ? instanceTypes : instanceTypesFilePath !== '' ? instanceTypesFilePath : catalogue

/** The provider that the settings describe. @throws InstanceTypeFileError for an instance-type file that cannot be used. */
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
