import { NotKnownYetError } from '@kerf/provider-contract'
import type { ManagementCluster } from '../management/management-cluster.ts'
import type { Machine } from '../objects/machine.ts'
import { MACHINE_TEMPLATE_DRIFT, templateComparison } from './template-drift.ts'

/**
 * Returns a function that returns the reason why a Machine differs from its MachineDeployment's template
 * (`providers/cluster-api/docs/spec/cluster-api.md#drift`). The function returns undefined if Cluster API itself replaces Machines under
 * the deployment's strategy, and for a Machine without a deployment.
 * It throws NotKnownYetError while Cluster API has not set the Machine's condition, and while the management cluster's state is unknown.
 */
export const machineDrift =
  (management: ManagementCluster) =>
  (machine: Machine): string | undefined => {
    const { namespace, deploymentName } = machine
    const name = deploymentName === undefined ? undefined : { namespace, name: deploymentName }
    const deployment = name && management.deployment(name)
    if (name === undefined || deployment?.strategy !== 'OnDelete') return undefined
    switch (templateComparison(machine, deployment, management.machineSetsOf(name))) {
      case 'older':
        return MACHINE_TEMPLATE_DRIFT
      case 'current':
        return undefined
      case 'not-known':
        throw new NotKnownYetError(
          `Cluster API has not reported yet whether Machine ${namespace}/${machine.name} is up to date${withoutSets(management, machine)}`,
        )
    }
  }

/** Cluster API before 1.9 never sets the condition, so Kerf compares the MachineSets instead. */
const withoutSets = ({ permissions }: ManagementCluster, { upToDate }: Machine): string =>
  upToDate === undefined && permissions.may('list', 'machinesets') === false
    ? '; to read it from the MachineSet instead, grant Kerf list and watch on machinesets.cluster.x-k8s.io in the management cluster'
    : ''
