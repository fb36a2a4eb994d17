import {
  type CustomResource,
  compileAdmission,
  coreResources,
  describeFieldError,
  type FieldError,
  fieldsBeside,
  type KubeObject,
  type LabelVocabulary,
  type NodePool,
  parseQuantity,
  pathsOfField,
  type ResourceAdmission,
  type StructuralSchema,
  schemaOf,
  validateNodePool,
} from '@kerf/apis'
import { nearest } from '@kerf/runtime'
import { builtinKindsOf, checkBuiltinManifest } from '@kerf/sandbox/manifest-check'
import { knownProviders, providers } from '../providers.ts'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'

/** What an API server says besides when other rules were broken already. */
const UNCHECKED = /some validation rules were not checked/

/** How many problems the error names. */
const NAMED = 4

const resources: readonly CustomResource[] = [
  ...coreResources,
  ...knownProviders.flatMap(({ nodeClasses }) => nodeClasses.map(({ resource }) => resource)),
]
const groups = new Set(resources.map(({ kind }) => kind.group))
/** Kinds that Karpenter had before v1. */
const FORMER: ReadonlySet<string> = new Set(['Provisioner', 'AWSNodeTemplate', 'Machine'])

const versionOf = ({ kind }: CustomResource): string => `${kind.group}/${kind.version}`

const resourceOf = ({ apiVersion, kind }: KubeObject): CustomResource | undefined =>
  resources.find((resource) => resource.kind.kind === kind && versionOf(resource) === apiVersion)

/** Whether a person wrote it; an API server has validated the others. */
const isWritten = ({ metadata }: KubeObject): boolean => metadata.uid === undefined

const unknownField = (field: string, beside: readonly string[], elsewhere: readonly string[]): string => {
  const name = field.slice(field.lastIndexOf('.') + 1)
  const [only, ...others] = elsewhere
  const meant = only !== undefined && others.length === 0 ? only : nearest(name, beside)
  return `${field}: unknown field${meant === undefined ? '' : `, did you mean ${meant}?`}`
}

/** A pattern says little to people; those of durations are said in words. */
const said = (error: FieldError): string => {
  const pattern = /should match '(.*)'$/.exec(error.message)?.[1]
  const isDuration = pattern?.includes('s|m|h') ?? false
  const text = isDuration
    ? `${JSON.stringify(error.badValue)} is ${pattern?.includes('Never') === true ? 'neither Never nor a' : 'no'} duration such as 30s, 10m or 720h`
    : describeFieldError(error)
  return error.field === '' ? text : `${error.field}: ${text}`
}

interface CompiledKind {
  readonly admission: ResourceAdmission
  readonly schema: StructuralSchema
}

/** Compiles the schemas of the kinds that are asked about, once each. */
class KarpenterKinds {
  readonly #compiled = new Map<string, CompiledKind>()

  /** The problems of an object of a kind of Karpenter's; undefined for one of another kind. */
  problemsOf(object: KubeObject): readonly string[] | undefined {
    const resource = resourceOf(object)
    if (resource === undefined) return undefined
    const { admission, schema } = this.#compile(resource, object)
    const { creationTimestamp: _, ...metadata } = object.metadata
    const answer = admission.create({ ...object, metadata })
    return [
      ...answer.unknownFields
        .filter((field) => !field.startsWith('status.'))
        .map((field) => {
          const name = field.slice(field.lastIndexOf('.') + 1)
          return unknownField(field, fieldsBeside(schema, field), pathsOfField(schema, name))
        }),
      ...(answer.accepted ? [] : answer.errors.map(said).filter((text) => !UNCHECKED.test(text))),
    ]
  }

  #compile(resource: CustomResource, object: KubeObject): CompiledKind {
    // A chart adds rules for the labels of its provider's domain.
    const className = (object as Partial<NodePool>).spec?.template?.spec?.nodeClassRef?.kind
    const provider = providers.find(({ nodeClasses }) =>
      nodeClasses.some((each) => each.resource.kind.kind === className),
    )
    const coreRules = provider !== undefined && 'coreRules' in provider.chart ? provider.chart.coreRules : undefined
    const key = `${versionOf(resource)}/${resource.kind.kind} ${coreRules === undefined ? '' : provider?.name}`
    const known = this.#compiled.get(key)
    if (known !== undefined) return known
    const plain = schemaOf(resource)
    const schema = coreRules === undefined ? plain : coreRules(resource.kind, plain)
    const { scale } = resource
    const admission = compileAdmission({ kind: resource.kind, schema, ...(scale === undefined ? {} : { scale }) })
    const compiled = { admission, schema }
    this.#compiled.set(key, compiled)
    return compiled
  }
}

