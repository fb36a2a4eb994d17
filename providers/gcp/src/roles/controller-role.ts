import { neededPermissions } from './needed-permissions.ts'

/** A custom IAM role, in the format of `gcloud iam roles create --file`. */
export interface CustomRole {
  readonly title: string
  readonly description: string
  readonly stage: 'GA'
  readonly includedPermissions: readonly string[]
}

/** Returns the role of the controller. Its permissions are generated from the API calls in the controller's code. */
export const controllerRole = (cluster: string): CustomRole => ({
  title: `Kerf, cluster ${cluster}`,
  description: 'What the node autoscaler Kerf does with instances and clusters of the project',
  stage: 'GA',
  includedPermissions: [...neededPermissions().keys()].toSorted(),
})

/** The identities and resources for which the role is created. */
export interface RoleTarget {
  readonly project: string
  readonly cluster: string
  /** The ID of the custom role in the project. */
  readonly roleId: string
  /** The name of the service account of the controller, without its domain. */
  readonly account: string
  /** The email address of the nodes' service account. If absent, nodes use the default service account of Compute Engine. */
  readonly nodeAccount?: string
  readonly namespace: string
  /** The name of the Kubernetes service account. */
  readonly serviceAccount: string
  /** The project of a Shared VPC. If absent, the network is in the project of the cluster. */
  readonly networkProject?: string
}

/** Returns the email address of the controller's service account. */
export const controllerAccount = ({ account, project }: Pick<RoleTarget, 'account' | 'project'>): string =>
  `${account}@${project}.iam.gserviceaccount.com`

/** Returns the IAM member of the pods that use the Kubernetes service account (Workload Identity Federation for GKE). */
export const podMember = ({ project, namespace, serviceAccount }: RoleTarget): string =>
  `serviceAccount:${project}.svc.id.goog[${namespace}/${serviceAccount}]`
