import { type KubeObject, type LabelVocabulary, type NodePool, validateNodePool } from '@kerf/apis'
import { checkBuiltinManifest } from '@kerf/sandbox/manifest-check'
import { type CheckedObject, unknownField } from './checked-object.ts'
import { KarpenterKinds } from './karpenter-kinds.ts'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'
import { noSuchKind } from './missing-kinds.ts'
import { isPlanned } from './planned-kinds.ts'
import type { ValidationMode } from './validation-option.ts'

/** How manifests are validated, and what is refused. */
export interface Validation {
  /** `--validate`; `warn` when absent. */
  readonly validate?: ValidationMode
  /** Told of each problem that is not refused, as a line with file and line number. */
  readonly say: (line: string) => void
  /** Whether the command cannot do without the object; what a plan is made of when absent. */
  readonly needs?: (object: Pick<KubeObject, 'apiVersion' | 'kind'>) => boolean
}

/** How many problems the error names. */
const NAMED = 4

/** Whether a person wrote it; an API server has validated the others. */
const isWritten = ({ metadata }: KubeObject): boolean => metadata.uid === undefined

/** What the controller would write into the condition ValidationSucceeded; such a pool launches nothing. */
const poolProblems = (object: KubeObject, vocabulary: LabelVocabulary): readonly string[] => {
  const requirements = (object as Partial<NodePool>).spec?.template?.spec?.requirements
  return object.kind === 'NodePool' && Array.isArray(requirements)
    ? validateNodePool(object as NodePool, vocabulary).errors
    : []
}

/** A plan needs no image. */
const isAboutImage = (field: string): boolean => field.endsWith('.image')

const checkBuiltin = (object: KubeObject, isStrict: boolean): CheckedObject | undefined => {
  const checked = checkBuiltinManifest(object)
  if (checked === undefined) return undefined
  const unknown = checked.problems.flatMap(({ field, message, known }) =>
    message === undefined ? [unknownField(field, known, [])] : [],
  )
  const invalid = checked.problems.flatMap(({ field, message }) => {
    if (message === undefined || (!isStrict && isAboutImage(field))) return []
    return [field === '' ? message : `${field}: ${message}`]
  })
  return { object: checked.object, unknown, invalid }
}

/**
 * Checks manifests as an API server with Kerf's CRDs does it: the types of all fields, and the rules of each kind. It refuses objects that
 * the command needs and that a server would not take, and with `strict` every other one too; the rest is said. Unknown and repeated
 * fields are refused with `strict`, said with `warn` and left out in any case. What an API server has stored is not checked again, and
 * kinds that Kerf does not know are left alone. `vocabulary` says which labels a NodePool may require.
 *
 * Returns the manifests as the server would read them, without those that it would refuse.
 *
 * @throws ManifestError that names file, line, object and field of the first problems
 */
export const validateManifests = (
  manifests: readonly Manifest[],
  vocabulary: LabelVocabulary,
  { validate = 'warn', say, needs = isPlanned }: Validation,
): readonly Manifest[] => {
  const warn = (text: string): void => say(`warning: ${text}`)
  const isStrict = validate === 'strict'
  const ours = new KarpenterKinds()
  const refused: string[] = []
  const accepted: Manifest[] = []
  for (const manifest of manifests) {
    const { object, file, line, repeatedKeys = [] } = manifest
    const place = (at: number): string => `${file}:${at}: ${object.kind} ${nameOf(object)}`
    const missing = noSuchKind(manifest)
    const isChecked = missing === undefined && isWritten(object)
    const checked = isChecked ? (ours.check(object) ?? checkBuiltin(object, isStrict)) : undefined
    const aboutFields = [
      ...repeatedKeys.map(
        ({ key, line: at }) => `${place(at)}: the field ${key} is there again; its last value counts`,
      ),
      ...(checked?.unknown ?? []).map((text) => `${place(line)}: ${text}`),
    ]
    const found = missing === undefined ? (checked?.invalid ?? []) : [missing.text]
    // The controller looks at what an API server has accepted.
    const problems = found.length > 0 || !isWritten(object) ? found : poolProblems(object, vocabulary)
    const isRefused = problems.length > 0 && (isStrict || needs(missing?.meant ?? object))
    // A refusal names misspelt fields too: they may be what is missing.
    const sayOfField = isRefused || isStrict ? (text: string) => refused.push(text) : warn
    if (validate !== 'ignore') aboutFields.forEach(sayOfField)
    if (problems.length === 0) accepted.push(checked === undefined ? manifest : { ...manifest, object: checked.object })
    else if (isRefused) refused.push(...problems.map((text) => `${place(line)}: ${text}`))
    else for (const text of problems) warn(`${place(line)}: left out, since an API server refuses it: ${text}`)
  }
  if (refused.length === 0) return accepted
  const more = refused.length > NAMED ? `; and ${refused.length - NAMED} more problems` : ''
  throw new ManifestError(`${refused.slice(0, NAMED).join('; ')}${more}`)
}

const nameOf = ({ metadata }: KubeObject): string => metadata.name ?? metadata.generateName ?? ''
