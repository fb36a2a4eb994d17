import type { NetworkApi } from '../api/azure-api.ts'

const NAME = /^aks-agentpool-(\d{8})-nsg$/i

/** The security group that AKS made for nodes, and what else has its number. */
export interface ManagedGroup {
  readonly id: string
  readonly name: string
  readonly routeTable: string
}

/**
 * Finds the one security group of AKS in the node resource group, once. Only nodes in a network that AKS did not make are put into
 * it, and only for them it is asked for: upstream launches nothing anywhere when there are none or two.
 *
 * @returns a function that throws Error for none or several.
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
    if (first === undefined || managed.length > 1)
      throw new Error(
        `there are ${managed.length} security groups of the form aks-agentpool-12345678-nsg in the node resource group, and nodes in a network of your own need exactly one`,
      )
    known = first
    return first
  }
}
