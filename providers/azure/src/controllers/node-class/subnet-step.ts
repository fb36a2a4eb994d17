import type { NetworkApi } from '../../api/azure-api.ts'
import { isAzureNotFound } from '../../api/azure-api-error.ts'
import {
  isManagedNetwork,
  isSameNetwork,
  isSameSubnet,
  nodeClassSubnetId,
  parseSubnetId,
  type SubnetId,
} from '../../resource-ids/subnet-id.ts'
import type { AzureSettings } from '../../settings/azure-settings.ts'
import { bad, good, MINUTE, type Step, toStepCause } from './step.ts'

const TYPE = 'SubnetsReady'
const INVALID = 'SubnetIDInvalid'

type SubnetSettings = Pick<AzureSettings, 'vnetSubnetID' | 'azureNodeResourceGroup'>

/** Returns the reason why nodes cannot use the `wanted` subnet in a cluster with the subnet `cluster`, or undefined if they can. */
const refusalOf = (wanted: SubnetId, cluster: SubnetId, nodeResourceGroup: string): string | undefined => {
  if (isSameSubnet(wanted, cluster)) return undefined
  if (isManagedNetwork(cluster, nodeResourceGroup) && isSameNetwork(wanted, cluster))
    return `the virtual network ${cluster.virtualNetwork} is managed by AKS, which does not use other subnets of it; omit spec.vnetSubnetID, or use your own virtual network`
  if (!isSameNetwork(wanted, cluster))
    return `the subnet is in the virtual network ${wanted.resourceGroup}/${wanted.virtualNetwork}, but the cluster is in ${cluster.resourceGroup}/${cluster.virtualNetwork}; use a subnet of the latter`
  return undefined
}

/**
 * Checks whether the subnet of the nodes exists, and whether nodes can use it (`providers/azure/docs/spec/azure.md#nodeclass-controllers`).
 */
export const subnetStep = (network: Pick<NetworkApi, 'subnet'>, settings: SubnetSettings): Step => ({
  condition: TYPE,
  run: async (nodeClass, signal) => {
    const id = nodeClassSubnetId(nodeClass, settings)
    const wanted = parseSubnetId(id)
    const cluster = parseSubnetId(settings.vnetSubnetID)
    const again = 3 * MINUTE
    if (wanted === undefined)
      return {
        condition: bad(
          TYPE,
          INVALID,
          `${JSON.stringify(id)} is not the resource ID of a subnet; correct spec.vnetSubnetID`,
        ),
      }
    const refusal = cluster === undefined ? undefined : refusalOf(wanted, cluster, settings.azureNodeResourceGroup)
    if (refusal !== undefined) return { condition: bad(TYPE, INVALID, refusal), again }
    try {
      await network.subnet(id, signal)
      return { condition: good(TYPE), again }
    } catch (error) {
      signal.throwIfAborted()
      if (isAzureNotFound(error))
        return {
          condition: bad(
            TYPE,
            'SubnetNotFound',
            `subnet ${id} does not exist; create it, or correct spec.vnetSubnetID`,
          ),
          again: MINUTE,
        }
      const cause = toStepCause(error)
      if (cause === undefined) throw error
      return {
        unanswered: {
          type: TYPE,
          status: 'Unknown',
          reason: 'SubnetUnknownError',
          message: `subnet ${id}: ${cause.message}`,
        },
        error,
      }
    }
  },
})
