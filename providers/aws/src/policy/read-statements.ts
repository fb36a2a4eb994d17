import { type PolicyStatement, type StatementScope, serviceActions } from './statement.ts'

/** Returns the statements about the cluster itself: its description, the interruption queue and zonal shifts. */
export const clusterStatements = ({ scope, clusterArn }: StatementScope): readonly PolicyStatement[] => {
  const { partition, region, accountId, queueName } = scope
  return [
    {
      capability: 'clusterFacts',
      name: 'AllowAPIServerEndpointDiscovery',
      actions: serviceActions('eks', 'DescribeCluster'),
      resources: [clusterArn],
    },
    {
      capability: 'interruption',
      name: 'AllowInterruptionQueueActions',
      actions: serviceActions('sqs', 'DeleteMessage GetQueueUrl ReceiveMessage'),
      resources: [`arn:${partition}:sqs:${region}:${accountId}:${queueName}`],
    },
    {
      capability: 'zonalShift',
      name: 'AllowZonalShiftStatusReadOnly',
      actions: serviceActions('arc-zonal-shift', 'GetManagedResource'),
      resources: ['*'],
      conditions: { StringEquals: { 'arc-zonal-shift:ResourceIdentifier': clusterArn } },
    },
  ]
}

/** Returns the statements for reading offerings and prices. */
export const discoveryStatements = ({ scope: { partition, region } }: StatementScope): readonly PolicyStatement[] => [
  {
    capability: 'discovery',
    name: 'AllowRegionalReadActions',
    actions: serviceActions(
      'ec2',
      'DescribeCapacityReservations DescribeImages DescribeInstances DescribeInstanceStatus DescribeInstanceTypeOfferings DescribeInstanceTypes DescribeLaunchTemplates DescribePlacementGroups DescribeSecurityGroups DescribeSpotPriceHistory DescribeSubnets',
    ),
    resources: ['*'],
    conditions: { StringEquals: { 'aws:RequestedRegion': region } },
  },
  {
    capability: 'discovery',
    name: 'AllowSSMReadActions',
    actions: serviceActions('ssm', 'GetParameter'),
    resources: [`arn:${partition}:ssm:${region}::parameter/aws/service/*`],
  },
  {
    capability: 'discovery',
    name: 'AllowPricingReadActions',
    actions: serviceActions('pricing', 'GetProducts'),
    resources: ['*'],
  },
]

/** Returns the statements for reading the commitments of the account. Only `spec.commitmentSource.account` of a ClusterPolicy needs them. */
export const commitmentStatements = ({ scope: { region } }: StatementScope): readonly PolicyStatement[] => [
  {
    capability: 'commitments',
    name: 'AllowReservedInstancesReadOnly',
    actions: serviceActions('ec2', 'DescribeReservedInstances'),
    resources: ['*'],
    conditions: { StringEquals: { 'aws:RequestedRegion': region } },
  },
  {
    capability: 'commitments',
    name: 'AllowSavingsPlansReadOnly',
    actions: serviceActions('savingsplans', 'DescribeSavingsPlans DescribeSavingsPlanRates'),
    resources: ['*'],
  },
]
