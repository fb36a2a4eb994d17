import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkPolicy, PolicyFileError } from './check.ts'
import { policyDocuments } from './documents.ts'
import { capabilities } from './statement.ts'
import { optionalStatements, policyStatements } from './statements.ts'

const scope = { clusterName: 'demo', region: 'eu-west-1', accountId: '012345678901' }

describe('the policies', () => {
  test('the six policies of upstream, with its statements', () => {
    const table = [...policyDocuments(scope)].map(([name, { Statement }]) => [name, Statement.map(({ Sid }) => Sid)])
    expect(table).toMatchInlineSnapshot(`
      [
        [
          "KarpenterControllerNodeLifecyclePolicy-demo",
          [
            "AllowScopedEC2InstanceAccessActions",
            "AllowScopedEC2LaunchTemplateAccessActions",
            "AllowScopedEC2InstanceActionsWithTags",
            "AllowScopedResourceCreationTagging",
            "AllowScopedResourceTagging",
            "AllowScopedDeletion",
          ],
        ],
        [
          "KarpenterControllerIAMIntegrationPolicy-demo",
          [
            "AllowPassingInstanceRole",
            "AllowScopedInstanceProfileCreationActions",
            "AllowScopedInstanceProfileTagActions",
            "AllowScopedInstanceProfileActions",
          ],
        ],
        [
          "KarpenterControllerResourceDiscoveryPolicy-demo",
          [
            "AllowUnscopedInstanceProfileListAction",
            "AllowInstanceProfileReadActions",
            "AllowRegionalReadActions",
            "AllowSSMReadActions",
            "AllowPricingReadActions",
          ],
        ],
        [
          "KarpenterControllerEKSIntegrationPolicy-demo",
          [
            "AllowAPIServerEndpointDiscovery",
          ],
        ],
        [
          "KarpenterControllerInterruptionPolicy-demo",
          [
            "AllowInterruptionQueueActions",
          ],
        ],
        [
          "KarpenterControllerZonalShiftPolicy-demo",
          [
            "AllowZonalShiftStatusReadOnly",
          ],
        ],
      ]
    `)
  })

  test('every statement has a unique name, and every capability has a statement', () => {
    const statements = [...policyStatements(scope), ...optionalStatements(scope)]
    expect(new Set(statements.map(({ name }) => name)).size).toBe(statements.length)
    expect(new Set(statements.map(({ capability }) => capability))).toEqual(new Set(Object.keys(capabilities)))
  })

  test('the permissions of optional features are not in the default policies, and neither missing nor unused', () => {
    const own = optionalStatements(scope).flatMap(({ actions }) => actions)
    expect(own).toContain('savingsplans:DescribeSavingsPlans')
    const needed = policyStatements(scope).flatMap(({ actions }) => actions)
    expect(needed.filter((action) => own.includes(action))).toEqual([])
    const { missing, unused } = checkPolicy(
      JSON.stringify({ Statement: { Effect: 'Allow', Action: [...needed, ...own], Resource: '*' } }),
    )
    expect({ missing, unused }).toEqual({ missing: [], unused: [] })
  })

  test('none exceeds IAM’s size limit', () => {
    const long = { ...scope, clusterName: 'c'.repeat(100), partition: 'aws-us-gov', region: 'us-gov-east-1' }
    for (const [name, document] of policyDocuments(long))
      expect(JSON.stringify(document).length, name).toBeLessThan(6144)
  })

  test('every action that changes or deletes something is limited to the cluster', () => {
    for (const { name, actions, resources, conditions } of policyStatements(scope)) {
      if (actions.every((action) => /:(Describe|Get|List|Receive)/.test(action))) continue
      const bounds = JSON.stringify([resources, conditions])
      if (name !== 'AllowScopedEC2InstanceAccessActions') expect(bounds, name).toContain('demo')
      expect(resources, name).not.toContain('*')
    }
  })

  test('partition, node role and queue can be set', () => {
    const text = JSON.stringify(
      policyStatements({ ...scope, partition: 'aws-cn', nodeRoleName: 'nodes', queueName: 'q' }),
    )
    expect(text).not.toContain('arn:aws:')
    expect(text).toContain('role/nodes')
    expect(text).toContain('012345678901:q"')
  })
})

