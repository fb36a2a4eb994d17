import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import type { SettingsOf } from '@kerf/runtime'
import { loadCatalogue } from './catalogue.ts'
import { KwokProvider } from './kwok-provider.ts'
import type { KwokRunSettings } from './run-settings.ts'

/** The provider that the settings describe. @throws CatalogueError for an instance-type file that cannot be used. */
export const createKwok = async (
  settings: SettingsOf<KwokRunSettings>,
  context: ProviderContext,
  { instanceTypes }: Pick<ProviderSurroundings, 'instanceTypes'>,
): Promise<RunningProvider> => {
  const { catalogue, instanceTypesFilePath: path, simulateKubelet, nodeReadyDelay, instanceTerminationDelay } = settings
  const provider = new KwokProvider(context, {
    catalogue: path === '' ? await instanceTypes(catalogue) : await loadCatalogue(path),
    settings: { simulateKubelet, nodeReadyDelay, instanceTerminationDelay },
  })
  return { provider }
}
