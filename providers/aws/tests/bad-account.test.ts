import { findCondition, isConditionTrue } from '@kerf/apis'
import { type EC2NodeClassSpec, ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import type { Fault } from '@kerf/provider-kit/testing'
import { expect, test } from 'vitest'
import { createClass, createPod, createPool, goodSpec, listEventReasons } from './class-objects.ts'
import { startFakeAwsStory } from './kerf-on-fake-aws.ts'

interface AccountCase {
  readonly wrong: string
  readonly calls: readonly ['ec2' | 'eks', string, Fault][]
  readonly spec?: Partial<EC2NodeClassSpec>
  readonly condition: string
  readonly status: 'False' | 'Unknown'
  readonly reason: string
  readonly message: RegExp
}

const refused = (action: string, resource = ''): Fault => ({
  code: 'UnauthorizedOperation',
  status: 403,
  message: `You are not authorized to perform: ${action}${resource} because no identity-based policy allows it`,
})

/** A fault of the account, or of the controller's access to it. */
const accountCases: readonly AccountCase[] = [
  {
    wrong: 'a permission is missing',
    calls: [
      ['ec2', 'tryFleet', refused('ec2:CreateFleet', ' on resource: arn:aws:ec2:us-east-1:123456789012:fleet/*')],
    ],
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'CreateFleetAuthCheckFailed',
    message:
      /does not allow ec2:CreateFleet on arn:aws:ec2:us-east-1:123456789012:fleet\/\*; add it, see "kerf aws policy"/,
  },
  {
    wrong: 'a permission to read is missing',
    calls: [['ec2', 'describeSecurityGroups', refused('ec2:DescribeSecurityGroups')]],
    condition: 'SecurityGroupsReady',
    status: 'Unknown',
    reason: 'Unauthorized',
    message: /does not allow ec2:DescribeSecurityGroups; add it/,
  },
  {
    wrong: 'the credentials have expired',
    calls: [['ec2', 'describeSubnets', { code: 'ExpiredToken', status: 401 }]],
    condition: 'SubnetsReady',
    status: 'Unknown',
    reason: 'CredentialsRefused',
    message: /does not accept the credentials of the controller \(ExpiredToken\); check its region and the role/,
  },
  {
    wrong: 'the region is one that the account does not use',
    calls: [['ec2', 'describeSubnets', { code: 'AuthFailure', status: 401 }]],
    condition: 'SubnetsReady',
    status: 'Unknown',
    reason: 'CredentialsRefused',
    message: /\(AuthFailure\); check its region/,
  },
  {
    wrong: 'the region does not exist',
    calls: [
      ['ec2', 'describeSubnets', { code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND ec2.us-east-9.amazonaws.com' }],
    ],
    condition: 'SubnetsReady',
    status: 'Unknown',
    reason: 'EndpointNotFound',
    message: /AWS cannot be found \(getaddrinfo ENOTFOUND ec2\.us-east-9\.amazonaws\.com\); check AWS_REGION/,
  },
  {
    wrong: 'the endpoint of the cluster is not found',
    calls: [
      ['eks', 'describeCluster', { code: 'ResourceNotFoundException', status: 404, message: 'No cluster found' }],
    ],
    spec: { amiFamily: 'AL2', amiSelectorTerms: [{ id: 'ami-x86' }] },
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'ClusterEndpointNotFound',
    message: /the endpoint of cluster demo is unknown: .*; set CLUSTER_ENDPOINT, or allow eks:DescribeCluster/,
  },
  {
    wrong: 'the cluster is not found, and its nodes need its service addresses',
    calls: [['eks', 'describeCluster', { code: 'ResourceNotFoundException', status: 404 }]],
    condition: 'ValidationSucceeded',
    status: 'False',
    reason: 'ClusterCIDRResolutionFailed',
    message: /allow eks:DescribeCluster, and check CLUSTER_NAME and AWS_REGION/,
  },
]

test.each(accountCases)(
  '$wrong: a condition and an event report cause and remedy, instances keep running, and the class recovers',
  async ({ calls, spec, condition, status, reason, message }) => {
    const className = 'default'
    const story = await startFakeAwsStory(13, {
      prepare: async (client, aws) => {
        for (const [service, call, fault] of calls) aws[service].faults.standing(call, fault)
        // Creates only the node class and its NodePool, so no earlier status can hide the fault.
        await createClass(client, className, { ...goodSpec, ...spec })
        await createPool(client, className)
        return new Set()
      },
    })
    const { client, aws } = story
    try {
      await createPod(client, className)
      await story.pass(30)
      const nodeClass = await client.get(ec2NodeClassKind, { name: className })
      const found = findCondition(nodeClass, condition)
      expect(found).toMatchObject({ status, reason })
      expect(found?.message).toMatch(message)
      expect(isConditionTrue(nodeClass, 'Ready')).toBe(false)
      expect(await listEventReasons(client, className)).toContain(found?.message)
      expect(aws.ec2.launches).toEqual([])
      // The other conditions of the node class become true.
      for (const other of ['AMIsReady', 'SubnetsReady', 'SecurityGroupsReady', 'InstanceProfileReady'])
        if (other !== condition) expect(isConditionTrue(nodeClass, other), other).toBe(true)
      // Interruption messages are still processed.
      aws.sqs.send('nonsense')
      await story.until('the message gone', async () => aws.sqs.messages.size === 0, 60)

      for (const [service] of calls) aws[service].faults.recover()
      // Kerf caches a refusal for half an hour. Adding an annotation makes it retry immediately.
      const body = { metadata: { annotations: { mended: 'yes' } } }
      await client.patch(ec2NodeClassKind, { name: className }, { type: 'merge', body })
      await story.until('the class ready', async () =>
        isConditionTrue(await client.get(ec2NodeClassKind, { name: className }), 'Ready'),
      )
      await story.until('an instance launched', async () => aws.ec2.launches.length === 1, 120)
    } finally {
      await story.close()
    }
  },
)
