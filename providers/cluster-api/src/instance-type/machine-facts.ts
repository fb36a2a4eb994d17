import type { Node } from '@kerf/apis'
import { templateComparison } from '../drift/template-drift.ts'
import type { ManagementCluster } from '../management/management-cluster.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { ObservedMachine } from './observed-machine.ts'
import type { KnownTemplate, TemplateDescription } from './template-description.ts'

/** The known facts about a MachineDeployment's machines, in addition to its annotations. */
export interface MachineFacts {
  /** The facts that the MachineDeployment's Nodes report. Undefined while it has no ready Node. */
  readonly observed?: ObservedMachine
  /** The facts that the MachineDeployment's machine template publishes. Most infrastructures publish none. */
  readonly template?: TemplateDescription
  /** True if Kerf would read the template, but the permission is missing. */
  readonly isTemplateForbidden?: boolean
}

/**
 * Returns those Nodes of a MachineDeployment whose Machines match its current template, because only they predict the next machine. A Node
 * belongs to a Machine if their provider IDs are equal.
 *
 * @throws NotKnownYetError while the management cluster's state is unknown.
 */
export const deploymentNodes = (
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

/** Combines the facts about a MachineDeployment's machines from its Nodes and from its machine template. */
export const machineFacts = (
  observed: ObservedMachine | undefined,
  template: KnownTemplate | undefined,
): MachineFacts => ({
  ...(observed === undefined ? {} : { observed }),
  ...(template?.kind === 'described' ? { template: template.description } : {}),
  ...(template?.kind === 'forbidden' ? { isTemplateForbidden: true } : {}),
})

/** Returns true if the facts are equal. Comparing identities is enough, because changed facts are always new objects. */
export const areSameFacts = (a: MachineFacts, b: MachineFacts): boolean =>
  a.observed === b.observed && a.template === b.template && a.isTemplateForbidden === b.isTemplateForbidden
