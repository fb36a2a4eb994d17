import { ownValue, setOwnValue } from '@kerf/apis'
import { asObjects, isLoose, isUnset, type Loose } from '@kerf/provider-kit/documents'

/**
 * Converts the name of a field to the API's spelling `nodeShapeConfig`. Oracle's command line writes `node-shape-config`, and Terraform's
 * state `node_shape_config`.
 */
const apiName = (name: string): string =>
  name.replace(/[-_]([a-z])/g, (_match, letter: string) => letter.toUpperCase()).replace(/InGbs$/, 'InGBs')

/** Maps with keys that the user chooses, which are not field names. */
const USER_MAPS: ReadonlySet<string> = new Set(['definedTags', 'freeformTags', 'systemTags', 'nodeMetadata'])

const convert = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(convert)
  return isLoose(value) ? withApiNames(value) : value
}

/** Converts all field names in an object to the API's spelling. */
export const withApiNames = (source: Loose): Loose => {
  const fields: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(source)) {
    const name = apiName(key)
    setOwnValue(fields, name, USER_MAPS.has(name) ? value : convert(value))
  }
  return fields
}

/** Blocks that a resource has at most once. Terraform's state stores each of them as a list. */
const SINGLE: ReadonlySet<string> = new Set([
  ...['nodeConfigDetails', 'nodeShapeConfig', 'nodeSourceDetails', 'nodeEvictionNodePoolSettings'],
  ...['nodePoolCyclingDetails', 'nodePoolPodNetworkOptionDetails', 'preemptibleNodeConfig', 'preemptionAction'],
])

/** Replaces each single-block list with its block, and removes fields that are not set. */
const withoutLists = (source: Loose): Loose => {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(source)) {
    if (isUnset(value)) continue
    const single = SINGLE.has(name) && Array.isArray(value) ? asObjects(value)[0] : value
    const inner = Array.isArray(single)
      ? single.map((each: unknown) => (isLoose(each) ? withoutLists(each) : each))
      : isLoose(single) && !USER_MAPS.has(name)
        ? withoutLists(single)
        : single
    setOwnValue(fields, name, inner)
  }
  return fields
}

/**
 * Converts `oci_containerengine_node_pool` of Terraform's state to the form of the API. The state writes defined tags as
 * `NAMESPACE.KEY`.
 */
export const terraformPool = (values: Loose): Loose => {
  const pool = withoutLists(withApiNames(values))
  const details = isLoose(pool['nodeConfigDetails']) ? pool['nodeConfigDetails'] : {}
  return {
    ...pool,
    definedTags: byNamespace(pool['definedTags']),
    nodeConfigDetails: { ...details, definedTags: byNamespace(details['definedTags']) },
  }
}

const byNamespace = (tags: unknown): Loose => {
  const namespaces: Record<string, Record<string, unknown>> = {}
  for (const [name, value] of Object.entries(isLoose(tags) ? tags : {})) {
    const dot = name.indexOf('.')
    const [namespace, key] = [name.slice(0, dot), name.slice(dot + 1)]
    setOwnValue(namespaces, namespace, { ...ownValue(namespaces, namespace), [key]: value })
  }
  return namespaces
}
