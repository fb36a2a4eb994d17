import type { LabelVocabulary, NodeClaim } from '@kerf/apis'

/**
 * Returns the claim with normalized requirement keys, because providers do not support aliases. Claims of static pools and user-created
 * claims may contain aliases (`docs/spec/labels.md#normalised-keys`). Returns the same object if the claim contains no alias.
 */
export const canonicalClaim = (claim: NodeClaim, vocabulary: LabelVocabulary): NodeClaim => {
  const { requirements } = claim.spec
  if (requirements.every(({ key }) => vocabulary.normalize(key) === key)) return claim
  return {
    ...claim,
    spec: {
      ...claim.spec,
      requirements: requirements.map(({ key, values, ...rest }) => ({
        ...rest,
        key: vocabulary.normalize(key),
        ...(values === undefined ? {} : { values: values.map((value) => vocabulary.valueOf(key, value)) }),
      })),
    },
  }
}
