import { type KubeObject, type LabelVocabulary, type NodePool, validateNodePool } from '@kerf/apis'
import { checkBuiltinManifest } from '@kerf/sandbox/manifest-check'
import { type CheckedObject, unknownField } from './checked-object.ts'
import { KarpenterKinds } from './karpenter-kinds.ts'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'
import { type MissingKind, noSuchKind } from './missing-kinds.ts'
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

/** What an API server says of one manifest, each text with file, line and object. */
interface Examined {
  readonly object: KubeObject
  /** Unknown and repeated fields. */
  readonly fields: readonly string[]
  readonly problems: readonly string[]
  readonly missing?: MissingKind
}

const examine = (manifest: Manifest, ours: KarpenterKinds, isStrict: boolean): Examined => {
  const { object, file, line, repeatedKeys = [] } = manifest
  const place = (at: number): string => `${file}:${at}: ${object.kind} ${nameOf(object)}`
  const repeated = repeatedKeys.map(
    ({ key, line: at }) => `${place(at)}: the field ${key} is there again; its last value counts`,
  )
  const missing = noSuchKind(manifest)
  if (missing !== undefined) return { object, fields: repeated, problems: [`${place(line)}: ${missing.text}`], missing }
  const checked = isWritten(object) ? (ours.check(object) ?? checkBuiltin(object, isStrict)) : undefined
  if (checked === undefined) return { object, fields: repeated, problems: [] }
  const placed = (texts: readonly string[]): readonly string[] => texts.map((text) => `${place(line)}: ${text}`)
  return {
    object: checked.object,
    fields: [...repeated, ...placed(checked.unknown)],
    problems: placed(checked.invalid),
  }
}

const refuse = (refused: readonly string[]): void => {
  if (refused.length === 0) return
  const more = refused.length > NAMED ? `; and ${refused.length - NAMED} more problems` : ''
  throw new ManifestError(`${refused.slice(0, NAMED).join('; ')}${more}`)
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
  const isStrict = validate === 'strict'
  const ours = new KarpenterKinds()
  const refused: string[] = []
  const accepted: Manifest[] = []
  for (const manifest of manifests) {
    const { object, file, line } = manifest
    const { missing, fields, ...examined } = examine(manifest, ours, isStrict)
    // The controller looks at what an API server has accepted.
    const isSound = examined.problems.length === 0 && isWritten(object)
    const ofPool = isSound ? poolProblems(examined.object, vocabulary) : []
    const problems = [
      ...examined.problems,
      ...ofPool.map((text) => `${file}:${line}: ${object.kind} ${nameOf(object)}: ${text}`),
    ]
    const isRefused = problems.length > 0 && (isStrict || needs(missing?.meant ?? object))
    // A refusal names misspelt fields too: they may be what is missing.
    if (validate !== 'ignore')
      for (const text of fields) isRefused || isStrict ? refused.push(text) : say(`warning: ${text}`)
    if (problems.length === 0) accepted.push({ ...manifest, object: examined.object })
    else if (isRefused) refused.push(...problems)
    else for (const text of problems) say(`warning: left out, since an API server refuses it: ${text}`)
  }
  refuse(refused)
  return accepted
}

/**
 * The same for a command that looks at objects as they are: `warn` names unknown and repeated fields, and `strict` refuses what an API
 * server would refuse.
 *
 * @throws ManifestError that names file, line, object and field of the first problems
 */
export const checkFields = (
  manifests: readonly Manifest[],
  { validate = 'warn', say }: Omit<Validation, 'needs'>,
): void => {
  if (validate === 'ignore') return
  const isStrict = validate === 'strict'
  const ours = new KarpenterKinds()
  const examined = manifests.map((manifest) => examine(manifest, ours, isStrict))
  if (isStrict) refuse(examined.flatMap(({ fields, problems }) => [...fields, ...problems]))
  for (const text of examined.flatMap(({ fields }) => fields)) say(`warning: ${text}`)
}

/** What an API server would say against an object. */
export interface ObjectProblem {
  /** `NodePool/general`. */
  readonly object: string
  readonly message: string
}

/**
 * What an API server would refuse of objects that Kerf is about to write, unknown fields too, as `kerf plan --validate=strict` would.
 */
export const writtenProblems = (
  objects: readonly KubeObject[],
  vocabulary: LabelVocabulary,
): readonly ObjectProblem[] => {
  const ours = new KarpenterKinds()
  return objects.flatMap((object) => {
    const missing = noSuchKind({ object, file: '-', line: 1 })
    const checked = ours.check(object) ?? checkBuiltin(object, false)
    const invalid = missing === undefined ? (checked?.invalid ?? []) : [missing.text]
    const found = [...(checked?.unknown ?? []), ...invalid]
    const problems = found.length > 0 ? found : poolProblems(object, vocabulary)
    return problems.map((message) => ({ object: `${object.kind}/${nameOf(object)}`, message }))
  })
}

const nameOf = ({ metadata }: KubeObject): string => metadata.name ?? metadata.generateName ?? ''
