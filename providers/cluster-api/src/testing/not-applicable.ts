import type { CheckId } from '@kerf/provider-contract/conformance'

/** The checks of the provider contract that do not apply to Cluster API, each with the reason. */
export const notApplicable: Partial<Readonly<Record<CheckId, string>>> = {
  C03: 'a ClusterAPINodeClass is not hashed: an edit of its selector is no drift',
  C05: 'a Machine is born by its MachineSet, without marks, and bound afterwards',
  C20: 'Cluster API has no quotas; what an infrastructure refuses stays in Provisioning',
  C23: 'a launch makes one object',
  C26: 'the bootstrap provider of Cluster API makes the user data',
  D08: 'Cluster API deletes what belongs to a Machine',
  T06: 'the class has no kubelet settings',
  T08: 'zones are those of the MachineDeployments',
  T09: 'prices are annotations of MachineDeployments and are not refreshed',
  H02: 'a ClusterAPINodeClass is not hashed',
  H03: 'a ClusterAPINodeClass is not hashed',
  H05: 'the class selects no networks',
  B05: 'Cluster API deletes what belongs to a Machine',
  B06: 'Cluster API announces no interruptions',
  B07: 'a ClusterAPINodeClass owns nothing that outlives it',
  B08: 'the status of the class has a controller and a test of its own',
  B09: 'the marks of a Machine are written by its binding',
  B10: 'Cluster API changes Machines in place by itself',
  X04: 'credentials are those of the kubeconfig, whose renewal is tested with the connection',
  X05: 'the only secret is in the connection to the management cluster, which this harness does not have',
  X06: 'run as a story of its own on the real controllers',
}
