import type { Conditions, PolicyScope, PolicyStatement } from './statement.ts'
import { policyStatements } from './statements.ts'

/** An IAM policy document. */
export interface PolicyDocument {
  readonly Version: '2012-10-17'
  readonly Statement: readonly {
    readonly Sid: string
    readonly Effect: 'Allow'
    readonly Action: readonly string[]
    readonly Resource: readonly string[]
    readonly Condition?: Conditions
  }[]
}

/**
 * Returns the name of upstream's managed policy that contains the statement. There are several policies, because IAM limits the size of
 * each.
 */
const policyOfStatement = ({ capability, name }: PolicyStatement): string => {
  switch (capability) {
    case 'launch':
      return name === 'AllowPassingInstanceRole' ? 'IAMIntegration' : 'NodeLifecycle'
    case 'instanceProfiles':
      return /List|Read/.test(name) ? 'ResourceDiscovery' : 'IAMIntegration'
    case 'clusterFacts':
      return 'EKSIntegration'
    case 'interruption':
      return 'Interruption'
    case 'zonalShift':
      return 'ZonalShift'
    case 'commitments':
      return 'Commitments'
    case 'discovery':
      return 'ResourceDiscovery'
  }
}

/** Returns the policies of the controller by name. They are named and divided as in upstream. */
export const policyDocuments = (
  scope: PolicyScope,
  contents: readonly PolicyStatement[] = policyStatements(scope),
): ReadonlyMap<string, PolicyDocument> => {
  const byName = Map.groupBy(
    contents,
    (statement) => `KarpenterController${policyOfStatement(statement)}Policy-${scope.clusterName}`,
  )
  return new Map(
    [...byName].map(([name, statements]) => [
      name,
      {
        Version: '2012-10-17',
        Statement: statements.map(({ name: Sid, actions, resources, conditions }) => ({
          Sid,
          Effect: 'Allow',
          Action: actions,
          Resource: resources,
          ...(conditions === undefined ? {} : { Condition: conditions }),
        })),
      } as const,
    ]),
  )
}
