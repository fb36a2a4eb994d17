export type {
  AzureApi,
  CommunityImageVersion,
  ComputeApi,
  ImageApi,
  NetworkApi,
  NodeImageVersion,
  PendingChange,
  ResourceGraphApi,
} from './api/azure-api.ts'
export { AzureApiError, isAzureNotFound } from './api/azure-api-error.ts'
export { type CloudEndpoints, cloudEndpoints } from './api/cloud-endpoints.ts'
export { type AzureConnection, completedSettings, connectAzure } from './api/connect-azure.ts'
export { type CredentialOptions, createTokens, sdkCredential } from './api/credentials.ts'
export { sdkApi } from './api/sdk-api.ts'
export type { SdkOptions } from './api/sdk-clients.ts'
export type { AzureProvider } from './azure-provider.ts'
export { customData } from './bootstrap/custom-data.ts'
export type { NodeFacts } from './bootstrap/node-facts.ts'
export { type AksNodeClassDeps, aksNodeClassControllers } from './controllers/node-class/aks-node-class-status.ts'
export { assembleAzure } from './create-azure.ts'
export type { SubscriptionFinding } from './diagnostics/finding.ts'
export { type VerifyDeps, verifySubscription } from './diagnostics/verify-subscription.ts'
export { type DriftFacts, driftReason, type MachineState } from './drift/drift-reason.ts'
export {
  classifyLaunchRefusal,
  type LaunchRefusal,
  type RefusedLaunch,
  type RefusedScope,
} from './failures/launch-refusal.ts'
export { type ImageDefinition, listImageDefinitions } from './images/image-definitions.ts'
export { type ImageQuestion, type ResolvedFamily, resolvedFamily } from './images/image-family.ts'
export {
  communityImageId,
  imageGallery,
  isNewerImageVersion,
  parseNodeImageVersion,
  sharedImageId,
} from './images/image-version.ts'
export { type InPlaceUpdate, inPlaceUpdateHash } from './in-place/in-place-update-hash.ts'
export {
  azureProviderId,
  claimVmName,
  nameInAksPool,
  parseClaimName,
  vmNameOfProviderId,
} from './instances/instance-names.ts'
export { imageFor } from './launch/image-choice.ts'
export { type NicPlan, nicBody } from './launch/nic-body.ts'
export { type LabelFacts, nodeLabels } from './launch/node-labels.ts'
export { chooseOffering } from './launch/offering-choice.ts'
export { type VmPlan, vmBody } from './launch/vm-body.ts'
export { vmMetrics } from './launch/vm-metrics.ts'
export { azureAnnotations } from './names.ts'
export { NODE_CLASS_HASH_VERSION, nodeClassHash } from './node-class/hash.ts'
export { CoreQuotas } from './quota/core-quotas.ts'
export {
  isManagedNetwork,
  isSameNetwork,
  isSameSubnet,
  nodeClassSubnetId,
  parseSubnetId,
  type SubnetId,
} from './resource-ids/subnet-id.ts'
export { builtInRoles } from './roles/built-in-roles.ts'
export { checkRoles, RoleFileError } from './roles/check-roles.ts'
export {
  type AzureCapability,
  azureCapabilities,
  neededActions,
  type UsedCapabilities,
} from './roles/needed-actions.ts'
export { type RoleAssignment, type RoleTarget, roleAssignments } from './roles/role-assignments.ts'
export { type AzureSettings, azureSettings } from './settings/azure-settings.ts'
export { settingProblems } from './settings/setting-problems.ts'
export { resourceTags, TAG, type Tags } from './tags/resource-tags.ts'