/** A cluster may have newer kinds than Kerf knows; a slip of the hand leaves the first letter and the length about right. */
const looksLike =
  (kind: string) =>
  (known: string): boolean =>
    known[0]?.toLowerCase() === kind[0]?.toLowerCase() && Math.abs(known.length - kind.length) <= 2

/** Why there is no such kind, where somebody meant one: old versions of Karpenter's, and misspelt ones. */
const noSuchKind = ({ object, file }: Manifest): string | undefined => {
  const { apiVersion, kind } = object
  if (resourceOf(object) !== undefined) return undefined
  const group = apiVersion.split('/')[0] ?? ''
  if (!groups.has(group)) {
    const known = builtinKindsOf(apiVersion)
    const meant = known.includes(kind) ? undefined : nearest(kind, known.filter(looksLike(kind)))
    return meant === undefined ? undefined : `there is no kind ${kind} in ${apiVersion}, did you mean ${meant}?`
  }
  const same = resources.find((resource) => resource.kind.group === group && resource.kind.kind === kind)
  if (/\/v1(alpha|beta)\d+$/.test(apiVersion) && (same !== undefined || FORMER.has(kind))) {
    const path = file.startsWith('(') ? '-' : file
    return `${apiVersion} is no longer served; rewrite it as v1: kerf migrate manifests -f ${path}`
  }
  const meant =
    same === undefined
      ? nearest(
          kind,
          resources.map((resource) => resource.kind.kind),
        )
      : undefined
  const known = resources.find((resource) => resource.kind.kind === (same?.kind.kind ?? meant))
  if (known === undefined) return undefined
  return `there is no kind ${kind} in ${apiVersion}, did you mean ${known.kind.kind} of ${versionOf(known)}?`
}

/** What the controller would write into the condition ValidationSucceeded; such a pool launches nothing. */
const poolProblems = (object: KubeObject, vocabulary: LabelVocabulary): readonly string[] => {
  const requirements = (object as Partial<NodePool>).spec?.template?.spec?.requirements
  return object.kind === 'NodePool' && Array.isArray(requirements)
    ? validateNodePool(object as NodePool, vocabulary).errors
    : []
}

const RESOURCE_LISTS: ReadonlySet<string> = new Set([
  'requests',
  'limits',
  'capacity',
  'allocatable',
  'overhead',
  'hard',
])

/** The amounts that cannot be read, with their fields: an API server names neither. */
const unreadableAmounts = (value: unknown, path: string): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const field = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    if (!RESOURCE_LISTS.has(key) || typeof inner !== 'object' || inner === null || Array.isArray(inner))
      return unreadableAmounts(inner, field)
    return Object.entries(inner).flatMap(([resource, amount]: [string, unknown]) =>
      isQuantity(amount) ? [] : [`${field}.${resource}: ${JSON.stringify(amount)} is no amount such as 500m, 2 or 4Gi`],
    )
  })
}

const isQuantity = (amount: unknown): boolean => {
  if (typeof amount !== 'string') return typeof amount === 'number'
  try {
    parseQuantity(amount)
    return true
  } catch {
    return false
  }
}

const builtinProblems = (object: KubeObject): readonly string[] => {
  const amounts = unreadableAmounts(object, '')
  if (amounts.length > 0) return amounts
  return (
    (checkBuiltinManifest(object) ?? [])
      // A plan needs no image.
      .filter(({ field }) => !field.endsWith('.image'))
      .map(({ field, message, known }) =>
        message === undefined ? unknownField(field, known, []) : field === '' ? message : `${field}: ${message}`,
      )
  )
}

/**
 * Checks manifests as an API server with Kerf's CRDs does it, strictly: unknown fields, types, the rules of each kind. What an API
 * server has stored is not checked again, and kinds that Kerf does not know are left alone. `vocabulary` says which
 * labels a NodePool may require.
 *
 * @throws ManifestError that names file, line, object and field of the first problems
 */
export const validateManifests = (manifests: readonly Manifest[], vocabulary: LabelVocabulary): void => {
  const ours = new KarpenterKinds()
  const problemsOf = (object: KubeObject): readonly string[] => {
    const found = ours.problemsOf(object) ?? builtinProblems(object)
    // The controller looks at what an API server has accepted.
    return found.length > 0 ? found : poolProblems(object, vocabulary)
  }
  const problems = manifests.flatMap((manifest) => {
    const { object, file, line } = manifest
    const missing = noSuchKind(manifest)
    const found = missing !== undefined ? [missing] : isWritten(object) ? problemsOf(object) : []
    const name = object.metadata.name ?? object.metadata.generateName ?? ''
    return found.map((text) => `${file}:${line}: ${object.kind} ${name}: ${text}`)
  })
  if (problems.length === 0) return
  const more = problems.length > NAMED ? `; and ${problems.length - NAMED} more problems` : ''
  throw new ManifestError(`${problems.slice(0, NAMED).join('; ')}${more}`)
}
