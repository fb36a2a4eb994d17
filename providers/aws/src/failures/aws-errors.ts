import { defineErrors, entry } from '@kerf/runtime'

/** Errors that prevent the AWS provider from working, shown to the user who starts it. */
export const awsErrors = defineErrors('aws', {
  NoClusterName: entry({
    when: 'The AWS provider was started without the name of the cluster.',
    text: (e: { setting: string }) => `the AWS provider needs the name of the cluster, and ${e.setting} is not set`,
    next: 'set it (or --cluster-name) to the name of the EKS cluster',
    exitCode: 2,
    example: { setting: 'CLUSTER_NAME' },
  }),
  NoRegion: entry({
    when: 'Neither a setting nor the instance metadata service gives the region.',
    text: (e: { setting: string }) =>
      `the region is unknown: ${e.setting} is not set, and no instance metadata service responds`,
    next: 'set it (or --aws-region), or let the pod reach the instance metadata service',
    example: { setting: 'AWS_REGION' },
  }),
  NoAccess: entry({
    when: 'The first call to EC2 was rejected or got no response.',
    text: (e: { region: string; cause: string }) => `EC2 in ${e.region} cannot be used: ${e.cause}`,
    next: 'check AWS_REGION and the role of the service account (Pod Identity or IRSA); "kerf aws policy" prints the policy that it needs',
    example: { region: 'us-east-1', cause: 'UnauthorizedOperation' },
  }),
  NoEndpoint: entry({
    when: 'No setting gives the endpoint of the cluster, and EKS did not return it.',
    text: (e: { cluster: string; cause: string }) => `the endpoint of cluster ${e.cluster} is unknown: ${e.cause}`,
    next: 'set CLUSTER_ENDPOINT, or allow eks:DescribeCluster and check CLUSTER_NAME and AWS_REGION',
    example: { cluster: 'demo', cause: 'ResourceNotFound' },
  }),
  NoInterruptionQueue: entry({
    when: 'The SQS queue of INTERRUPTION_QUEUE does not exist.',
    text: (e: { queue: string; code: string }) => `the interruption queue ${e.queue} does not exist (${e.code})`,
    next: 'create it, or correct INTERRUPTION_QUEUE',
    example: { queue: 'demo', code: 'QueueDoesNotExist' },
  }),
  InstanceTypeNotOffered: entry({
    when: 'A NodeClaim has an instance type that EC2 does not offer any more, or has no instance type.',
    text: (e: { problem: string }) => e.problem,
    next: 'nothing, if EC2 offers the type again; otherwise delete the NodeClaim',
    example: { problem: 'EC2 does not offer the instance type m5.large of nodeclaim general-x7k2p' },
  }),
  NotManaged: entry({
    when: 'ENABLE_ZONAL_SHIFT is set, but zonal shift is not enabled for the cluster.',
    text: (e: { cluster: string }) => `zonal shift is not enabled for cluster ${e.cluster}`,
    next: 'enable it (aws eks update-cluster-config --name NAME --zonal-shift-config enabled=true), or unset ENABLE_ZONAL_SHIFT',
    example: { cluster: 'demo' },
  }),
  UnreadableCaBundle: entry({
    when: 'The file of AWS_CA_BUNDLE cannot be read or contains no certificate.',
    text: (e: { file: string; problem: string }) => `AWS_CA_BUNDLE ${e.file} cannot be used: ${e.problem}`,
    next: 'use a PEM file with the certificates of all authorities for AWS and your proxy',
    exitCode: 2,
    example: { file: '/etc/ca/bundle.pem', problem: 'it contains no certificate in PEM format' },
  }),
  UnreadablePriceFile: entry({
    when: 'The file of --aws-price-file cannot be read, or does not have the expected format.',
    text: (e: { file: string; problem: string }) => `the price file ${e.file} cannot be used: ${e.problem}`,
    next: 'use a JSON file like {"onDemand": {"m5.large": 0.096}, "spot": {"m5.large": {"us-east-1a": 0.035}}}',
    exitCode: 2,
    example: { file: 'prices.json', problem: 'onDemand["m5.large"] is not a number above 0' },
  }),
})
