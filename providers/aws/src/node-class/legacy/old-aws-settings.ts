import type { TemplateSettings } from '@kerf/apis/legacy'

const profile = { field: 'instanceProfile', note: 'of each EC2NodeClass that names neither role nor profile' }

/** The old settings of AWS (`docs/spec/older-apis.md#older-settings`). */
export const oldAwsSettings: TemplateSettings = {
  prefix: 'aws',
  variables: {
    'aws.clusterName': 'CLUSTER_NAME',
    'aws.clusterEndpoint': 'CLUSTER_ENDPOINT',
    'aws.clusterCABundle': 'CLUSTER_CA_BUNDLE',
    'aws.isolatedVPC': 'ISOLATED_VPC',
    'aws.vmMemoryOverheadPercent': 'VM_MEMORY_OVERHEAD_PERCENT',
    'aws.reservedENIs': 'RESERVED_ENIS',
    'aws.interruptionQueueName': 'INTERRUPTION_QUEUE',
    // The oldest guides set this key. The SDK reads the region from the environment variable.
    'aws.region': 'AWS_REGION',
  },
  classDefaults: { 'aws.defaultInstanceProfile': profile, 'aws.instanceProfile': profile },
  gone: {
    'aws.assumeRoleARN': 'v1 takes on no other role: give the controller the role itself',
    'aws.assumeRoleDuration': 'v1 takes on no other role',
    'aws.enablePodENI': 'set by the type and the requirements of pods',
    'aws.enableENILimitedPodDensity': 'use maxPods in spec.kubelet of the EC2NodeClass',
    'aws.tags': 'put them into spec.tags of each EC2NodeClass',
  },
}
