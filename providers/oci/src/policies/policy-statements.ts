import { neededPolicies, ociCapabilityTexts } from './needed-policies.ts'

/** The ServiceAccount of the controller, and where it may launch instances. */
export interface PolicyScope {
  /** Kerf's namespace and ServiceAccount, for the workload identity. */
  readonly namespace: string
  readonly serviceAccount: string
  /** The OCID of the cluster of OKE. */
  readonly clusterId: string
  /** The OCID of the compartment of the instances and networks. */
  readonly compartmentId: string
}

/** Returns the condition that only the workload identity of the controller meets. */
const condition = ({ namespace, serviceAccount, clusterId }: PolicyScope): string =>
  `where all {request.principal.type = 'workload', request.principal.namespace = '${namespace}', request.principal.service_account = '${serviceAccount}', request.principal.cluster_id = '${clusterId}'}`

/** Returns the statements of the policy of the controller, one for each kind of resource, from the calls that Kerf makes. */
export const controllerStatements = (scope: PolicyScope): readonly string[] =>
  neededPolicies().map(
    ({ verb, resource }) =>
      `Allow any-user to ${verb} ${resource} in compartment id ${scope.compartmentId} ${condition(scope)}`,
  )

/** Returns the rule of the dynamic group of the nodes, and the statement with which they join the cluster. */
export const nodeStatements = ({ compartmentId }: Pick<PolicyScope, 'compartmentId'>, group: string) => ({
  matchingRule: `ALL {instance.compartment.id = '${compartmentId}'}`,
  statement: `Allow dynamic-group ${group} to {CLUSTER_JOIN} in compartment id ${compartmentId}`,
})

/** Returns why Kerf needs each kind of resource, in the order of the statements. */
export const policyReasons = (): readonly (readonly [resource: string, reason: string])[] =>
  neededPolicies().map(({ resource, capability }) => [resource, ociCapabilityTexts[capability]])
