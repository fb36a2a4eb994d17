import { orphanCollection, readField, readTextField } from '@kerf/provider-kit'
import { type Controller, source } from '@kerf/runtime'
import { isAzureNotFound } from '../api/azure-api-error.ts'
import type { AzureDeps } from '../azure-deps.ts'
import { claimVmName } from '../instances/instance-names.ts'
import { ownedQuery } from '../instances/instances.ts'
import { TAG } from '../tags/resource-tags.ts'

const EVERY = 5 * 60_000
const CONCURRENCY = 10

/**
 * Deletes network interfaces and disks that have neither a VM nor a NodeClaim (`providers/azure/docs/spec/azure.md#garbage-collection`).
 * Such resources remain if a VM fails, or if a launch is interrupted after it has created the interface but before it has created the VM.
 * They have the name of the VM, which contains the NodeClaim's name.
 */
export const leftoverCollections = ({ context, options, claims, instances }: AzureDeps): readonly Controller[] => {
  const { api, settings } = options
  const collection = (
    name: string,
    type: string,
    remove: (resource: string, signal: AbortSignal) => Promise<void>,
  ): Controller => {
    let inUse: ReadonlySet<string> = new Set()
    return orphanCollection<string>({
      name,
      sources: [source(claims.claims, () => [])],
      interval: EVERY,
      concurrency: CONCURRENCY,
      list: async (signal) => {
        const rows = await api.resourceGraph.query(ownedQuery(type, settings.azureNodeResourceGroup), signal)
        inUse = new Set((await instances.list(signal)).map(({ id }) => id))
        return rows
          .filter((row) => readTextField(readField(row, 'tags'), TAG.cluster) === settings.clusterName)
          .flatMap((row) => readTextField(row, 'name')?.toLowerCase() ?? [])
      },
      keyOf: (resource) => resource,
      usage: () => {
        const own = new Set([...claims.claims.values()].map(({ metadata }) => claimVmName(metadata.name)))
        return (resource) => own.has(resource) || inUse.has(resource)
      },
      delete: async (resource, signal) => {
        try {
          await remove(resource, signal)
          context.log.info('garbage collected', { type, name: resource })
        } catch (error) {
          // Azure reserves the interface of a VM that failed within the last three minutes. A later run of this controller deletes it.
          const isReserved = readTextField(error, 'code') === 'NicReservedForAnotherVm'
          if (!isReserved && !isAzureNotFound(error)) throw error
        }
      },
    })
  }
  return [
    collection('networkinterface.garbagecollection', 'microsoft.network/networkinterfaces', (name, signal) =>
      api.network.deleteNetworkInterface(name, signal),
    ),
    collection('disk.garbagecollection', 'microsoft.compute/disks', (name, signal) =>
      api.compute.deleteDisk(name, signal),
    ),
  ]
}
