import {
  type CustomResource,
  compileAdmission,
  coreResources,
  customResourceSchema,
  describeFieldError,
  type FieldError,
  fieldsBeside,
  type KubeObject,
  type NodePool,
  pathsOfField,
  type ResourceAdmission,
  type StructuralSchema,
  setOwnValue,
} from '@kerf/apis'
import { kindDescriptors, providers } from '../providers.ts'
import { type CheckedObject, unknownField } from './checked-object.ts'

/** Matches the message that an API server adds if it skipped some validation rules. */
const UNCHECKED = /some validation rules were not checked/

/** Karpenter's kinds, and the node classes of every provider. */
export const karpenterResources: readonly CustomResource[] = [
  ...coreResources,
  ...kindDescriptors.map(({ resource }) => resource),
]

export const resourceApiVersion = ({ kind }: CustomResource): string => `${kind.group}/${kind.version}`

/** Returns the CRD for the object's kind. Returns `undefined` for kinds of other projects. */
export const karpenterResource = ({ apiVersion, kind }: KubeObject): CustomResource | undefined =>
  karpenterResources.find((resource) => resource.kind.kind === kind && resourceApiVersion(resource) === apiVersion)

/**
 * Returns the message for an error. If a duration does not match its pattern, the message explains the format in words, because the regular
 * expressions are hard to read.
 */
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

/**
 * Returns the value without nulls. An API server drops a null that the schema does not allow, and Karpenter's schemas never allow nulls.
 */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const kept: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) if (member !== null) setOwnValue(kept, key, withoutNulls(member))
  return kept
}

/** Checks Karpenter's kinds against their schemas. Each schema is compiled on first use. */
export class KarpenterKinds {
  readonly #compiled = new Map<string, CompiledKind>()

  /**
   * Returns the object as an API server with the CRDs would read it, with its errors. Returns undefined for kinds of other
   * projects.
   */
  check(given: KubeObject): CheckedObject | undefined {
    const resource = karpenterResource(given)
    if (resource === undefined) return undefined
    const object = withoutNulls(given) as KubeObject
    const { admission, schema } = this.#compile(resource, object)
    const { creationTimestamp: _, ...metadata } = object.metadata
    const answer = admission.create({ ...object, metadata })
    const unknown = answer.unknownFields
      .filter((field) => !field.startsWith('status.'))
      .map((field) => {
        const name = field.slice(field.lastIndexOf('.') + 1)
        return unknownField(field, fieldsBeside(schema, field), pathsOfField(schema, name))
      })
    const invalid = answer.accepted ? [] : answer.errors.map(said).filter((text) => !UNCHECKED.test(text))
    const pruned = admission.schema.prune(object as unknown as Parameters<typeof admission.schema.prune>[0])
    return { object: pruned as unknown as KubeObject, unknown, invalid }
  }

  #compile(resource: CustomResource, object: KubeObject): CompiledKind {
    // The chart for a provider adds validation rules for labels in the provider's domain.
    const className = (object as Partial<NodePool>).spec?.template?.spec?.nodeClassRef?.kind
    const provider = providers.find(({ nodeClasses }) =>
      nodeClasses.some((each) => each.resource.kind.kind === className),
    )
    const coreRules = provider !== undefined && 'coreRules' in provider.chart ? provider.chart.coreRules : undefined
    const key = `${resourceApiVersion(resource)}/${resource.kind.kind} ${coreRules === undefined ? '' : provider?.name}`
    const known = this.#compiled.get(key)
    if (known !== undefined) return known
    const plain = customResourceSchema(resource)
    const schema = coreRules === undefined ? plain : coreRules(resource.kind, plain)
    const { scale } = resource
    const admission = compileAdmission({ kind: resource.kind, schema, ...(scale === undefined ? {} : { scale }) })
    const compiled = { admission, schema }
    this.#compiled.set(key, compiled)
    return compiled
  }
}
