import { labels, type ProviderVocabulary } from '@kerf/apis'
import { diskTypeLabel, GCP_GROUP, gcpLabels, readinessLabels } from './label-names.ts'
import { diskTypes } from './tables/disk-types.ts'

/** The labels and resources of GKE nodes, in addition to the standard ones (`providers/gcp/docs/spec/gcp.md#labels-resources-names`). */
export const gcpVocabulary: ProviderVocabulary = {
  wellKnown: [...Object.values(gcpLabels), ...readinessLabels, ...diskTypes.map(diskTypeLabel)],
  restrictedDomains: [GCP_GROUP],
  unrestricted: [],
  // Volumes of the persistent disk driver specify their zone with this label.
  aliases: [{ alias: 'topology.gke.io/zone', label: labels.zone }],
  knownValues: [],
  wellKnownResources: ['nvidia.com/gpu', 'google.com/tpu'],
}
