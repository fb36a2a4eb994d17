import type { CloudProvider, ProviderContext } from '@kerf/provider-contract'
import type { RunSettings } from './run-settings.ts'

/** The provider that the settings name. Throws for a catalogue that cannot be read. */
export const createProvider = async (settings: RunSettings, context: ProviderContext): Promise<CloudProvider> => {
  switch (settings.provider) {
    case 'kwok': {
      const { KwokProvider, loadCatalogue } = await import('@kerf/provider-kwok')
      const { instanceTypesFilePath, simulateKubelet, nodeReadyDelay, instanceTerminationDelay } = settings
      return new KwokProvider(context, {
        catalogue: await loadCatalogue(instanceTypesFilePath === '' ? undefined : instanceTypesFilePath),
        settings: { simulateKubelet, nodeReadyDelay, instanceTerminationDelay },
      })
    }
  }
}