describe('checking a policy', () => {
  test('our own policies lack nothing', () => {
    const Statement = [...policyDocuments(scope).values()].flatMap((document) => document.Statement)
    const { missing, unused } = checkPolicy(JSON.stringify({ Statement }))
    expect({ missing, unused }).toEqual({ missing: [], unused: [] })
  })

  test('the five actions that are missing in older guides', () => {
    const file = new URL('../../../../examples/older-guides/iam-policy.json', import.meta.url)
    const { missing, limited, unused } = checkPolicy(readFileSync(file, 'utf8'))
    expect(limited).toEqual([])
    expect(unused).toEqual(['ec2:DescribeTags'])
    expect(missing.map(({ action, capabilities: of }) => `${action} (${of.join(', ')})`)).toMatchInlineSnapshot(`
      [
        "ec2:CreateFleet (launch)",
        "ec2:CreateLaunchTemplate (launch)",
        "ec2:DeleteLaunchTemplate (launch)",
        "iam:PassRole (launch)",
        "iam:CreateInstanceProfile (instanceProfiles)",
        "iam:TagInstanceProfile (instanceProfiles)",
        "iam:AddRoleToInstanceProfile (instanceProfiles)",
        "iam:RemoveRoleFromInstanceProfile (instanceProfiles)",
        "iam:DeleteInstanceProfile (instanceProfiles)",
        "iam:ListInstanceProfiles (instanceProfiles)",
        "iam:GetInstanceProfile (instanceProfiles)",
        "eks:DescribeCluster (clusterFacts)",
        "sqs:DeleteMessage (interruption)",
        "sqs:GetQueueUrl (interruption)",
        "sqs:ReceiveMessage (interruption)",
        "arc-zonal-shift:GetManagedResource (zonalShift)",
        "ec2:DescribeCapacityReservations (discovery)",
        "ec2:DescribeImages (discovery)",
        "ec2:DescribeInstanceStatus (discovery)",
        "ec2:DescribeInstanceTypeOfferings (discovery)",
        "ec2:DescribeInstanceTypes (discovery)",
        "ec2:DescribeLaunchTemplates (discovery)",
        "ec2:DescribePlacementGroups (discovery)",
        "ec2:DescribeSecurityGroups (discovery)",
        "ec2:DescribeSpotPriceHistory (discovery)",
        "ec2:DescribeSubnets (discovery)",
        "ssm:GetParameter (discovery)",
        "pricing:GetProducts (discovery)",
      ]
    `)
  })

  const allowing = (more: object) =>
    checkPolicy(JSON.stringify({ Statement: { Effect: 'Allow', Resource: '*', ...more } }))
  const missingActions = (more: object): string[] => allowing(more).missing.map(({ action }) => action)
  test('wildcards in any case, and exceptions', () => {
    expect(missingActions({ Action: '*' })).toEqual([])
    expect(
      missingActions({ Action: ['EC2:*', 'iam:*', 'sqs:*', 'ssm:Get?arameter', 'pricing:*', 'arc-zonal-shift:*'] }),
    ).toEqual(['eks:DescribeCluster'])
    expect(missingActions({ NotAction: 'iam:*' }).every((action) => action.startsWith('iam:'))).toBe(true)
    expect(missingActions({ Action: 'ec2.*' })).toContain('ec2:RunInstances')
  })

  test('a denial overrides a permission', () => {
    const { missing } = checkPolicy(
      JSON.stringify({
        Statement: [
          { Effect: 'Allow', Action: '*', Resource: '*' },
          { Effect: 'Deny', Action: 'ec2:TerminateInstances', Resource: '*' },
        ],
      }),
    )
    expect(missing).toEqual([{ action: 'ec2:TerminateInstances', capabilities: ['launch'], denied: true }])
  })

  test('permissions for some resources or under conditions are reported', () => {
    expect(allowing({ Action: '*', Condition: { Bool: { a: 'true' } } }).limited.length).toBeGreaterThan(20)
    expect(allowing({ Action: '*', Resource: 'arn:aws:ec2:*:*:instance/*' }).limited).toContain('ec2:RunInstances')
    expect(allowing({ Action: '*' }).limited).toEqual([])
  })

  test.each([
    '',
    '[]',
    '{}',
    '{"Statement": 3}',
    '{"Statement": [{"Effect": "Maybe", "Action": "*"}]}',
    '{"Statement": [{"Effect": "Allow"}]}',
    '{"Statement": [{"Effect": "Allow", "Action": [1]}]}',
  ])('%j is rejected, with the expected format', (text) => {
    expect(() => checkPolicy(text)).toThrow(PolicyFileError)
    expect(() => checkPolicy(text)).toThrow(/not an IAM policy: .*; expected JSON like/)
  })
})
