import { capacityTypes, labels, type ProviderVocabulary } from '@kerf/apis'
import { COMMUNITY_GROUP, communityLabels, ORACLE_GROUP, oracleLabels, PREEMPTIBLE } from './names.ts'

/** The labels of Oracle Cloud, in addition to the standard ones (`providers/oci/docs/spec/oci.md#labels`). */
export const ociVocabulary: ProviderVocabulary = {
  wellKnown: [...Object.values(communityLabels), ...Object.values(oracleLabels)],
  restrictedDomains: [COMMUNITY_GROUP, ORACLE_GROUP],
  unrestricted: [],
  aliases: [],
  knownValues: [{ label: labels.capacityType, values: [...Object.values(capacityTypes), PREEMPTIBLE.community] }],
  wellKnownResources: [],
}
