import { NotKnownYetError } from '@kerf/provider-contract'
import type { ManagementCluster } from '../management/management-cluster.ts'
import type { Machine } from '../objects/machine.ts'
import { MACHINE_TEMPLATE_DRIFT, templateComparison } from './template-drift.ts'

/**
 * Why a Machine is no longer what its MachineDeployment's template says (`docs/spec/cluster-api.md#drift`). Nothing under a
 * strategy by which Cluster API replaces Machines itself, and nothing for a Machine whose deployment is gone.
 *
 * Throws NotKnownYetError while Cluster API has not judged the Machine, and while the management cluster is not known.
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
          `Cluster API has not said yet whether Machine ${namespace}/${machine.name} is up to date${withoutSets(management, machine)}`,
        )
    }
  }

/** Versions before 1.9 never say it: there the sets do. */
const withoutSets = ({ permissions }: ManagementCluster, { upToDate }: Machine): string =>
  upToDate === undefined && permissions.may('list', 'machinesets') === false
    ? '; without that its MachineSet tells: grant Kerf list and watch on machinesets.cluster.x-k8s.io in the management cluster'
    : ''
