import { METADATA } from '../names.ts'
import type { BizflyCloudNodeClass } from './bizfly-node-class.ts'

/** Metadata that determines how a server joins the cluster. Tags must not override it. */
const RESERVED_METADATA: ReadonlySet<string> = new Set([
  ...Object.values(METADATA),
  ...['bizfly_cloud_service', 'bke_cluster_token', 'bke_join_endpoint', 'bke_log_endpoint', 'kubernetes_version'],
  ...['bke_node_everywhere', 'bke_node_localdns', 'bke_node_network_id'],
])

/** The lists that must not be empty, because launches would be impossible. Each has an example for the message. */
const NEEDED = {
  zones: 'HN1',
  nodeCategories: 'premium',
  diskTypes: 'SSD',
  networkPlans: 'free_datatransfer',
  vpcNetworkIds: 'the ID of the network of the cluster',
} as const

/** Returns the metadata that results from the tags of a class. */
export const tagMetadata = (tags: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    tags.flatMap((tag) => {
      const at = tag.indexOf('=')
      return at < 1 ? [] : [[tag.slice(0, at), tag.slice(at + 1)] as const]
    }),
  )

/** Returns the problems that the CRD cannot detect and that prevent launches, one sentence each. */
export const classProblems = ({ spec }: Pick<BizflyCloudNodeClass, 'spec'>): readonly string[] => {
  if (spec === undefined) return ['spec is missing']
  const names = Object.keys(NEEDED) as readonly (keyof typeof NEEDED)[]
  // The default class of Bizfly's own provider has this tag, which has no effect.
  const own = Object.entries(tagMetadata(spec.tags ?? [])).filter(
    ([key, value]) => RESERVED_METADATA.has(key) && !(key === METADATA.managed && value === 'true'),
  )
  return [
    ...names.flatMap((name) => {
      const values: readonly string[] = spec[name] ?? []
      if (values.length === 0) return [`spec.${name} is empty; add a value, for example ${NEEDED[name]}`]
      return values.includes('') ? [`spec.${name} has an empty value; remove it`] : []
    }),
    ...own.map(([key]) => `spec.tags: only the controller sets ${key}; remove the tag`),
  ]
}

/** Returns a sentence about the class's fields that have no effect on servers, or undefined if there are none. */
export const unusedFields = ({ spec }: Pick<BizflyCloudNodeClass, 'spec'>): string | undefined => {
  const unused = [
    ...((spec?.sshKeys ?? []).length > 0 ? ['spec.sshKeys (the API takes spec.sshKeyName alone)'] : []),
    ...((spec?.tags ?? []).some((tag) => tag.indexOf('=') < 1) ? ['spec.tags without KEY=VALUE'] : []),
  ]
  return unused.length === 0 ? undefined : `not used: ${unused.join(', ')}`
}
