import { type KubeObject, type LabelVocabulary, type NodePool, validateNodePool } from '@kerf/apis'
import { checkBuiltinManifest } from '@kerf/sandbox/manifest-check'
import { type CheckedObject, unknownField } from './checked-object.ts'
import { KarpenterKinds } from './karpenter-kinds.ts'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'
import { type MissingKind, noSuchKind } from './missing-kinds.ts'
import { isPlanned } from './planned-kinds.ts'
import type { ValidationMode } from './validation-option.ts'

/** How manifests are validated, and which objects are refused. */
export interface Validation {
  /** Mode of `--validate`; default `warn`. */
  readonly validate?: ValidationMode
  /** Receives a line, with file and line number, for each problem that is not an error. */
  readonly warn: (line: string) => void
  /** Returns whether the command needs the object. The default is `isPlanned`. */
  readonly needs?: (object: Pick<KubeObject, 'apiVersion' | 'kind'>) => boolean
}

/** Maximum number of problems that the error lists. */
const NAMED = 4

/** Returns whether the user wrote the object. An object with a UID comes from an API server, which has validated it. */
const isWritten = ({ metadata }: KubeObject): boolean => metadata.uid === undefined

/**
 * Returns the problems that the controller would report in the ValidationSucceeded condition. A NodePool with such a problem
 * launches no nodes.
 */
const poolProblems = (object: KubeObject, vocabulary: LabelVocabulary): readonly string[] => {
  const requirements = (object as Partial<NodePool>).spec?.template?.spec?.requirements
  return object.kind === 'NodePool' && Array.isArray(requirements)
    ? validateNodePool(object as NodePool, vocabulary).errors
    : []
}

/** Returns whether the field is a container image. Plans do not use images. */
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

/** The errors that an API server would return for one manifest. Each text contains the file, the line and the object. */
interface Examined {
  readonly object: KubeObject
  /** Messages for unknown and repeated fields. */
  readonly fields: readonly string[]
  readonly problems: readonly string[]
  readonly missing?: MissingKind
}

const examine = (manifest: Manifest, ours: KarpenterKinds, isStrict: boolean): Examined => {
  const { object, file, line, repeatedKeys = [] } = manifest
  const place = (at: number): string => `${file}:${at}: ${object.kind} ${objectName(object)}`
  const repeated = repeatedKeys.map(
    ({ key, line: at }) => `${place(at)}: duplicate field ${key}; Kerf uses the last value`,
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
 * Checks manifests as an API server with Kerf's CRDs would: the types of all fields, and the rules of each kind.
 *
 * - Invalid objects that the command needs are errors; with `strict`, all invalid objects are errors. Other invalid objects are
 *   reported and skipped.
 * - Unknown and repeated fields are errors with `strict`, are reported with `warn`, and are dropped in every mode.
 * - Objects that an API server has stored are not checked again, and unknown kinds are accepted.
 *
 * `vocabulary` defines which labels a NodePool may require. Returns the valid manifests, as the server would read them.
 *
 * @throws ManifestError with file, line, object and field of the first problems
 */
export const validateManifests = (
  manifests: readonly Manifest[],
  vocabulary: LabelVocabulary,
  { validate = 'warn', warn, needs = isPlanned }: Validation,
): readonly Manifest[] => {
  const isStrict = validate === 'strict'
  const ours = new KarpenterKinds()
  const refused: string[] = []
  const accepted: Manifest[] = []
  for (const manifest of manifests) {
    const { object, file, line } = manifest
    const { missing, fields, ...examined } = examine(manifest, ours, isStrict)
    // The controller validates only objects that an API server has accepted.
    const isSound = examined.problems.length === 0 && isWritten(object)
    const ofPool = isSound ? poolProblems(examined.object, vocabulary) : []
    const problems = [
      ...examined.problems,
      ...ofPool.map((text) => `${file}:${line}: ${object.kind} ${objectName(object)}: ${text}`),
    ]
    const isRefused = problems.length > 0 && (isStrict || needs(missing?.meant ?? object))
    // A refusal also names unknown fields, because a misspelt field may be the missing one.
    if (validate !== 'ignore')
      for (const text of fields) isRefused || isStrict ? refused.push(text) : warn(`warning: ${text}`)
    if (problems.length === 0) accepted.push({ ...manifest, object: examined.object })
    else if (isRefused) refused.push(...problems)
    else for (const text of problems) warn(`warning: ignored, because an API server would reject it: ${text}`)
  }
  refuse(refused)
  return accepted
}

/**
 * Checks manifests for a command that only inspects objects. `warn` reports unknown and repeated fields. `strict` refuses every
 * object that an API server would refuse.
 *
 * @throws ManifestError with file, line, object and field of the first problems
 */
export const checkFields = (
  manifests: readonly Manifest[],
  { validate = 'warn', warn }: Omit<Validation, 'needs'>,
): void => {
  if (validate === 'ignore') return
  const isStrict = validate === 'strict'
  const ours = new KarpenterKinds()
  const examined = manifests.map((manifest) => examine(manifest, ours, isStrict))
  if (isStrict) refuse(examined.flatMap(({ fields, problems }) => [...fields, ...problems]))
  for (const text of examined.flatMap(({ fields }) => fields)) warn(`warning: ${text}`)
}

/** An error that an API server would return for an object. */
export interface ObjectProblem {
  /** Kind and name, for example `NodePool/general`. */
  readonly object: string
  readonly message: string
}

/**
 * Returns the errors that an API server would return for objects that Kerf is about to write. Unknown fields are errors, as with `kerf plan
 * --validate=strict`.
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
    return problems.map((message) => ({ object: `${object.kind}/${objectName(object)}`, message }))
  })
}

const objectName = ({ metadata }: KubeObject): string => metadata.name ?? metadata.generateName ?? ''
