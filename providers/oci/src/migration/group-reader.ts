import type { GroupReader, ReaderTools, ReadGroup } from '@kerf/provider-contract'
import { asObjects, asText, isLoose, type Loose } from '@kerf/provider-kit/documents'
import { fieldConversion } from '@kerf/provider-kit/migration'
import { terraformPool, withApiNames } from './field-names.ts'
import { type OkeLaunch, readOkePool } from './read-node-pool.ts'

const POOL_RESOURCE = 'oci_containerengine_node_pool'
const POOL_ID = 'ocid1.nodepool.'
const CLUSTER_ID = 'ocid1.cluster.'
const VIRTUAL_POOL_ID = 'ocid1.virtualnodepool.'

const hasId = (value: Loose, prefix: string): boolean => asText(value['id'])?.startsWith(prefix) === true

/**
 * Returns a reader for the output of `oci ce` about a cluster and its node pools, and for Terraform resources. Lists of node pools lack
 * some fields, so the output for a single node pool takes precedence.
 */
export const groupReader = ({ report }: Pick<ReaderTools, 'report'>): GroupReader<OkeLaunch> => {
  const pools = new Map<string, { readonly pool: Loose; readonly at: string }>()
  let clusterName: string | undefined

  const addPool = (pool: Loose, at: string): void => {
    const id = asText(pool['id']) ?? ''
    const earlier = pools.get(id)
    if (!isLoose(pool['nodeConfigDetails']))
      report(fieldConversion(at, 'OKE node pool', { because: 'it has no nodeConfigDetails: the export is cut off' }))
    else pools.set(id, { pool: { ...earlier?.pool, ...pool }, at })
  }

  const read = (source: Loose, at: string): boolean => {
    const object = withApiNames(source)
    if (hasId(object, CLUSTER_ID)) clusterName ??= asText(object['name'])
    else if (hasId(object, POOL_ID)) addPool(object, at)
    else if (hasId(object, VIRTUAL_POOL_ID))
      report(fieldConversion(at, 'virtual node pool of OKE', { because: 'its nodes are not instances' }))
    else return false
    return true
  }

  return {
    read: (value, at) => {
      // The command line wraps its result in the field `data`: an object or a list.
      const { data = value } = value
      const objects = Array.isArray(data) ? asObjects(data) : isLoose(data) ? [data] : []
      return objects.filter((each) => read(each, at)).length > 0
    },
    readResources: (resources, at) => {
      const used = resources.filter(({ type }) => type === POOL_RESOURCE)
      for (const { values, address } of used) addPool(terraformPool(values), `${at} ${address}`)
      return new Set(used)
    },
    finish: () => {
      const groups: readonly ReadGroup<OkeLaunch>[] = [...pools.values()].map(({ pool, at }) => readOkePool(pool, at))
      return {
        groups: groups.map(({ group }) => group),
        conversions: groups.flatMap(({ conversions }) => conversions),
        questions: groups.flatMap(({ questions }) => questions),
        ...(clusterName === undefined ? {} : { clusterName }),
      }
    },
  }
}
