export { ClusterApiProvider, type ClusterApiProviderOptions } from './cluster-api-provider.ts'
export { type NodeClassStatusDeps, nodeClassStatus } from './controllers/node-class-status.ts'
export { clusterApiOver } from './create-cluster-api.ts'
export { machineDrift } from './drift/machine-drift.ts'
export { MACHINE_TEMPLATE_DRIFT, type TemplateComparison, templateComparison } from './drift/template-drift.ts'
export { type DeploymentOffer, deploymentOffer } from './instance-type/deployment-offer.ts'
export { type LaunchChoice, launchChoices } from './instance-type/launch-sources.ts'
export { deploymentNodes, type MachineFacts, machineFacts } from './instance-type/machine-facts.ts'
export { MachineTemplates } from './instance-type/machine-templates.ts'
export { type LaunchSource, type MergedTypes, mergedTypes } from './instance-type/merged-types.ts'
export { type DeploymentProblem, describeProblem } from './instance-type/problem.ts'
export { StableTypes } from './instance-type/stable-types.ts'
export { machineTypes } from './instance-type/types-of.ts'
export { abandonedMachines, type BindingStep, nextBindingStep } from './machines/binding.ts'
export type {
  ClaimView,
  DeleteMark,
  DeploymentState,
  DeploymentView,
  MachineSetView,
  MachineView,
} from './machines/machine-view.ts'
export { createManagementCluster } from './management/create-management-cluster.ts'
export { discoverVersion } from './management/discovery.ts'
export type { GrantedPermissions, ManagementResource, ManagementVerb } from './management/granted-permissions.ts'
export { InformedManagementCluster } from './management/informed-management-cluster.ts'
export type {
  FreshDeployment,
  ManagementChange,
  ManagementCluster,
  NamespacedName,
} from './management/management-cluster.ts'
export { UNREACHABLE_AFTER } from './management/management-cluster.ts'
export { describeManagementProblem, type ManagementProblem } from './management/management-problem.ts'
export type { Reachability } from './management/reachability.ts'
export { makeNodeClass } from './members/make-node-class.ts'
export type { Member, Membership } from './members/member.ts'
export { describeMemberProblem, type MemberProblem } from './members/member-problem.ts'
export { type MembershipView, nodeClassMembers } from './members/members-of.ts'
export { membershipReader } from './members/membership-reader.ts'
export { nodesWithoutMachine } from './members/nodes-without-machine.ts'
export { type ClusterApiVersion, parseClusterApiVersion } from './objects/api-version.ts'
export { type Cluster, readCluster } from './objects/cluster.ts'
export { type ClusterApiKinds, clusterApiKinds } from './objects/kinds.ts'
export { type Machine, readMachine } from './objects/machine.ts'
export { type MachineDeployment, readMachineDeployment } from './objects/machine-deployment.ts'
export { type MachineSet, readMachineSet } from './objects/machine-set.ts'
export { managementPermissions } from './permissions.ts'
export { type DeletionStep, nextDeletionStep, VERIFY_WITHIN } from './replicas/deletion.ts'
export { desiredReplicas, type ReplicasDecision } from './replicas/desired-replicas.ts'
export { surplusMachines } from './replicas/surplus.ts'
export { type ClusterApiSettings, clusterApiSettings } from './settings.ts'
