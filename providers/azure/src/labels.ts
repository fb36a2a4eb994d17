import { labels, type ProviderVocabulary } from '@kerf/apis'
import { AZURE_GROUP, azureWellKnownLabels } from './label-names.ts'

/** The labels of Azure, in addition to those of the core (`providers/azure/docs/spec/azure.md#labels-and-tags`). */
export const azureVocabulary: ProviderVocabulary = {
  wellKnown: azureWellKnownLabels,
  restrictedDomains: [AZURE_GROUP],
  unrestricted: [],
  // Volumes of the disk driver use this label for their zone. For a VM without a zone, the driver's label is empty, and the zone
  // label contains fault domain 0.
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
