import { better, type Quirks } from '../../../../tests/integration/facts/quirks/quirk.ts'

/** Quirks of kubernetes-sigs/karpenter-provider-cluster-api at 2e0fec7. */
export const quirks: Quirks = {
  'Cluster API': [
    better(
      'a MachineDeployment without zone has the zone "", which spread pods count as a domain',
      'its Nodes have no zone: pods that need one are not planned there, as kube-scheduler would not place them',
      'is not a domain, so pods that must spread over zones or share a zone are not placed on it',
    ),
    better(
      'a Node without zone label is never consolidated, whatever its machines are',
      'it is, when its instance type has no zone either',
      'a node without a zone label can be consolidated if its instance type has no zone either',
    ),
    better(
      'MachineDeployments of one instance type, such as one for each zone, are several types of one name',
      'they are one type with an offering for each zone and capacity type; what contradicts is told',
      'in several zones they are one type with an offering for each',
      'in capacity: the type has the smallest amount of each resource, and the problem of the younger one names both',
    ),
    better(
      'an offering is always on-demand, so a MachineDeployment that is labelled spot is never used',
      'its capacity type is that of the labels annotation',
      'spot and on-demand are two offerings, and spot is launched first',
    ),
    better(
      'a maximum size that cannot be read is no limit',
      'the offering is not available, and the MachineDeploymentsReady condition names the annotation and what to write',
      '%j is not a size, and nothing is launched',
    ),
    better(
      'capacity text that is no quantity, as in an example of Cluster API’s own documentation, ends the process',
      'the deployment offers no instance type, and the problem names the annotation and what to write',
      'a real one with cpu "many", no memory and more replicas than its maximum has no type, and all problems are reported',
    ),
    better(
      'allocatable is capacity as annotated, so pods planned to the brim do not fit the machine that comes',
      'Nodes of the deployment say what is left to pods',
      'pods are planned with a real Node’s allocatable amounts, and with no more than the annotations',
    ),
    better(
      'a MachineDeployment without capacity annotations offers nothing, whatever its template and Nodes say',
      'the status of its infrastructure machine template stands in for them, then its Nodes',
      'replaces missing annotations, and invalid amounts are left out',
      'a deployment without annotations has the size of its Nodes, as in cluster autoscaler',
    ),
    better(
      'a MachineDeployment whose labels name no architecture is used by no NodePool that requires one',
      'amd64 and linux are assumed for planning, as the cluster autoscaler does, until a Node reports something else',
      'default to amd64 and linux, which are not written on Nodes',
    ),
    better(
      'nodes never drift, whatever becomes of the template',
      'the UpToDate condition of their Machines decides, where Cluster API does not replace them by itself',
      'real Machines, by the condition that Cluster API set',
    ),
    better(
      'a launch that waits for the place of a Machine that is being deleted fails after 30 s, and each retry raises the replicas',
      'it waits for the place of a Machine that is being deleted, half a minute at most, and lowers the replicas again',
      'does not delay a create, because its drain may wait for the pods of that create',
    ),
    better(
      'a GPU count without a type is left out in silence',
      'it is left out, and said so',
      'a GPU count without type, an invalid label, taint or price still give a type',
    ),
  ],
}
