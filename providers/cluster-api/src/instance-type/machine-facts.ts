import type { Node } from '@kerf/apis'
import { templateComparison } from '../drift/template-drift.ts'
import type { ManagementCluster } from '../management/management-cluster.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { ObservedMachine } from './observed-machine.ts'
import type { KnownTemplate, TemplateDescription } from './template-description.ts'

/** What is known about a MachineDeployment's machines, in addition to its annotations. */
export interface MachineFacts {
  /** What its Nodes show. Undefined while it has no ready Node. */
  readonly observed?: ObservedMachine
  /** What its machine template publishes. Most infrastructures publish nothing. */
  readonly template?: TemplateDescription
  /** True if the template would be read, but the permission is missing. */
  readonly isTemplateForbidden?: boolean
}

/**
 * Returns the Nodes of a deployment whose Machines match its template, because only they predict the next machine. A Node counts
 * if its provider ID equals that of the Machine.
 *
 * @throws NotKnownYetError while the management cluster is unknown.
 */
export const nodesOf = (
  deployment: MachineDeployment,
  management: Pick<ManagementCluster, 'machinesOf' | 'machineSetsOf'>,
  nodeNamed: (name: string) => Node | undefined,
): readonly Node[] => {
  const sets = management.machineSetsOf(deployment)
  return management.machinesOf(deployment).flatMap((machine) => {
    if (machine.isDeleting || machine.nodeName === undefined) return []
    if (templateComparison(machine, deployment, sets) !== 'current') return []
    const node = nodeNamed(machine.nodeName)
    return node !== undefined && node.spec.providerID === machine.providerId ? [node] : []
  })
}

/** Returns the facts of a deployment: what its Nodes show, and what its template contains if known. */
export const machineFacts = (
  observed: ObservedMachine | undefined,
  template: KnownTemplate | undefined,
): MachineFacts => ({
  ...(observed === undefined ? {} : { observed }),
  ...(template?.kind === 'described' ? { template: template.description } : {}),
  ...(template?.kind === 'forbidden' ? { isTemplateForbidden: true } : {}),
})

/** Returns true if nothing has changed. Changed facts are other objects. */
export const areSameFacts = (a: MachineFacts, b: MachineFacts): boolean =>
  a.observed === b.observed && a.template === b.template && a.isTemplateForbidden === b.isTemplateForbidden
