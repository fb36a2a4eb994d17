import type { Node } from '@kerf/apis'
import { templateComparison } from '../drift/template-drift.ts'
import type { ManagementCluster } from '../management/management-cluster.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { ObservedMachine } from './observed-machine.ts'
import type { KnownTemplate, TemplateDescription } from './template-description.ts'

/** What is known of a MachineDeployment's machines besides its own annotations. */
export interface MachineFacts {
  /** What its Nodes show; nothing while it has none that is ready. */
  readonly observed?: ObservedMachine
  /** What its infrastructure publishes; most publish nothing. */
  readonly template?: TemplateDescription
  /** True where it would be asked, and may not be read. */
  readonly isTemplateForbidden?: boolean
}

/**
 * The Nodes on the machines of a deployment that are as its template says: others show nothing of the next machine. A Node
 * counts when Machine and Node agree on the provider ID.
 *
 * @throws NotKnownYetError while the management cluster is not known.
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

/** The facts of a deployment: what its Nodes show, beside what its template says where that is known. */
export const machineFacts = (
  observed: ObservedMachine | undefined,
  template: KnownTemplate | undefined,
): MachineFacts => ({
  ...(observed === undefined ? {} : { observed }),
  ...(template?.kind === 'described' ? { template: template.description } : {}),
  ...(template?.kind === 'forbidden' ? { isTemplateForbidden: true } : {}),
})

/** Whether nothing has been found out since. What is found out anew is another object. */
export const areSameFacts = (a: MachineFacts, b: MachineFacts): boolean =>
  a.observed === b.observed && a.template === b.template && a.isTemplateForbidden === b.isTemplateForbidden
