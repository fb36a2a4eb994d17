import { neededPolicies, ociCapabilityTexts } from './needed-policies.ts'

/** The controller's ServiceAccount, and the compartment in which it may launch instances. */
export interface PolicyScope {
  /** Kerf's namespace and ServiceAccount, for the workload identity. */
  readonly namespace: string
  readonly serviceAccount: string
  /** The OCID of the OKE cluster. */
  readonly clusterId: string
  /** The OCID of the compartment of the instances and networks. */
  readonly compartmentId: string
}

/** Returns a condition that only the controller's workload identity meets. */
const condition = ({ namespace, serviceAccount, clusterId }: PolicyScope): string =>
  `where all {request.principal.type = 'workload', request.principal.namespace = '${namespace}', request.principal.service_account = '${serviceAccount}', request.principal.cluster_id = '${clusterId}'}`

/** Returns the controller's policy statements, one per kind of resource. They are generated from the API calls in Kerf's code. */
export const controllerStatements = (scope: PolicyScope): readonly string[] =>
  neededPolicies().map(
    ({ verb, resource }) =>
      `Allow any-user to ${verb} ${resource} in compartment id ${scope.compartmentId} ${condition(scope)}`,
  )

/** Returns the matching rule for the dynamic group of the nodes, and the statement that allows them to join the cluster. */
export const nodeStatements = ({ compartmentId }: Pick<PolicyScope, 'compartmentId'>, group: string) => ({
  matchingRule: `ALL {instance.compartment.id = '${compartmentId}'}`,
  statement: `Allow dynamic-group ${group} to {CLUSTER_JOIN} in compartment id ${compartmentId}`,
})

/** Returns the reason why Kerf needs each kind of resource, in the order of the statements. */
export const policyReasons = (): readonly (readonly [resource: string, reason: string])[] =>
  neededPolicies().map(({ resource, capability }) => [resource, ociCapabilityTexts[capability]])
