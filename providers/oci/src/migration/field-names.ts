import { ownValue, setOwnValue } from '@kerf/apis'
import { asObjects, isLoose, isUnset, type Loose } from '@kerf/provider-kit/documents'

/**
 * Returns the name of a field in the API: Oracle's command line writes `node-shape-config`, Terraform's state `node_shape_config`, and the
 * API `nodeShapeConfig`.
 */
const apiName = (name: string): string =>
  name.replace(/[-_]([a-z])/g, (_match, letter: string) => letter.toUpperCase()).replace(/InGbs$/, 'InGBs')

/** Maps of the user, whose keys are not names of fields. */
const USER_MAPS: ReadonlySet<string> = new Set(['definedTags', 'freeformTags', 'systemTags', 'nodeMetadata'])

const convert = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(convert)
  return isLoose(value) ? withApiNames(value) : value
}

/** Returns the object with the names of the API at every level. */
export const withApiNames = (source: Loose): Loose => {
  const fields: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(source)) {
    const name = apiName(key)
    setOwnValue(fields, name, USER_MAPS.has(name) ? value : convert(value))
  }
  return fields
}

/** Blocks of which a resource has at most one. Terraform's state stores each of them as a list. */
const SINGLE: ReadonlySet<string> = new Set([
  ...['nodeConfigDetails', 'nodeShapeConfig', 'nodeSourceDetails', 'nodeEvictionNodePoolSettings'],
  ...['nodePoolCyclingDetails', 'nodePoolPodNetworkOptionDetails', 'preemptibleNodeConfig', 'preemptionAction'],
])

/** Returns the object without the lists around single blocks, and without fields that are not set. */
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
