import type { LabelVocabulary, NodeClaim } from '@kerf/apis'

/**
 * The claim with its requirements under the names that providers know: claims of static pools and of users may write an alias
 * (`docs/spec/labels.md#normalised-keys`). The same object when none does.
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
