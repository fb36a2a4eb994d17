import type { GroupReader, ReaderTools, ReadGroup } from '@kerf/provider-contract'
import { asObjects, asText, isLoose, type Loose } from '@kerf/provider-kit/documents'
import { fieldConversion } from '@kerf/provider-kit/migration'
import { type AckLaunch, readAckPool } from './read-node-pool.ts'
import { poolExport } from './read-terraform.ts'

const isPool = (value: unknown): value is Loose =>
  isLoose(value) && isLoose(value['nodepool_info']) && isLoose(value['scaling_group'])

const POOL_RESOURCE = 'alicloud_cs_kubernetes_node_pool'

/** Returns a reader for the output of `aliyun cs` about a cluster and its node pools, and for Terraform resources. */
export const groupReader = ({ report }: Pick<ReaderTools, 'report'>): GroupReader<AckLaunch> => {
  const pools: ReadGroup<AckLaunch>[] = []
  let clusterId: string | undefined

  const addPool = (source: unknown, at: string): void => {
    if (isPool(source)) pools.push(readAckPool(source, at))
    else report(fieldConversion(at, 'ACK node pool', { because: 'it has no scaling_group: the export is cut off' }))
  }

  return {
    read: (value, at) => {
      // This is a Kubernetes object.
      if (asText(value['apiVersion']) !== undefined && asText(value['kind']) !== undefined) return false
      if (asText(value['cluster_id']) !== undefined && asText(value['cluster_type']) !== undefined) {
        clusterId ??= asText(value['cluster_id'])
        return true
      }
      const listed = asObjects(value['nodepools'])
      if (listed.length === 0 && !isPool(value)) return false
      for (const pool of listed.length === 0 ? [value] : listed) addPool(pool, at)
      return true
    },
    readResources: (resources, at) => {
      const used = resources.filter(({ type }) => type === POOL_RESOURCE)
      for (const { values, address } of used) {
        clusterId ??= asText(values['cluster_id'])
        addPool(poolExport(values), `${at} ${address}`)
      }
      return new Set(used)
    },
    finish: () => ({
      groups: pools.map(({ group }) => group),
      conversions: pools.flatMap(({ conversions }) => conversions),
      questions: pools.flatMap(({ questions }) => questions),
      ...(clusterId === undefined ? {} : { clusterName: clusterId }),
    }),
  }
}
