import { AZURE_GROUP, azureWellKnownLabels, labels, type ProviderVocabulary } from '@kerf/apis'

/** What Azure adds to the labels that core knows (`docs/spec/azure.md#labels-and-tags`). */
export const azureVocabulary: ProviderVocabulary = {
  wellKnown: azureWellKnownLabels,
  restrictedDomains: [AZURE_GROUP],
  unrestricted: [],
  // Volumes of the disk driver name their zone so. A VM without zones has the empty zone there, and fault domain 0 as its label.
  aliases: [
    {
      alias: 'topology.disk.csi.azure.com/zone',
      label: labels.zone,
      values: [{ written: '', means: '0' }],
    },
  ],
  knownValues: [],
  wellKnownResources: [],
}
