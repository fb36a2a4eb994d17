import type { LabelVocabulary } from '@kerf/apis'
import type { CloudProvider } from '@kerf/provider-contract'

/** What labels mean with this provider. */
export const vocabularyOf = (provider: Pick<CloudProvider, 'wellKnownLabels'>): LabelVocabulary => ({
  wellKnown: new Set(provider.wellKnownLabels),
})
