/**
 * The resources, in addition to the controller's policies, that an installation needs in the account
 * (`providers/aws/docs/spec/aws-installation.md#cloudformation-stack`, `providers/aws/docs/spec/aws-installation.md#in-the-cluster`).
 */

/** AWS managed policies for the role of the nodes. */
export const NODE_POLICIES = [
  'AmazonEKS_CNI_Policy',
  'AmazonEKSWorkerNodePolicy',
  'AmazonEC2ContainerRegistryPullOnly',
  'AmazonSSMManagedInstanceCore',
] as const

/** How long the queue keeps messages, in seconds. Interruptions that are older than this no longer matter. */
export const QUEUE_RETENTION_SECONDS = 300

/** The EventBridge rules that fill the interruption queue. */
export const eventRules = [
  { name: 'ScheduledChangeRule', source: 'aws.health', detailType: 'AWS Health Event' },
  { name: 'SpotInterruptionRule', source: 'aws.ec2', detailType: 'EC2 Spot Instance Interruption Warning' },
  { name: 'RebalanceRule', source: 'aws.ec2', detailType: 'EC2 Instance Rebalance Recommendation' },
  { name: 'InstanceStateChangeRule', source: 'aws.ec2', detailType: 'EC2 Instance State-change Notification' },
  {
    name: 'CapacityReservationInterruptionRule',
    source: 'aws.ec2',
    detailType: 'EC2 Capacity Reservation Instance Interruption Warning',
  },
] as const

/** Returns the event pattern of a rule. */
export const eventPattern = (rule: (typeof eventRules)[number]) => ({
  source: [rule.source],
  'detail-type': [rule.detailType],
})

/** Returns the queue policy: AWS's event services may send messages, and requests over plain HTTP are denied. */
export const queuePolicy = <Arn>(queueArn: Arn) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Sid: 'EC2InterruptionPolicy',
      Effect: 'Allow',
      Principal: { Service: ['events.amazonaws.com', 'sqs.amazonaws.com'] },
      Action: 'sqs:SendMessage',
      Resource: queueArn,
    },
    {
      Sid: 'DenyHTTP',
      Effect: 'Deny',
      Principal: '*',
      Action: 'sqs:*',
      Resource: queueArn,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
  ],
})

/** Returns a trust policy for a service. */
export const trustService = <Name>(service: Name, actions: readonly string[] = ['sts:AssumeRole']) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: [...actions] }],
})

/** The trust policy of EKS Pod Identity. The agent on the node assumes the role for the pod. */
export const POD_IDENTITY_TRUST = trustService('pods.eks.amazonaws.com', ['sts:AssumeRole', 'sts:TagSession'])

/** Returns the trust policy for IRSA: the role trusts tokens of the service account. `issuer` is without `https://`. */
export const irsaTrust = <Arn>(providerArn: Arn, issuer: string, namespace: string) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { Federated: providerArn },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          [`${issuer}:aud`]: 'sts.amazonaws.com',
          [`${issuer}:sub`]: `system:serviceaccount:${namespace}:karpenter`,
        },
      },
    },
  ],
})

/** The managed node group for the controller and the system pods. Kerf does not manage it. */
export const SYSTEM_GROUP = {
  name: 'system',
  instanceType: 'm5.large',
  size: 2,
  labels: { 'karpenter.sh/controller': 'true' },
  taint: { key: 'CriticalAddonsOnly', value: 'true', effect: 'NoSchedule' },
} as const

/** The pods that run on Fargate if there is no managed node group: the controller, and the DNS pods that it needs. */
export const fargateSelectors = (namespace: string) => [
  { namespace, labels: { 'app.kubernetes.io/name': 'karpenter' } },
  { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
]
