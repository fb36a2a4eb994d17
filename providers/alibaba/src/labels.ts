import { labels, type ProviderVocabulary } from '@kerf/apis'
import { ALIBABA_GROUP, alibabaWellKnownLabels } from './label-names.ts'

/** The labels of Alibaba Cloud, in addition to the standard ones (`providers/alibaba/docs/spec/alibaba.md#labels-resources-tags`). */
export const alibabaVocabulary: ProviderVocabulary = {
  wellKnown: alibabaWellKnownLabels,
  restrictedDomains: [ALIBABA_GROUP],
  unrestricted: [],
  // Volumes of the disk driver specify their zone with this label.
  aliases: [{ alias: 'topology.diskplugin.csi.alibabacloud.com/zone', label: labels.zone }],
  knownValues: [],
  wellKnownResources: ['aliyun/eni'],
}
