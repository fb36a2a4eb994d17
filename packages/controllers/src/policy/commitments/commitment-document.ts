import { type ClusterPolicySpec, formatFieldError, ProblemError, readCommitmentDocument } from '@kerf/apis'
import type { CommitmentSpec } from '../../state/commitments/prepaid-terms.ts'
import { readYamlDocument } from '../read-yaml-document.ts'

export type CommitmentSourceSpec = NonNullable<ClusterPolicySpec['commitmentSource']>

/**
 * Parses the commitments of a ConfigMap or a file. The document is an object with the field `commitments`, whose entries have the same
 * fields and rules as `spec.commitments` (`docs/spec/policies.md#sources-of-commitments`).
 *
 * @throws ProblemError with a description of the problem. In this case, no commitment of the document may be used.
 */
export const parseCommitmentDocument = (text: string): readonly CommitmentSpec[] => {
  const value = readYamlDocument(text, 'field "commitments"')
  const { document, unknownFields, errors } = readCommitmentDocument(value)
  const [unknown] = unknownFields
  if (unknown !== undefined) throw new ProblemError(`unknown field "${unknown}"`)
  const [error] = errors
  if (error !== undefined) throw new ProblemError(formatFieldError(error))
  return document['commitments'] as readonly CommitmentSpec[]
}

/** Returns the display name of the source of commitments: the ConfigMap, the file or the account. */
export const commitmentOrigin = ({
  configMap,
  file,
}: {
  readonly configMap?: CommitmentSourceSpec['configMap'] | undefined
  readonly file?: string
}): string => {
  if (configMap !== undefined) return `ConfigMap ${configMap.name} (${configMap.key})`
  return file === undefined ? 'account' : `file ${file}`
}
