import { policyDocuments } from '../policy/documents.ts'
import type { PolicyScope } from '../policy/statement.ts'
import { fargateSelectors, SYSTEM_GROUP } from './account-resources.ts'
import type { InstallNames } from './install-target.ts'

/** The platform of the controller, and the version of the cluster. */
export interface ClusterChoices {
  readonly home: 'managed-nodes' | 'fargate'
  readonly namespace: string
  /** Defaults to the newest version that EKS offers. */
  readonly kubernetesVersion?: string
}

const systemGroup = {
  name: SYSTEM_GROUP.name,
  instanceType: SYSTEM_GROUP.instanceType,
  amiFamily: 'AmazonLinux2023',
  minSize: SYSTEM_GROUP.size,
  desiredCapacity: SYSTEM_GROUP.size,
  maxSize: SYSTEM_GROUP.size,
  labels: SYSTEM_GROUP.labels,
  taints: [SYSTEM_GROUP.taint],
}

/** Returns how the controller's pods get their role. Pod Identity needs a DaemonSet, and Fargate does not run DaemonSets. */
const controllerIdentity = (
  { controllerRole }: InstallNames,
  scope: Required<PolicyScope>,
  { home, namespace }: ClusterChoices,
) => {
  const { accountId, partition } = scope
  if (home !== 'fargate') {
    const roleARN = `arn:${partition}:iam::${accountId}:role/${controllerRole}`
    return { podIdentityAssociations: [{ namespace, serviceAccountName: 'karpenter', roleARN }] }
  }
  const attachPolicyARNs = [...policyDocuments(scope).keys()].map(
    (name) => `arn:${partition}:iam::${accountId}:policy/${name}`,
  )
  const metadata = { namespace, name: 'karpenter' }
  return { serviceAccounts: [{ metadata, roleName: controllerRole, roleOnly: true, attachPolicyARNs }] }
}

/**
 * Returns the `ClusterConfig` for eksctl: a cluster with nodes for the controller, the controller's identity, and the access entry of
 * launched nodes. The stack of `kerf aws cloudformation` must exist first, because it contains the roles, the queue and the rules.
 */
export const eksctlConfig = (names: InstallNames, scope: Required<PolicyScope>, choices: ClusterChoices) => {
  const { clusterName, region, accountId, partition } = scope
  const role = (name: string): string => `arn:${partition}:iam::${accountId}:role/${name}`
  const isFargate = choices.home === 'fargate'
  const addons = ['vpc-cni', 'kube-proxy'].map((name) => ({ name }))
  return {
    apiVersion: 'eksctl.io/v1alpha5',
    kind: 'ClusterConfig',
    metadata: {
      name: clusterName,
      region,
      ...(choices.kubernetesVersion === undefined ? {} : { version: choices.kubernetesVersion }),
      tags: { 'karpenter.sh/discovery': clusterName },
    },
    accessConfig: {
      authenticationMode: 'API_AND_CONFIG_MAP',
      accessEntries: [{ principalARN: role(names.nodeRole), type: 'EC2_LINUX' }],
    },
    iam: { withOIDC: true, ...controllerIdentity(names, scope, choices) },
    addons: isFargate
      ? [...addons, { name: 'coredns', configurationValues: JSON.stringify({ computeType: 'Fargate' }) }]
      : [...addons, { name: 'coredns' }, { name: 'eks-pod-identity-agent' }],
    ...(isFargate
      ? { fargateProfiles: [{ name: 'karpenter', selectors: fargateSelectors(choices.namespace) }] }
      : { managedNodeGroups: [systemGroup] }),
  }
}
