import type { NetworkApi } from '../api/azure-api.ts'
import { azureErrors } from '../azure-errors.ts'

const NAME = /^aks-agentpool-(\d{8})-nsg$/i

/** The security group that AKS created for nodes, and the AKS number in its name. */
export interface ManagedGroup {
  readonly id: string
  readonly name: string
  readonly routeTable: string
}

/**
 * Finds AKS's security group in the node resource group. There must be exactly one. Kerf reads it once, and only if nodes are in a virtual
 * network of the user, because other nodes do not need it. Upstream always reads it, and launches nothing unless there is exactly one.
 *
 * @returns a function that returns the group, and throws KerfError `SecurityGroups` if there is not exactly one.
 */
export const managedSecurityGroup = (
  network: Pick<NetworkApi, 'securityGroups'>,
): ((signal: AbortSignal) => Promise<ManagedGroup>) => {
  let known: ManagedGroup | undefined
  return async (signal) => {
    if (known !== undefined) return known
    const groups = await network.securityGroups(signal)
    const managed = groups.flatMap(({ id, name = '' }) => {
      const [, number] = NAME.exec(name) ?? []
      return id === undefined || number === undefined
        ? []
        : [{ id, name, routeTable: `aks-agentpool-${number}-routetable` }]
    })
    const [first] = managed
    if (first === undefined || managed.length > 1) throw azureErrors.SecurityGroups({ found: managed.length })
    known = first
    return first
  }
}
