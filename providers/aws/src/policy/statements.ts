import { ec2Service } from '../api/partition.ts'
import { instanceProfileStatements } from './instance-profile-statements.ts'
import { launchStatements } from './launch-statements.ts'
import { clusterStatements, commitmentStatements, discoveryStatements } from './read-statements.ts'
import type { PolicyScope, PolicyStatement, StatementScope } from './statement.ts'

const statementScope = (given: PolicyScope): StatementScope => {
  const { clusterName, region, accountId, partition = 'aws' } = given
  const scope = {
    nodeRoleName: `KarpenterNodeRole-${clusterName}`,
    otherNodeRoleNames: [],
    queueName: clusterName,
    partition,
    ec2Service: ec2Service(partition),
    ...given,
  }
  return {
    scope,
    ec2: (kind) => `arn:${partition}:ec2:${region}:*:${kind}/*`,
    publicEc2: (kind) => `arn:${partition}:ec2:${region}::${kind}/*`,
    instanceProfiles: `arn:${partition}:iam::${accountId}:instance-profile/*`,
    clusterArn: `arn:${partition}:eks:${region}:${accountId}:cluster/${clusterName}`,
  }
}

/**
 * Returns all statements of the controller's role (`providers/aws/docs/spec/aws-installation.md#controller-permissions`), which are
 * the minimum permissions for all capabilities. The request that creates a resource also tags it, and IAM denies a request without
 * the tags.
 */
export const policyStatements = (scope: PolicyScope): readonly PolicyStatement[] => {
  const given = statementScope(scope)
  return [
    ...launchStatements(given),
    ...instanceProfileStatements(given),
    ...clusterStatements(given),
    ...discoveryStatements(given),
  ]
}

/** Returns the statements that only optional features need. The default policies do not contain them. */
export const optionalStatements = (scope: PolicyScope): readonly PolicyStatement[] =>
  commitmentStatements(statementScope(scope))
